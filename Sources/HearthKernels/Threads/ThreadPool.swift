
/// The process's workers: a step is a number of chunks, of which each worker has a share; whoever is through takes from others'.
///
/// Worker 0 is the thread that calls `run`. A share is a run of neighbours, so that a worker reads memory from one end to the
/// other: two threads that took chunks of 64 KB in turn were measured to read at 38 GB/s where halves gave 58, since each jump
/// begins anew what the processor had learnt to fetch. Workers spin for some tens of microseconds when nothing is left, and then
/// sleep on a condition. `run` returns when every chunk is done, so a worker that was descheduled between chunks holds nothing
/// and delays nobody. A run allocates nothing.
///
/// Results must not depend on which worker takes which chunk: the worker's number is for scratch memory only.
/// Runs of several threads take turns. A body must not call `run`.
package final class ThreadPool: Sendable {
    /// What a step does for one chunk: `(context, chunk, worker)`. A C function, so that it captures nothing.
    package typealias Body = @convention(c) (UnsafeRawPointer, Int, Int) -> Void

    /// The pool of the process.
    package static let shared = ThreadPool()

    /// More workers than any machine this runs on has cores: bounds the memory of scratch per worker.
    package static let mostWorkers = 256

    /// How long a worker looks for work before it sleeps: longer than the gap between two steps of a forward pass
    /// (a few microseconds of the caller's own work), shorter than what a wake-up costs a busy machine to notice.
    static let spinNanoseconds: UInt64 = 50_000

    private let state = PoolState()

    package init() {}

    deinit { state.stop() }

    /// Starts threads until `workers` (with the caller) can join a run. Returns how many can: fewer where the system
    /// refuses another thread.
    @discardableResult
    package func reserve(workers: Int) -> Int { state.reserve(workers: min(workers, Self.mostWorkers)) }

    /// Runs that were shared out among workers; those of one chunk are the caller's own and are not counted.
    package var runCount: Int { state.runCount }

    /// Runs `body(context, chunk, worker)` for each chunk in `0..<chunks` on at most `workers` workers, the caller among
    /// them, and returns when all are done.
    package func run(chunks: Int, workers: Int, context: UnsafeRawPointer, body: Body) {
        guard chunks > 1, workers > 1, chunks <= WorkShare.mostChunks else {
            for chunk in 0..<max(chunks, 0) { unsafe body(context, chunk, 0) }
            return
        }
        unsafe state.run(chunks: chunks, workers: min(workers, Self.mostWorkers), context: context, body: body)
    }
}
