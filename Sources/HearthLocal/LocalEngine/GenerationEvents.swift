import HearthLocks

/// The events of one reply, to be read once, in order.
///
/// ```swift
/// for try await event in engine.generate(request) { ... }
/// ```
///
/// Nothing is lost: events wait until they are read. Where the reading task is cancelled, generation stops within one token
/// or one chunk of the prompt and the last event says so; where the sequence and its iterator are gone, it stops as well.
package struct GenerationEvents: AsyncSequence, Sendable {
    package typealias Element = GenerationEvent

    private let reader: Reader

    /// Starts `produce` in a task of its own.
    init(_ produce: @escaping @Sendable (_ send: @escaping @Sendable (GenerationEvent) -> Void) async throws -> Void) {
        let queue = EventQueue()
        let task = Task {
            do {
                try await produce { queue.send($0) }
                queue.finish(nil)
            } catch {
                queue.finish(error)
            }
        }
        reader = Reader(queue: queue, task: task)
    }

    /// Stops generation; the events that are still to come end with `finished` and the reason `cancelled`.
    package func cancel() { reader.task.cancel() }

    /// Whether generation was told to stop: by `cancel`, or because the reading task was cancelled.
    package var isCancelled: Bool { reader.task.isCancelled }

    package func makeAsyncIterator() -> Iterator { Iterator(reader: reader) }

    package struct Iterator: AsyncIteratorProtocol {
        fileprivate let reader: Reader

        package mutating func next() async throws -> GenerationEvent? { try await reader.next() }
    }

    /// What sequence and iterators hold together; when it goes, nobody is left to read.
    fileprivate final class Reader: Sendable {
        let queue: EventQueue
        let task: Task<Void, Never>

        init(queue: EventQueue, task: Task<Void, Never>) {
            self.queue = queue
            self.task = task
        }

        deinit { task.cancel() }

        func next() async throws -> GenerationEvent? {
            // Reading goes on after a cancel: the producer ends soon, and its last event has the counts.
            try await withTaskCancellationHandler {
                try await queue.next()
            } onCancel: {
                task.cancel()
            }
        }
    }
}

/// Events on their way from the thread that makes them to the task that reads them.
private final class EventQueue: Sendable {
    private struct State {
        var events: [GenerationEvent] = []
        /// Index of the next one to be read; the array is emptied when all are.
        var next = 0
        var waiting: CheckedContinuation<GenerationEvent?, any Error>?
        var isFinished = false
        var error: (any Error)?
    }

    private let state = Locked(State())

    func send(_ event: GenerationEvent) {
        let waiting = state.withLock { state -> CheckedContinuation<GenerationEvent?, any Error>? in
            guard let waiting = state.waiting else {
                state.events.append(event)
                return nil
            }
            state.waiting = nil
            return waiting
        }
        waiting?.resume(returning: event)
    }

    func finish(_ error: (any Error)?) {
        let waiting = state.withLock { state -> CheckedContinuation<GenerationEvent?, any Error>? in
            state.isFinished = true
            defer { state.waiting = nil }
            // A reader that waits has read everything: it gets the error. Otherwise the error waits behind the events.
            if state.waiting == nil { state.error = error }
            return state.waiting
        }
        guard let waiting else { return }
        if let error { waiting.resume(throwing: error) } else { waiting.resume(returning: nil) }
    }

    func next() async throws -> GenerationEvent? {
        try await withCheckedThrowingContinuation { continuation in
            let answer = state.withLock { state -> Result<GenerationEvent?, any Error>? in
                if state.next < state.events.count {
                    let event = state.events[state.next]
                    state.next += 1
                    if state.next == state.events.count {
                        state.events.removeAll(keepingCapacity: true)
                        state.next = 0
                    }
                    return .success(event)
                }
                if let error = state.error {
                    state.error = nil
                    return .failure(error)
                }
                if state.isFinished { return .success(nil) }
                precondition(state.waiting == nil, "the events of a reply have one reader")
                state.waiting = continuation
                return nil
            }
            if let answer { continuation.resume(with: answer) }
        }
    }
}
