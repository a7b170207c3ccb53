public import FoundationModels

extension LanguageModelExecutorGenerationChannel {
    /// Ends the channel, as a session does around `respond`. For tests that drive an executor by hand:
    ///
    ///     let channel = LanguageModelExecutorGenerationChannel()
    ///     async let answer: Void = executor.respond(to: request, model: model, streamingInto: channel)
    ///     ...
    ///     channel.finish()
    public func finish() {
        finish(throwing: nil)
    }

    /// Ends the channel with an error, which the reader gets after the events that were sent before.
    public func fail(_ error: any Error) {
        finish(throwing: error)
    }
}
