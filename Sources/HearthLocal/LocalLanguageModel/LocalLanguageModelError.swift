public import Foundation

/// What only a model on this machine can meet. What any model can meet is a `LanguageModelError`.
public enum LocalLanguageModelError: LocalizedError, CustomDebugStringConvertible {
    /// There is no such model in the store, or no such file.
    case modelNotFound(LocalLanguageModelError.Context)
    /// The file cannot be read, or holds a model that this version does not compute.
    case unusableModel(LocalLanguageModelError.Context)
    /// The weights take more memory than this process can have: the machine's, or its control group's.
    case notEnoughMemory(LocalLanguageModelError.Context)
    /// An option is outside of its range.
    case invalidOption(LocalLanguageModelError.Context)
    /// The model's template cannot write the conversation.
    case unwritablePrompt(LocalLanguageModelError.Context)
    /// The model's numbers came to nothing: a damaged file, most likely.
    case generationFailed(LocalLanguageModelError.Context)

    /// What happened, where, and what to do; and the error it comes from.
    public struct Context: Sendable {
        public let debugDescription: String
        public let underlyingError: any Error

        package init(_ error: any Error) {
            debugDescription = "\(error)"
            underlyingError = error
        }
    }

    public var errorDescription: String? { context.debugDescription }

    public var debugDescription: String { context.debugDescription }

    package var context: Context {
        switch self {
        case .modelNotFound(let context), .unusableModel(let context), .notEnoughMemory(let context), .invalidOption(let context),
            .unwritablePrompt(let context), .generationFailed(let context):
            context
        }
    }
}
