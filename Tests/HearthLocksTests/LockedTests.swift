import Dispatch
import HearthLocks
import Testing

@Suite struct LockedTests {
    struct Refused: Error, Equatable { let at: Int }

    @Test("of threads that add at once, no addition is lost")
    func counts() {
        let count = Locked(0)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<1000 { count.withLock { $0 += 1 } }
        }
        #expect(count.withLock { $0 } == 8000)
    }

    @Test("what the body throws is passed on, what it wrote stays, and the lock is free again")
    func throwing() {
        let value = Locked([1])
        #expect(throws: Refused(at: 2)) {
            try value.withLock { (list: inout [Int]) throws(Refused) in
                list.append(2)
                throw Refused(at: list.count)
            }
        }
        #expect(value.withLock { $0 } == [1, 2])
    }

    @Test("a lock that is held is not available, and the one who asks goes on")
    func available() {
        let value = Locked(1)
        let inside = value.withLock { _ in value.withLockIfAvailable { $0 } }
        #expect(inside == nil)
        #expect(value.withLockIfAvailable { $0 + 1 } == 2)
    }

    @Test("the value goes with its lock")
    func released() {
        final class Held: Sendable {}
        var held: Held? = Held()
        weak let seen = held
        do {
            let lock = Locked(held)
            held = nil
            #expect(lock.withLock { $0 != nil })
            #expect(seen != nil)
        }
        #expect(seen == nil)
    }

    @Test("a thread that waits on a condition is woken")
    func condition() {
        final class State: @unchecked Sendable {
            let lock = Lock()
            let changed = Condition()
            var isReady = false
        }
        let state = State()
        let woken = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            state.lock.lock()
            while !state.isReady { state.changed.wait(state.lock) }
            state.lock.unlock()
            woken.signal()
        }
        state.lock.lock()
        state.isReady = true
        state.changed.wakeAll()
        state.lock.unlock()
        #expect(woken.wait(timeout: .now() + 10) == .success)
    }
}
