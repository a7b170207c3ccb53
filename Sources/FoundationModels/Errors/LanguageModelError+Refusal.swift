extension LanguageModelError {
    /// The model's own words for why it declined.
    public struct Refusal: Sendable {
        public var debugDescription: String
        public var metadata: [String: any Sendable]
        package let text: String

        public init(explanation: String, debugDescription: String, metadata: [String: any Sendable] = [:]) {
            text = explanation
            self.debugDescription = debugDescription
            self.metadata = metadata
        }

        /// The explanation as a response. It was given with the error: nothing is generated for it.
        public nonisolated(nonsending) var explanation: LanguageModelSession.Response<String> {
            get async throws { LanguageModelSession.Response(text: text) }
        }

        /// The explanation as a stream of one snapshot.
        public var explanationStream: LanguageModelSession.ResponseStream<String> {
            LanguageModelSession.ResponseStream(text: text)
        }
    }
}
