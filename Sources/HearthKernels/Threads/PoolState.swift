internal import HearthLocks
internal import Synchronization

/// What the workers share: a line for the share of each, and a counter of chunks that are done.
@safe final class PoolState: @unchecked Sendable {
    private let shares: UnsafeMutableRawPointer
    // Workers write `done` while others read their shares: a line of its own keeps them apart.
    private let done: UnsafeMutablePointer<Atomic<Int>>
    /// Runs so far, on a line of its own too. (Not in this object: what a run writes there would take the pointers to the lines
    /// from the workers.)
    private let runs: UnsafeMutablePointer<Atomic<Int>>
    private let sleepers = Atomic<Int>(0)
    private let callerSleeps = Atomic<Bool>(false)
    private let stopping = Atomic<Bool>(false)
    private let started = Atomic<Int>(0)

    /// Until when the caller works alone; read and written under `turn`.
    private var aloneUntil: UInt64 = 0

    /// Held during a run: runs take turns.
    private let turn = Lock()
    /// Guards both conditions and the list of threads.
    private let lock = Lock()
    private let work = Condition()
    private let finished = Condition()
    private var threads: [PosixThread] = []

    init() {
        precondition(MemoryLayout<WorkShare>.size <= cacheLine)
        unsafe shares = .allocate(byteCount: ThreadPool.mostWorkers * cacheLine, alignment: cacheLine)
        for worker in 0..<ThreadPool.mostWorkers {
            unsafe (shares + worker * cacheLine).bindMemory(to: WorkShare.self, capacity: 1).initialize(to: WorkShare())
        }
        unsafe done = ownLine(Atomic(0))
        unsafe runs = ownLine(Atomic(0))
    }

    deinit {
        unsafe shares.deallocate()
        unsafe free(done)
        unsafe free(runs)
    }

    /// Runs that were shared out.
    var runCount: Int { unsafe runs.pointee.load(ordering: .relaxed) }

    private func share(of worker: Int) -> UnsafeMutablePointer<WorkShare> {
        unsafe (shares + worker * cacheLine).assumingMemoryBound(to: WorkShare.self)
    }

    func reserve(workers: Int) -> Int {
        lock.lock()
        defer { lock.unlock() }
        while threads.count + 1 < workers {
            let worker = threads.count + 1
            guard let thread = PosixThread.start({ [self] in self.work(as: worker) }) else { break }
            threads.append(thread)
            started.store(threads.count, ordering: .relaxed)
        }
        return threads.count + 1
    }

    func run(chunks: Int, workers: Int, context: UnsafeRawPointer, body: ThreadPool.Body) {
        turn.lock()
        defer { turn.unlock() }
        // The system may have refused a thread: no share for it.
        let ready = started.load(ordering: .relaxed) + 1
        let workers = ready < workers ? min(workers, reserve(workers: workers)) : workers

        let begin = monotonicNanoseconds()
        guard workers > 1, begin >= aloneUntil else {
            for chunk in 0..<chunks { unsafe body(context, chunk, 0) }
            return
        }

        // Publish the step, the caller's own share last: nothing needs to see that one.
        unsafe runs.pointee.add(1, ordering: .relaxed)
        unsafe done.pointee.store(0, ordering: .relaxed)
        for worker in (0..<workers).reversed() {
            unsafe WorkShare.publish(
                chunks * worker / workers..<chunks * (worker + 1) / workers, of: chunks, workers: workers, context: context,
                body: body, in: share(of: worker))
        }
        if sleepers.load(ordering: .sequentiallyConsistent) > 0 {
            lock.lock()
            work.wakeAll()
            lock.unlock()
        }

        // Work, then wait for chunks that others hold.
        let own = takeAll(as: 0)
        if unsafe done.pointee.load(ordering: .acquiring) == chunks { return }
        let worked = monotonicNanoseconds()
        waitUntilDone(chunks)
        noteWait(worked: worked - begin, own: UInt64(own), waited: monotonicNanoseconds() - worked)
    }

    /// A wait much longer than a chunk takes means that a worker was descheduled with a chunk in hand: another process wants its
    /// core. The caller then goes on alone for eight times as long as it waited, so that waiting costs a ninth at most, and tries
    /// again. (Chunks of a step are alike; eight of them and 500 microseconds are beyond any honest remainder.)
    private func noteWait(worked: UInt64, own: UInt64, waited: UInt64) {
        guard waited > 500_000, waited > 8 * (worked / max(own, 1)) else { return }
        aloneUntil = monotonicNanoseconds() + 8 * min(waited, 20_000_000)
    }

    /// Does the worker's own share, then what others have left, chunk by chunk. Returns how many chunks it did.
    private func takeAll(as worker: Int) -> Int {
        var sum = 0
        while true {
            let own = unsafe share(of: worker)
            var count = 0
            while unsafe own.pointee.takeOne(fromBack: false, as: worker) { count += 1 }
            if count > 0 {
                sum += count
                // After the last chunk the caller may publish the next step: its length is read before.
                let chunks = unsafe own.pointee.chunks
                if report(count, of: chunks) { return sum }
            }
            guard takeFromOthers(as: worker) else { return sum }
            sum += 1
        }
    }

    /// One chunk from the back of another's share.
    private func takeFromOthers(as worker: Int) -> Bool {
        let lines = started.load(ordering: .relaxed) + 1
        for step in 1..<max(lines, 1) {
            let other = unsafe share(of: (worker + step) % lines)
            guard unsafe other.pointee.takeOne(fromBack: true, as: worker) else { continue }
            _ = unsafe report(1, of: other.pointee.chunks)
            return true
        }
        return false
    }

    /// Counts chunks as done; true where they were the last.
    private func report(_ count: Int, of chunks: Int) -> Bool {
        guard unsafe done.pointee.wrappingAdd(count, ordering: .sequentiallyConsistent).newValue == chunks else { return false }
        if callerSleeps.load(ordering: .sequentiallyConsistent) {
            lock.lock()
            finished.wakeAll()
            lock.unlock()
        }
        return true
    }

    /// Spins, then sleeps: a worker that was descheduled with a chunk in hand gets this core.
    private func waitUntilDone(_ chunks: Int) {
        if spin(until: { unsafe done.pointee.load(ordering: .acquiring) == chunks }) { return }
        callerSleeps.store(true, ordering: .sequentiallyConsistent)
        lock.lock()
        while unsafe done.pointee.load(ordering: .sequentiallyConsistent) != chunks { finished.wait(lock) }
        lock.unlock()
        callerSleeps.store(false, ordering: .relaxed)
    }

    /// A worker's life.
    private func work(as worker: Int) {
        while true {
            _ = takeAll(as: worker)
            if spin(until: { hasWork(for: worker) }) { continue }
            lock.lock()
            sleepers.wrappingAdd(1, ordering: .sequentiallyConsistent)
            while !hasWork(for: worker), !stopping.load(ordering: .sequentiallyConsistent) { work.wait(lock) }
            sleepers.wrappingSubtract(1, ordering: .sequentiallyConsistent)
            lock.unlock()
            if stopping.load(ordering: .acquiring) { return }
        }
    }

    /// Whoever has no share of a step does not wake for it.
    private func hasWork(for worker: Int) -> Bool { unsafe share(of: worker).pointee.hasWork }

    /// True as soon as `condition` holds, false after `ThreadPool.spinNanoseconds`.
    @inline(__always)
    private func spin(until condition: () -> Bool) -> Bool {
        let start = monotonicNanoseconds()
        repeat {
            // 128 looks between two readings of the clock, during which nobody looks: one takes as long as some 30 of them.
            // (`pause` would go here; it does not reach Swift, and by its compiler's name it breaks the thread sanitizer.)
            for _ in 0..<128 where condition() { return true }
        } while monotonicNanoseconds() &- start < ThreadPool.spinNanoseconds
        return condition()
    }

    func stop() {
        stopping.store(true, ordering: .sequentiallyConsistent)
        lock.lock()
        work.wakeAll()
        let threads = self.threads
        lock.unlock()
        for thread in threads { thread.join() }
    }
}

private let cacheLine = 64

/// A value on a cache line of its own, which nothing else is on; to be given to `free`.
private func ownLine<Value: ~Copyable>(_ value: consuming Value) -> UnsafeMutablePointer<Value> {
    precondition(MemoryLayout<Value>.size <= cacheLine)
    let memory = UnsafeMutableRawPointer.allocate(byteCount: cacheLine, alignment: cacheLine)
    let place = unsafe memory.bindMemory(to: Value.self, capacity: 1)
    unsafe place.initialize(to: value)
    return unsafe place
}

private func free(_ place: UnsafeMutablePointer<Atomic<Int>>) {
    unsafe place.deinitialize(count: 1)
    unsafe place.deallocate()
}
