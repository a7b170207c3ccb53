import Foundation

extension EmbeddingError: CustomStringConvertible, LocalizedError {
    package var errorDescription: String? { description }

    /// What happened, where, and what to do.
    package var description: String {
        switch self {
        case .textTooLong(let index, let tokens, let limit):
            "Text \(index + 1) has \(tokens) tokens; \(limit) fit, those around the text included. Split it, or allow "
                + "truncation, which leaves the end out."
        case .badDimensions(let asked, let most):
            "\(asked) dimensions were asked for; the model's vectors have \(most). Ask for 1 to \(most)."
        case .noPooling(let model):
            "The model `\(model)` does not say how the states of its tokens become one vector (`pooling_type` is 0). Name a "
                + "pooling: mean, first or last token."
        case .differentLengths(let first, let second):
            "One vector has \(first) values and the other \(second). Compare vectors of one model, cut to the same length."
        }
    }
}
