import Foundation

extension LanguageModelError {
    /// What a person is told. The payload's `debugDescription` is for developers.
    var words: String {
        switch self {
        case .contextSizeExceeded(let payload):
            "Content contains \(payload.tokenCount) tokens, which exceeds the maximum allowed context size of "
                + "\(payload.contextSize)."
        case .rateLimited(let payload):
            if let date = payload.resetDate {
                "The model takes no more requests until \(date.formatted(.iso8601))."
            } else {
                "The model takes no more requests for now. Try again later."
            }
        case .guardrailViolation:
            "The prompt or the answer was stopped as unsafe."
        case .refusal(let payload):
            "The model declined to answer: \(payload.text)"
        case .unsupportedCapability(let payload):
            "The model does not support \(payload.capability.name). \(payload.debugDescription)"
        case .unsupportedTranscriptContent(let payload):
            "The model cannot read a part of the transcript. \(payload.debugDescription)"
        case .unsupportedGenerationGuide(let payload):
            "The model cannot obey \(payload.schemaName.map { "the schema '\($0)'" } ?? "the schema"). "
                + payload.debugDescription
        case .unsupportedLanguageOrLocale(let payload):
            "The model does not support the language '\(payload.languageCode.identifier)'."
        case .timeout:
            "The answer did not come in time."
        }
    }
}
