package import FoundationModels

/// What in a request a local model refuses, before it generates anything. The words are in
/// `RefusedLocalRequest+Words.swift`.
package enum RefusedLocalRequest: Error, Sendable {
    case tools([String])
    case schema(String)
    case reasoningLevel
    case image(Transcript.Entry, label: String?)
    case data(Transcript.Entry, type: String)
    case toolEntry(Transcript.Entry)
    case noPrompt
    case responseTokens(Int)
    case topK(Int)
    case notANumber(option: String, value: Double)
}

extension RefusedLocalRequest {
    /// As the framework says it; an option outside of its range is a local model's own error.
    var languageModelError: any Error {
        switch self {
        case .tools: unsupported(.toolCalling)
        case .schema: unsupported(.guidedGeneration)
        case .reasoningLevel: unsupported(.reasoning)
        case .image: unsupported(.vision)
        case .data(let entry, _), .toolEntry(let entry):
            LanguageModelError.unsupportedTranscriptContent(
                .init(unsupportedContent: [entry], debugDescription: description))
        case .noPrompt:
            LanguageModelError.unsupportedTranscriptContent(
                .init(unsupportedContent: [], debugDescription: description))
        case .responseTokens, .topK, .notANumber: LocalLanguageModelError.invalidOption(.init(self))
        }
    }

    private func unsupported(_ capability: LanguageModelCapabilities.Capability) -> LanguageModelError {
        .unsupportedCapability(.init(capability: capability, debugDescription: description))
    }
}
