import Foundation
import HearthLocal
import HearthTokenizers
import HearthTokens
import HearthWeights

/// The tokenizer of a model file, for the verbs that need no weights.
struct ModelTokenizer {
    let tokenizer: Tokenizer

    init(_ file: URL) throws {
        tokenizer = try Tokenizer(TokenizerFacts(metadata: try Checkpoint.open(file).metadata))
    }

    /// A text as such: control tokens in it are text, the beginning token stands before it where the model wants one.
    func text(_ bytes: [UInt8]) throws(TokenizerError) -> [Token] {
        try tokenizer.encode(prompt: [(bytes: bytes, isData: true)], addBOS: true)
    }
}
