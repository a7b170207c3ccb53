import HearthLocks

/// One answer on its way from the task that makes it to whoever waits for it.
///
/// Snapshots are cumulative. A reader gets each of them, and the maker waits for a reader that has fallen behind; with
/// nobody reading, the newest takes the place of the last one once the queue is full, so that an answer that is never
/// read ends all the same.
final class ResponseRun: Sendable {
    /// Everything so far.
    struct Progress: Sendable {
        let text: String
        let isGuided: Bool
        let entries: ArraySlice<Transcript.Entry>
        let usage: LanguageModelSession.Usage
    }

    /// How many snapshots may wait. Enough to hide the reader's pauses; small beside the answer they repeat.
    private static let capacity = 64

    private struct State {
        var queue: [Progress] = []
        var head = 0
        var result: Result<Progress, any Error>?
        var readers = 0
        var waiting: [CheckedContinuation<Void, Never>] = []
        var task: Task<Void, Never>?
        var isCancelled = false
        /// The stream and its iterators are gone.
        var isAbandoned = false

        var count: Int { queue.count - head }

        mutating func wakeAll() -> [CheckedContinuation<Void, Never>] {
            defer { waiting = [] }
            return waiting
        }
    }

    let wantsSnapshots: Bool
    private let state = Locked(State())

    init(wantsSnapshots: Bool) {
        self.wantsSnapshots = wantsSnapshots
    }

    var isAbandoned: Bool { state.withLock { $0.isAbandoned } }

    /// Begins to make the answer.
    func start(_ work: @escaping @Sendable () async throws -> Progress) {
        let task = Task {
            do {
                let progress = try await work()
                finish(.success(progress))
            } catch {
                finish(.failure(error))
            }
        }
        let isCancelled = state.withLock { state in
            state.task = task
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
    }

    func finish(_ result: Result<Progress, any Error>) {
        wake { $0.result = result }
    }

    func cancel() {
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        task?.cancel()
    }

    /// Nobody can read the answer any more: it ends where it is.
    func abandon() {
        let isOver = state.withLock { state in
            if state.result != nil { return true }
            state.isAbandoned = true
            return false
        }
        if !isOver { cancel() }
    }

    func addReader() {
        wake { $0.readers += 1 }
    }

    func removeReader() {
        wake { $0.readers -= 1 }
    }

    /// Hands over a snapshot; waits while a reader is behind.
    func report(_ progress: Progress) async {
        let isFull = wake { state in
            if state.count >= Self.capacity, state.readers == 0 {
                state.queue[state.queue.count - 1] = progress
            } else {
                state.queue.append(progress)
            }
            return state.count >= Self.capacity && state.readers > 0
        }
        if isFull { await wait { $0.count >= Self.capacity && $0.readers > 0 } }
    }

    /// The next snapshot; nil after the last. Cancelling the reading task cancels the answer.
    func next(isolation actor: isolated (any Actor)?) async throws -> Progress? {
        while true {
            if Task.isCancelled { try await stop(isolation: actor) }
            enum Step {
                case progress(Progress)
                case over(Result<Progress, any Error>)
                case wait
            }
            let step: Step = wake { state in
                if state.count > 0 {
                    let progress = state.queue[state.head]
                    state.head += 1
                    if state.head == state.queue.count {
                        state.queue.removeAll(keepingCapacity: true)
                        state.head = 0
                    }
                    return .progress(progress)
                }
                if let result = state.result { return .over(result) }
                return .wait
            }
            switch step {
            case .progress(let progress): return progress
            case .over(let result):
                _ = try result.get()
                return nil
            case .wait: await waitCancelling { $0.count == 0 && $0.result == nil }
            }
        }
    }

    /// Ends the answer for a reader whose task was cancelled, and waits until the session is free again.
    private func stop(isolation actor: isolated (any Actor)?) async throws -> Never {
        cancel()
        while state.withLock({ $0.result == nil }) {
            // Room for a maker that is about to hand over a snapshot.
            wake { state in
                state.queue = []
                state.head = 0
            }
            await wait { $0.result == nil && $0.count == 0 }
        }
        throw CancellationError()
    }

    /// The whole answer. Cancelling the waiting task cancels it.
    nonisolated(nonsending) func result() async throws -> Progress {
        while true {
            if let result = state.withLock({ $0.result }) { return try result.get() }
            await waitCancelling { $0.result == nil }
        }
    }

    private nonisolated(nonsending) func waitCancelling(while condition: (borrowing State) -> Bool) async {
        await withTaskCancellationHandler {
            await wait(while: condition)
        } onCancel: {
            cancel()
        }
    }

    /// Waits until something changes, unless the condition has passed already. The maker always ends, so that a waiter
    /// needs no way out of its own.
    private nonisolated(nonsending) func wait(while condition: (borrowing State) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                guard condition(state) else { return true }
                state.waiting.append(continuation)
                return false
            }
            if isOver { continuation.resume() }
        }
    }

    /// Changes the state and lets every waiter look again.
    @discardableResult
    private func wake<Value: Sendable>(_ change: (inout State) -> Value) -> Value {
        let (value, waiting) = state.withLock { state in (change(&state), state.wakeAll()) }
        for continuation in waiting { continuation.resume() }
        return value
    }
}
