import HearthLocks

/// The queue behind a channel: events in order, one reader or more, senders that wait for room.
package final class ChannelStorage: Sendable {
    /// How far senders may run ahead. A few events hide the switch between two tasks; more would only delay
    /// cancellation and make snapshots stale.
    static let capacity = 4

    private enum End {
        case open
        case finished((any Error)?)
    }

    private struct State {
        var events: [LanguageModelExecutorGenerationChannel.Event] = []
        /// Events before this index were read; the array is compacted when it is empty.
        var head = 0
        var readers: [(id: Int, wake: CheckedContinuation<Void, Never>)] = []
        var senders: [(id: Int, wake: CheckedContinuation<Void, Never>)] = []
        var nextID = 0
        var end = End.open

        var count: Int { events.count - head }

        mutating func takeFirst() -> LanguageModelExecutorGenerationChannel.Event {
            let event = events[head]
            head += 1
            if head == events.count {
                events.removeAll(keepingCapacity: true)
                head = 0
            }
            return event
        }
    }

    private let state = Locked(State())

    package nonisolated(nonsending) func send(_ event: LanguageModelExecutorGenerationChannel.Event) async {
        // The event is queued whatever happens, so that a cancelled sender loses nothing that was said before.
        let (reader, ticket): (CheckedContinuation<Void, Never>?, Int?) = state.withLock { state in
            guard case .open = state.end else { return (nil, nil) }
            state.events.append(event)
            let reader = state.readers.isEmpty ? nil : state.readers.removeFirst().wake
            guard state.count > Self.capacity else { return (reader, nil) }
            state.nextID += 1
            return (reader, state.nextID)
        }
        reader?.resume()
        guard let ticket else { return }
        await wait(ticket, \.senders) { $0.count > Self.capacity }
    }

    package func next(
        isolation actor: isolated (any Actor)?
    ) async throws -> LanguageModelExecutorGenerationChannel.Event? {
        while true {
            if Task.isCancelled { return nil }
            enum Step {
                case event(LanguageModelExecutorGenerationChannel.Event, CheckedContinuation<Void, Never>?)
                case end((any Error)?)
                case wait(Int)
            }
            let step: Step = state.withLock { state in
                if state.count > 0 {
                    let event = state.takeFirst()
                    let hasRoom = state.count <= Self.capacity
                    let sender = hasRoom && !state.senders.isEmpty ? state.senders.removeFirst().wake : nil
                    return .event(event, sender)
                }
                if case .finished(let error) = state.end { return .end(error) }
                state.nextID += 1
                return .wait(state.nextID)
            }
            switch step {
            case .event(let event, let sender):
                sender?.resume()
                return event
            case .end(let error):
                if let error { throw error }
                return nil
            case .wait(let ticket):
                await wait(ticket, \.readers) { $0.count == 0 }
            }
        }
    }

    package func finish(throwing error: (any Error)?) {
        let waiting = state.withLock { state in
            guard case .open = state.end else { return [CheckedContinuation<Void, Never>]() }
            state.end = .finished(error)
            let waiting = state.readers.map(\.wake) + state.senders.map(\.wake)
            state.readers = []
            state.senders = []
            return waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Waits in a list until somebody takes the continuation out of it, the task is cancelled, or the condition has
    /// already passed.
    private nonisolated(nonsending) func wait(
        _ ticket: Int,
        _ list: WritableKeyPath<State, [(id: Int, wake: CheckedContinuation<Void, Never>)]> & Sendable,
        while condition: @Sendable (borrowing State) -> Bool
    ) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    guard case .open = state.end, !Task.isCancelled, condition(state) else { return true }
                    state[keyPath: list].append((ticket, continuation))
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            let continuation = state.withLock { state -> CheckedContinuation<Void, Never>? in
                guard let index = state[keyPath: list].firstIndex(where: { $0.id == ticket }) else { return nil }
                return state[keyPath: list].remove(at: index).wake
            }
            continuation?.resume()
        }
    }
}
