import Foundation

extension LocalEngineError: CustomStringConvertible, LocalizedError {
    package var errorDescription: String? { description }

    /// What happened, where, and what to do.
    package var description: String {
        switch self {
        case .noTemplate(let model):
            "The model `\(model)` has no chat template (`tokenizer.chat_template`): it continues text and does not answer "
                + "messages. Give it raw text, or use an instruction-tuned model."
        case .emptyStop: "A stop sequence is empty; it would end every reply at once. Leave it out."
        case .emptyPrompt: "The prompt has no tokens: there is nothing to go on from. Give it some text."
        }
    }
}
