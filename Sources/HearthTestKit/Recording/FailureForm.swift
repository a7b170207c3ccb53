import Foundation
import FoundationModels
import HearthJSON

/// Errors as a recording keeps them: the framework's by case and payload, others by type and words.
enum FailureForm {
    static func json(_ error: any Error) -> JSON {
        if error is CancellationError { return ["case": "cancelled"] }
        guard let error = error as? LanguageModelError else {
            if let known = error as? RecordedFailure { return other(known.type, known.message) }
            return other("\(type(of: error))", (error as? any LocalizedError)?.errorDescription ?? "\(error)")
        }
        var members: [(String, JSON?)] =
            switch error {
            case .contextSizeExceeded(let payload):
                [
                    ("case", "contextSizeExceeded"), ("contextSize", .integer(Int64(payload.contextSize))),
                    ("tokenCount", .integer(Int64(payload.tokenCount))),
                ]
            case .rateLimited(let payload):
                [
                    ("case", "rateLimited"),
                    ("resetDate", payload.resetDate.map { .number($0.timeIntervalSinceReferenceDate) }),
                ]
            case .guardrailViolation: [("case", "guardrailViolation")]
            case .refusal(let payload): [("case", "refusal"), ("explanation", .string(payload.text))]
            case .unsupportedCapability(let payload):
                [("case", "unsupportedCapability"), ("capability", .string(name(of: payload.capability)))]
            case .unsupportedTranscriptContent: [("case", "unsupportedTranscriptContent")]
            case .unsupportedGenerationGuide(let payload):
                [("case", "unsupportedGenerationGuide"), ("schema", payload.schemaName.map { .string($0) })]
            case .unsupportedLanguageOrLocale(let payload):
                [("case", "unsupportedLanguageOrLocale"), ("language", .string(payload.languageCode.identifier))]
            case .timeout: [("case", "timeout")]
            }
        members.append(("description", .string(error.debugDescription)))
        return RecordingWriter.object(members)
    }

    private static func other(_ type: String, _ message: String) -> JSON {
        ["case": "other", "type": .string(type), "description": .string(message)]
    }

    private static func name(of capability: LanguageModelCapabilities.Capability) -> String {
        CapabilityName.allCases.first { $0.capability == capability }?.rawValue ?? ""
    }

    /// The entries of ``LanguageModelError/UnsupportedTranscriptContent`` are not kept: they are the request's own.
    static func error(_ fields: RecordedFields) throws(RecordingError) -> any Error {
        let name = try fields.text("case")
        if name == "cancelled" { return CancellationError() }
        let description = try fields.text("description")
        switch name {
        case "contextSizeExceeded":
            return LanguageModelError.contextSizeExceeded(
                .init(
                    contextSize: try fields.whole("contextSize"), tokenCount: try fields.whole("tokenCount"),
                    debugDescription: description))
        case "rateLimited":
            let reset = fields.value["resetDate"]?.doubleValue.map { Date(timeIntervalSinceReferenceDate: $0) }
            return LanguageModelError.rateLimited(.init(resetDate: reset, debugDescription: description))
        case "guardrailViolation":
            return LanguageModelError.guardrailViolation(.init(debugDescription: description))
        case "refusal":
            return LanguageModelError.refusal(
                .init(explanation: try fields.text("explanation"), debugDescription: description))
        case "unsupportedCapability":
            let word = try fields.text("capability")
            guard let capability = CapabilityName(rawValue: word)?.capability else {
                throw .unknownWord(word: word, place: fields.place)
            }
            return LanguageModelError.unsupportedCapability(
                .init(capability: capability, debugDescription: description))
        case "unsupportedTranscriptContent":
            return LanguageModelError.unsupportedTranscriptContent(
                .init(unsupportedContent: [], debugDescription: description))
        case "unsupportedGenerationGuide":
            return LanguageModelError.unsupportedGenerationGuide(
                .init(schemaName: fields.value["schema"]?.stringValue, debugDescription: description))
        case "unsupportedLanguageOrLocale":
            return LanguageModelError.unsupportedLanguageOrLocale(
                .init(languageCode: Locale.LanguageCode(try fields.text("language")), debugDescription: description))
        case "timeout": return LanguageModelError.timeout(.init(debugDescription: description))
        case "other": return RecordedFailure(type: try fields.text("type"), message: description)
        default: throw .unknownWord(word: name, place: fields.place)
        }
    }
}
