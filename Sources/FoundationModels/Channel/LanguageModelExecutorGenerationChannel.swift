/// The way from an executor to its session: events go in, the session reads them in order.
///
/// `send` waits while the reader is behind, so an executor cannot run ahead of its session by more than a few events.
/// Nothing has to be closed by the executor: the session finishes the channel when `respond` returns or throws.
public struct LanguageModelExecutorGenerationChannel: AsyncSequence, Sendable {
    public typealias Element = LanguageModelExecutorGenerationChannel.Event

    package let storage = ChannelStorage()

    public init() {}

    /// Hands an event to the session.
    ///
    /// Returns once the reader has room for more, at once when the calling task is cancelled, and does nothing after
    /// the channel was finished. Never throws.
    public nonisolated(nonsending) func send(_ event: LanguageModelExecutorGenerationChannel.Event) async {
        await storage.send(event)
    }

    public func makeAsyncIterator() -> LanguageModelExecutorGenerationChannel.AsyncIterator {
        AsyncIterator(storage: storage)
    }

    /// Reads the events. Ends when the channel is finished or when the reading task is cancelled.
    public struct AsyncIterator: AsyncIteratorProtocol {
        let storage: ChannelStorage

        public mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws -> LanguageModelExecutorGenerationChannel.Event? {
            try await storage.next(isolation: actor)
        }
    }

    /// Ends the sequence; the session and hand-driven tests call this.
    package func finish(throwing error: (any Error)? = nil) {
        storage.finish(throwing: error)
    }
}
