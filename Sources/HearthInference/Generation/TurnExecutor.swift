import Foundation
import HearthKernels
import HearthLocks

/// A serial executor on one thread of its own, where everything that computes runs: no forward pass ever blocks a thread
/// that other tasks need (design D8).
///
/// Work waits in two lines. Jobs, such as a new request or an actor call, run first. A request in the middle of its work
/// calls `turn()` between steps and stands behind all others that wait for theirs, so long requests take turns.
/// Waiting allocates nothing.
package final class TurnExecutor: SerialExecutor, TaskExecutor {
    private let lines = Lines()

    /// - Throws: `kernel(.noThread)` where the system refuses the thread.
    package init(name: String, stackSize: Int = PosixThread.usualStackSize) throws(InferenceError) {
        let lines = lines
        let thread = PosixThread.start(stackSize: stackSize) {
            Thread.current.name = name
            lines.serve()
        }
        guard let thread else { throw .kernel(.noThread) }
        thread.detach()
    }

    deinit { lines.close() }

    package func enqueue(_ job: consuming ExecutorJob) {
        lines.add(UnownedJob(job), of: self)
    }

    package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        unsafe UnownedSerialExecutor(ordinary: self)
    }

    /// Lets jobs and other requests go first; returns when it is this task's turn. To be called on this executor.
    ///
    /// A resumed task goes to its task executor first. Without the preference that is the global pool: a detour, and a wait
    /// wherever that pool is busy.
    package nonisolated(nonsending) func turn() async {
        await withTaskExecutorPreference(self) {
            unsafe await withUnsafeContinuation { unsafe lines.add($0) }
        }
    }
}

extension TurnExecutor {
    /// Runs work on this executor's thread, where no actor lives yet: loading.
    func perform<Result: Sendable>(_ work: @Sendable () throws -> Result) async throws -> Result {
        try await Guest(of: self).perform(work)
    }

    private actor Guest {
        private nonisolated let executor: TurnExecutor
        nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

        init(of executor: TurnExecutor) { self.executor = executor }

        func perform<Result: Sendable>(_ work: @Sendable () throws -> Result) throws -> Result { try work() }
    }
}

/// The two lines and the thread's loop over them. Every field is read and written under `condition` only.
@safe private final class Lines: @unchecked Sendable {
    private let condition = NSCondition()
    /// A job holds its executor until it has run, so that the last reference to an actor may go inside of it.
    private var jobs: [(job: UnownedJob, executor: TurnExecutor)] = []
    private var turns: [UnsafeContinuation<Void, Never>] = unsafe []
    private var isClosed = false

    init() {
        jobs.reserveCapacity(64)
        unsafe turns.reserveCapacity(64)
    }

    func add(_ job: UnownedJob, of executor: TurnExecutor) {
        condition.lock()
        jobs.append((job, executor))
        condition.signal()
        condition.unlock()
    }

    func add(_ turn: UnsafeContinuation<Void, Never>) {
        condition.lock()
        unsafe turns.append(turn)
        condition.signal()
        condition.unlock()
    }

    func close() {
        condition.lock()
        isClosed = true
        condition.signal()
        condition.unlock()
    }

    /// The thread: jobs first, then the next turn, whose task comes back as a job.
    func serve() {
        while step() {}
    }

    private func step() -> Bool {
        condition.lock()
        while unsafe jobs.isEmpty && turns.isEmpty && !isClosed { condition.wait() }
        if !jobs.isEmpty {
            let (job, executor) = jobs.removeFirst()
            condition.unlock()
            unsafe job.runSynchronously(
                isolatedTo: executor.asUnownedSerialExecutor(), taskExecutor: executor.asUnownedTaskExecutor())
            return true
        }
        if unsafe !turns.isEmpty {
            let turn = unsafe turns.removeFirst()
            condition.unlock()
            unsafe turn.resume()
            return true
        }
        condition.unlock()
        return false
    }
}
