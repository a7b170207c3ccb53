/// What a piece is for. Raw values are GGUF's (`tokenizer.ggml.token_type`).
package enum TokenKind: UInt8, Sendable, CaseIterable {
    case normal = 1
    /// Stands for text that no piece spells.
    case unknown = 2
    /// Written by templates only, such as `<|im_end|>`; never the result of what a user typed.
    case control = 3
    /// Added to the vocabulary after training: matched as a whole, before any merge.
    case userDefined = 4
    case unused = 5
    /// One byte, spelled `<0xE2>`: the way out for text without a piece.
    case byte = 6
}
