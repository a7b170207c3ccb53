/// Why a list of pieces is no vocabulary.
package enum VocabularyError: Error, Equatable, CustomStringConvertible {
    case empty
    case tooLarge(count: Int)
    case kindsMiscounted(kinds: Int, pieces: Int)
    case scoresMiscounted(scores: Int, pieces: Int)
    case specialOutside(role: String, token: Token, pieces: Int)

    package var description: String {
        switch self {
        case .empty:
            "The vocabulary has no pieces. Use a model file that contains its tokenizer."
        case .tooLarge(let count):
            "The vocabulary has \(count) pieces; at most \(Token.max) can be numbered. Check the model file."
        case .kindsMiscounted(let kinds, let pieces):
            "The vocabulary has \(kinds) token types for \(pieces) pieces; there must be one for each. Check the model file."
        case .scoresMiscounted(let scores, let pieces):
            "The vocabulary has \(scores) scores for \(pieces) pieces; there must be one for each. Check the model file."
        case .specialOutside(let role, let token, let pieces):
            "The \(role) token is \(token), but the vocabulary's \(pieces) pieces end at \(pieces - 1). Check the model file."
        }
    }
}
