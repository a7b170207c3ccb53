/// What runs requests for a ``LanguageModel``.
///
/// A session makes one executor per configuration, at the first `prewarm` or request that needs it, and lets go of it
/// when the session ends. An error thrown by `init(configuration:)` comes out of the request unchanged.
public protocol LanguageModelExecutor: Sendable {
    associatedtype Configuration: Hashable, Sendable
    associatedtype Model: LanguageModel

    init(configuration: Self.Configuration) throws

    /// Gets ready for a request that will likely begin with `transcript`. Does nothing unless implemented.
    ///
    /// The session calls this on a background task, and never has to: `respond` must work without it.
    func prewarm(model: Self.Model, transcript: Transcript)

    /// Answers a request by sending events into `channel`.
    ///
    /// The session closes the channel when this returns or throws. An error reaches the session's caller unchanged.
    nonisolated(nonsending) func respond(
        to request: LanguageModelExecutorGenerationRequest,
        model: Self.Model,
        streamingInto channel: LanguageModelExecutorGenerationChannel
    ) async throws
}

extension LanguageModelExecutor {
    public func prewarm(model: Self.Model, transcript: Transcript) {}
}
