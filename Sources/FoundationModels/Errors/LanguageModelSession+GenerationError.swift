public import Foundation

extension LanguageModelSession {
    /// The errors of the 26 SDK. Nothing throws them any more; they exist so that `catch` clauses compile.
    @available(*, deprecated, message: "Catch LanguageModelError and LanguageModelSession.Error instead.")
    public enum GenerationError: Swift.Error, LocalizedError {
        case exceededContextWindowSize(LanguageModelSession.GenerationError.Context)
        case assetsUnavailable(LanguageModelSession.GenerationError.Context)
        case guardrailViolation(LanguageModelSession.GenerationError.Context)
        case unsupportedGuide(LanguageModelSession.GenerationError.Context)
        case unsupportedLanguageOrLocale(LanguageModelSession.GenerationError.Context)
        case decodingFailure(LanguageModelSession.GenerationError.Context)
        case rateLimited(LanguageModelSession.GenerationError.Context)
        case concurrentRequests(LanguageModelSession.GenerationError.Context)
        case refusal(
            LanguageModelSession.GenerationError.Refusal, LanguageModelSession.GenerationError.Context)

        public struct Context: Sendable {
            public let debugDescription: String

            public init(debugDescription: String) {
                self.debugDescription = debugDescription
            }
        }

        public struct Refusal: Sendable {
            private let text: String

            public init(transcriptEntries: [Transcript.Entry]) {
                text = transcriptEntries.responseText
            }

            public nonisolated(nonsending) var explanation: LanguageModelSession.Response<String> {
                get async throws { LanguageModelSession.Response(text: text) }
            }

            public var explanationStream: LanguageModelSession.ResponseStream<String> {
                LanguageModelSession.ResponseStream(text: text)
            }
        }

        public var errorDescription: String? { context.debugDescription }

        public var failureReason: String? { context.debugDescription }

        public var recoverySuggestion: String? {
            switch self {
            case .exceededContextWindowSize: "Shorten the transcript and try again."
            case .concurrentRequests: "Wait for the running request, or use a second session."
            case .rateLimited: "Try again later."
            case .assetsUnavailable: "Use another model."
            case .guardrailViolation, .unsupportedGuide, .unsupportedLanguageOrLocale, .decodingFailure, .refusal:
                "Change the request."
            }
        }

        private var context: Context {
            switch self {
            case .exceededContextWindowSize(let context), .assetsUnavailable(let context),
                .guardrailViolation(let context), .unsupportedGuide(let context),
                .unsupportedLanguageOrLocale(let context), .decodingFailure(let context),
                .rateLimited(let context), .concurrentRequests(let context), .refusal(_, let context):
                context
            }
        }
    }
}
