import Foundation
import FoundationModels

/// What only this service says no to.
public enum LighthouseError: Error, Hashable, LocalizedError {
    case noModelName
    case planLimitReached(upgradeURL: URL?)
    case unknownCall(id: String)
    case service(code: String, message: String)

    public var errorDescription: String? {
        switch self {
        case .noModelName: "The model has no name. Give one of the service's names, such as 'beam-1'."
        case .planLimitReached(let url): "Your plan limit has been reached.\(url.map { " Upgrade at \($0)." } ?? "")"
        case .unknownCall(let id): "The service went on with the tool call '\(id)', which it had not begun."
        case .service(let code, let message): "The service ended with \(code): \(message)"
        }
    }

    /// The framework's case where there is one.
    static func error(code: String, message: String) -> any Error {
        switch code {
        case "429":
            LanguageModelError.rateLimited(.init(resetDate: nil, debugDescription: message, metadata: ["code": code]))
        case "context_length":
            LanguageModelError.contextSizeExceeded(
                .init(contextSize: 32_768, tokenCount: 32_769, debugDescription: message, metadata: ["code": code]))
        case "unsafe": LanguageModelError.guardrailViolation(.init(debugDescription: message, metadata: ["code": code]))
        case "declined":
            LanguageModelError.refusal(.init(explanation: message, debugDescription: message, metadata: ["code": code]))
        case "plan": LighthouseError.planLimitReached(upgradeURL: URL(string: "https://lighthouse.example/plans"))
        default: LighthouseError.service(code: code, message: message)
        }
    }
}
