// The same text, "Error handling" and "Plan limits and upsell". Each `throw` there stands in a function here.
import Foundation
import FoundationModels

enum SkillErrors {
    static let all: [@Sendable (_ offendingEntries: [Transcript.Entry]) throws -> Void] = [
        { _ in
            throw LanguageModelError.contextSizeExceeded(
                LanguageModelError.ContextSizeExceeded(
                    contextSize: 200_000,
                    tokenCount: 220_000,
                    debugDescription: "Prompt exceeds context window"
                )
            )
        },
        { _ in
            throw LanguageModelError.rateLimited(
                LanguageModelError.RateLimited(
                    resetDate: Date().addingTimeInterval(60),
                    debugDescription: "HTTP 429"
                )
            )
        },
        { _ in
            throw LanguageModelError.guardrailViolation(
                LanguageModelError.GuardrailViolation(debugDescription: "Provider reported unsafe content")
            )
        },
        { _ in
            throw LanguageModelError.unsupportedCapability(
                LanguageModelError.UnsupportedCapability(
                    capability: .vision,
                    debugDescription: "Provider rejected an image segment mid-stream"
                )
            )
        },
        { offendingEntries in
            throw LanguageModelError.unsupportedTranscriptContent(
                LanguageModelError.UnsupportedTranscriptContent(
                    unsupportedContent: offendingEntries,
                    debugDescription: "Provider could not decode the supplied image data"
                )
            )
        },
        { _ in
            throw LanguageModelError.unsupportedGenerationGuide(
                LanguageModelError.UnsupportedGenerationGuide(
                    schemaName: "ItineraryDay",
                    debugDescription: "Regex anchors are not supported by this model"
                )
            )
        },
        { _ in
            throw LanguageModelError.unsupportedLanguageOrLocale(
                LanguageModelError.UnsupportedLanguageOrLocale(
                    languageCode: Locale.LanguageCode("xx"),
                    debugDescription: "Model does not support this language"
                )
            )
        },
        { _ in
            throw LanguageModelError.timeout(
                LanguageModelError.Timeout(debugDescription: "Request did not complete within configured timeout")
            )
        },
    ]
}

public enum MyServiceError: Error, LocalizedError {
    case planLimitReached(upgradeURL: URL?)

    public var errorDescription: String? {
        switch self {
        case .planLimitReached: "Your plan limit has been reached."
        }
    }
}
