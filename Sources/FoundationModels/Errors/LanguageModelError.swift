public import Foundation

/// What can go wrong with any model. A model throws these; a session passes them on as they are.
public enum LanguageModelError: LocalizedError, CustomDebugStringConvertible {
    /// Instructions, history and prompt do not fit the model's context. Shorten the transcript and try again.
    case contextSizeExceeded(LanguageModelError.ContextSizeExceeded)
    /// The model takes no more requests for now.
    case rateLimited(LanguageModelError.RateLimited)
    /// A safety system stopped the prompt or the answer.
    case guardrailViolation(LanguageModelError.GuardrailViolation)
    /// The model declined to answer.
    case refusal(LanguageModelError.Refusal)
    /// The request needs something that the model cannot do.
    case unsupportedCapability(LanguageModelError.UnsupportedCapability)
    /// The transcript holds something that the model cannot read.
    case unsupportedTranscriptContent(LanguageModelError.UnsupportedTranscriptContent)
    /// The schema holds a guide that the model cannot obey.
    case unsupportedGenerationGuide(LanguageModelError.UnsupportedGenerationGuide)
    /// The model does not speak the language.
    case unsupportedLanguageOrLocale(LanguageModelError.UnsupportedLanguageOrLocale)
    /// The answer did not come in time.
    case timeout(LanguageModelError.Timeout)

    public var errorDescription: String? { words }

    public var debugDescription: String {
        switch self {
        case .contextSizeExceeded(let payload): payload.debugDescription
        case .rateLimited(let payload): payload.debugDescription
        case .guardrailViolation(let payload): payload.debugDescription
        case .refusal(let payload): payload.debugDescription
        case .unsupportedCapability(let payload): payload.debugDescription
        case .unsupportedTranscriptContent(let payload): payload.debugDescription
        case .unsupportedGenerationGuide(let payload): payload.debugDescription
        case .unsupportedLanguageOrLocale(let payload): payload.debugDescription
        case .timeout(let payload): payload.debugDescription
        }
    }
}
