public import FoundationModels
public import FoundationModelsExtras
import HearthLocks

/// A channel that keeps what is sent into it, to be read back: for tests of event translators and executors.
///
///     let sink = RecordingChannel()
///     await MyEventTranslator(channel: sink).translate(.textDelta("Hi"))
///     #expect(sink.events.count == 1)
///     if case .appendText(let fragment) = sink.events[0].content { #expect(fragment.content == "Hi") }
///
/// Code that wants a channel of the framework's own type runs inside ``record(_:)``.
public final class RecordingChannel: Sendable {
    public typealias Event = LanguageModelExecutorGenerationChannel.Event

    private let kept = Locked<[Event]>([])

    public init() {}

    /// Everything that was sent so far, in order.
    public var events: [Event] { kept.withLock { $0 } }

    /// What the events do, in order.
    public var contents: [EventContent] { events.map(\.content) }

    /// Keeps an event, as a session would take it.
    public func send(_ event: Event) async {
        kept.withLock { $0.append(event) }
    }

    /// Runs `body` with a channel whose events are kept, until it returns or throws.
    ///
    ///     try await sink.record { channel in
    ///         try await executor.respond(to: request, model: model, streamingInto: channel)
    ///     }
    public func record(
        _ body: @escaping @Sendable (LanguageModelExecutorGenerationChannel) async throws -> Void
    ) async throws {
        let channel = LanguageModelExecutorGenerationChannel()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                do {
                    try await body(channel)
                    channel.finish()
                } catch {
                    channel.fail(error)
                }
            }
            for try await event in channel { await send(event) }
            // The reading also ends when this task is cancelled; nothing then waits in the channel.
            channel.finish()
            try await group.waitForAll()
        }
        try Task.checkCancellation()
    }
}
