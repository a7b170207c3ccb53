public import Foundation

/// What is wrong with a chat request. Errors of the model itself come through unchanged.
public enum ChatError: Error, Hashable, LocalizedError {
    case badSetting(name: String, value: String)
    case noMessages
    /// There is nothing to answer: the last message is not the user's.
    case nothingToAnswer(last: ChatRole)
    /// The model replaced text that was streamed already, which pieces cannot express.
    case textWasReplaced
    /// The framework's option has no counterpart in ``LanguageModelConfiguration``.
    case unsupportedOption(name: String, model: String)

    public var errorDescription: String? {
        switch self {
        case .badSetting(let name, let value):
            "The setting \(name) is \(value). "
                + "Temperatures are 0 or more, topP is above 0 and at most 1, maxTokens is 1 or more, and stop texts are not empty."
        case .noMessages:
            "The conversation is empty. Add a user message."
        case .nothingToAnswer(let last):
            "The last message is the \(last.rawValue)'s, so there is nothing to answer. End the conversation with a user message."
        case .textWasReplaced:
            "The model corrected text that had been streamed already. Ask for the whole response with generateResponse."
        case .unsupportedOption(let name, let model):
            "The chat model '\(model)' has no setting for \(name). Leave it out of the generation options."
        }
    }
}
