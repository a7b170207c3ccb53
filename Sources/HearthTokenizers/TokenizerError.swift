package import HearthTokens

/// Why a tokenizer cannot be made, or a text not be encoded.
package enum TokenizerError: Error, Equatable {
    case unknownModel(String, known: [String])
    case unknownPreTokenizer(String, known: [String])
    case missing(key: String)
    case unusable(key: String, value: String, expected: String)
    case merge(index: Int, text: String)
    case vocabulary(VocabularyError)
    case noPiece(byte: UInt8, offset: Int)
    case textTooLong(bytes: Int, limit: Int)
}

extension TokenizerError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unknownModel(let name, let known):
            "The tokenizer model `\(name)` is unknown; known are \(list(known)). Convert the model anew, or use another file."
        case .unknownPreTokenizer(let name, let known):
            "The pre-tokenizer `\(name)` is unknown, and guessing would change the model's input; known are \(list(known)). "
                + "Use a file whose `tokenizer.ggml.pre` is one of these."
        case .missing(let key):
            "The model file has no `\(key)`, which its tokenizer needs. Convert the model anew, or use another file."
        case .unusable(let key, let value, let expected):
            "`\(key)` is \(value); \(expected). Check the model file."
        case .merge(let index, let text):
            "Merge \(index) of `tokenizer.ggml.merges` is `\(text)`; it must be two pieces with a space between them. "
                + "Check the model file."
        case .vocabulary(let error):
            error.description
        case .noPiece(let byte, let offset):
            "No piece of the vocabulary stands for the byte 0x\(hex(byte)) at offset \(offset) of the text, and there is no "
                + "unknown token. Leave that text out, or use another model."
        case .textTooLong(let bytes, let limit):
            "The text has \(bytes) bytes; at most \(limit) can be encoded at once. Give it in parts."
        }
    }

    private func list(_ names: [String]) -> String { names.map { "`\($0)`" }.joined(separator: ", ") }

    private func hex(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return digits.count < 2 ? "0" + digits : digits
    }
}
