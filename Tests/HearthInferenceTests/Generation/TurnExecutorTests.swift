import Foundation
import HearthInference
import HearthKernels
import Synchronization
import Testing

#if canImport(Glibc)
import Glibc
#endif

@Suite struct TurnExecutorTests {
    actor Worker {
        nonisolated let executor: TurnExecutor
        nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }
        var order: [Int] = []

        init(_ executor: TurnExecutor) { self.executor = executor }

        func work(_ name: Int, steps: Int) async {
            for _ in 0..<steps {
                await executor.turn()
                order.append(name)
            }
        }

        func count(_ counts: Counts) async {
            while !counts.isDone.load(ordering: .relaxed) {
                await executor.turn()
                counts.turns.add(1, ordering: .relaxed)
            }
        }

        func thread() throws -> String { try systemThread() }
    }

    @Test("everything of an actor runs on one thread that is no cooperative one")
    func oneThread() async throws {
        let worker = Worker(try TurnExecutor(name: "test"))
        var threads: Set<String> = []
        for _ in 0..<20 {
            threads.insert(try await worker.thread())
            await worker.work(0, steps: 1)
        }
        #expect(threads.count == 1)
        #expect(!threads.contains(try systemThread()))
    }

    /// A turn that went through the pool of other tasks would stop while every thread of it is taken.
    @Test("turns go on while the cooperative pool is blocked")
    func blockedPool() async throws {
        let worker = Worker(try TurnExecutor(name: "test"))
        let counts = Counts()
        let threads = ProcessInfo.processInfo.activeProcessorCount
        async let work: Void = worker.count(counts)
        while counts.turns.load(ordering: .relaxed) == 0 { await Task.yield() }
        let wentOn = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<threads {
                group.addTask {
                    let deadline = ContinuousClock.now + .seconds(5)
                    counts.blocked.add(1, ordering: .relaxed)
                    while counts.blocked.load(ordering: .relaxed) < threads, .now < deadline {}
                    let before = counts.turns.load(ordering: .relaxed)
                    while counts.turns.load(ordering: .relaxed) < before + 100, .now < deadline {}
                    return counts.turns.load(ordering: .relaxed) >= before + 100
                }
            }
            return await group.reduce(true) { $0 && $1 }
        }
        counts.isDone.store(true, ordering: .relaxed)
        await work
        #expect(wentOn)
    }

    final class Counts: Sendable {
        let turns = Atomic<Int>(0)
        let blocked = Atomic<Int>(0)
        let isDone = Atomic<Bool>(false)
    }

    @Test("three callers get their turns one after the other")
    func fairness() async throws {
        let worker = Worker(try TurnExecutor(name: "test"))
        await withTaskGroup(of: Void.self) { group in
            for name in 0..<3 { group.addTask { await worker.work(name, steps: 50) } }
        }
        let order = await worker.order
        #expect(order.count == 150)
        // Once all three are in line, any three turns in a row belong to three callers.
        let start = (0..<3).map { order.firstIndex(of: $0)! }.max()!
        let ends = (0..<3).map { order.lastIndex(of: $0)! }.min()!
        for place in start..<max(start, ends - 2) { #expect(Set(order[place..<place + 3]).count == 3) }
    }

    // A petabyte of stack is more address space than a process has.
    @Test("a thread that the system refuses is an error, and nobody waits for it")
    func refusedThread() {
        #expect {
            try TurnExecutor(name: "test", stackSize: 1 << 50)
        } throws: {
            guard case InferenceError.kernel(.noThread) = $0 else { return false }
            return true
        }
    }

    @Test("executors come and go with their actors")
    func lifetime() async throws {
        for _ in 0..<50 {
            let worker = Worker(try TurnExecutor(name: "test"))
            await worker.work(1, steps: 2)
            #expect(await worker.order == [1, 1])
        }
    }
}

/// The thread as the system numbers it. Not `pthread_self`: its header lets the optimiser take two calls for one, also where
/// the task has changed threads between them.
private func systemThread() throws -> String {
    try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
}
