internal import HearthLocks
internal import Synchronization

/// What the workers share.
///
/// The board's `cursor` holds the chunks that nobody has taken (low half) and the workers that may take them (high half). A claim is a
/// compare-and-swap of the whole word. The step's fields are plain: they are written before the cursor is published, read
/// only after a claim, and the step cannot end before the claimed chunk is done, so they hold still meanwhile. A worker
/// that slept through any number of steps and then claims does so in the step that is running.
@safe final class PoolState: @unchecked Sendable {
    private let board: UnsafeMutablePointer<Board> = unsafe ownLine(Board())
    // Workers write `done` while others read the cursor: lines of their own keep them apart.
    private let done: UnsafeMutablePointer<Atomic<Int>> = unsafe ownLine(Atomic(0))
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

    deinit {
        unsafe board.deinitialize(count: 1)
        unsafe board.deallocate()
        unsafe done.deinitialize(count: 1)
        unsafe done.deallocate()
    }

    /// Runs that were shared out.
    var runCount: Int { unsafe board.pointee.runs.load(ordering: .relaxed) }

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
        if started.load(ordering: .relaxed) + 1 < workers { _ = reserve(workers: workers) }

        let begin = monotonicNanoseconds()
        guard begin >= aloneUntil else {
            for chunk in 0..<chunks { unsafe body(context, chunk, 0) }
            return
        }

        // Publish the step.
        unsafe board.pointee.runs.add(1, ordering: .relaxed)
        unsafe done.pointee.store(0, ordering: .relaxed)
        unsafe board.pointee.context = unsafe context
        unsafe board.pointee.body = unsafe body
        unsafe board.pointee.chunks = chunks
        unsafe board.pointee.cursor.store(UInt64(workers) << 32 | UInt64(chunks), ordering: .sequentiallyConsistent)
        if sleepers.load(ordering: .sequentiallyConsistent) > 0 {
            lock.lock()
            work.wakeAll()
            lock.unlock()
        }

        // Work, then wait for chunks that others hold.
        var own: UInt64 = 0
        while takeChunk(as: 0) { own += 1 }
        if unsafe done.pointee.load(ordering: .acquiring) == chunks { return }
        let worked = monotonicNanoseconds()
        waitUntilDone(chunks)
        noteWait(worked: worked - begin, own: own, waited: monotonicNanoseconds() - worked)
    }

    /// A wait much longer than a chunk takes means that a worker was descheduled with a chunk in hand: another process wants its
    /// core. The caller then goes on alone for eight times as long as it waited, so that waiting costs a ninth at most, and tries
    /// again. (Chunks of a step are alike; eight of them and 500 microseconds are beyond any honest remainder.)
    private func noteWait(worked: UInt64, own: UInt64, waited: UInt64) {
        guard waited > 500_000, waited > 8 * (worked / max(own, 1)) else { return }
        aloneUntil = monotonicNanoseconds() + 8 * min(waited, 20_000_000)
    }

    /// Takes and does one chunk of the step that is running; false where none is left or this worker may not join.
    private func takeChunk(as worker: Int) -> Bool {
        var seen = unsafe board.pointee.cursor.load(ordering: .relaxed)
        while true {
            let left = Int(seen & 0xFFFF_FFFF)
            guard left > 0, worker < Int(seen >> 32) else { return false }
            let (took, now) = unsafe board.pointee.cursor.weakCompareExchange(
                expected: seen, desired: seen &- 1, successOrdering: .acquiring, failureOrdering: .relaxed)
            guard took else { seen = now; continue }
            let chunks = unsafe board.pointee.chunks
            unsafe board.pointee.body(board.pointee.context, chunks - left, worker)
            // After the last chunk the caller may publish the next step: nothing of this one is read below.
            if unsafe done.pointee.wrappingAdd(1, ordering: .sequentiallyConsistent).newValue == chunks,
                callerSleeps.load(ordering: .sequentiallyConsistent)
            {
                lock.lock()
                finished.wakeAll()
                lock.unlock()
            }
            return true
        }
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
            while takeChunk(as: worker) {}
            if spin(until: { hasWork(for: worker) }) { continue }
            lock.lock()
            sleepers.wrappingAdd(1, ordering: .sequentiallyConsistent)
            while !hasWork(for: worker), !stopping.load(ordering: .sequentiallyConsistent) { work.wait(lock) }
            sleepers.wrappingSubtract(1, ordering: .sequentiallyConsistent)
            lock.unlock()
            if stopping.load(ordering: .acquiring) { return }
        }
    }

    private func hasWork(for worker: Int) -> Bool {
        let seen = unsafe board.pointee.cursor.load(ordering: .sequentiallyConsistent)
        return seen & 0xFFFF_FFFF > 0 && worker < Int(seen >> 32)
    }

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

/// The step that is running. A worker reads all of it when it claims a chunk, so it lies on one cache line: the line that told the
/// worker of the step brings the rest.
@safe struct Board: ~Copyable {
    let cursor = Atomic<UInt64>(0)
    var context = unsafe UnsafeRawPointer(bitPattern: 1)!
    var body: ThreadPool.Body = { _, _, _ in }
    var chunks = 0
    /// Steps so far. (Not in the pool's object: what a run writes there would take the pointers to the lines from the workers.)
    let runs = Atomic<Int>(0)
}

/// A value on a cache line of its own, 64 bytes that nothing else is on; to be given back with `deinitialize` and `deallocate`.
private func ownLine<Value: ~Copyable>(_ value: consuming Value) -> UnsafeMutablePointer<Value> {
    precondition(MemoryLayout<Value>.size <= 64)
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 64, alignment: 64)
    let place = unsafe memory.bindMemory(to: Value.self, capacity: 1)
    unsafe place.initialize(to: value)
    return unsafe place
}
