import HearthTokens

/// Tokens to bytes, one at a time: what batch decoding and streaming share.
struct PieceDecoder: Sendable {
    private let vocabulary: Vocabulary
    private let skipsControl: Bool
    /// The space that encoding put before the text is still to be dropped.
    private var dropsSpace: Bool

    init(_ tokenizer: Tokenizer, skippingControl: Bool, isContinuation: Bool = false) {
        vocabulary = tokenizer.vocabulary
        skipsControl = skippingControl
        dropsSpace = tokenizer.addsSpacePrefix && !isContinuation
    }

    mutating func append(_ token: Token, to output: inout [UInt8]) {
        let kind = vocabulary.kind(of: token)
        if kind == .control || kind == .unknown {
            if !skipsControl { vocabulary.append(token, to: &output) }
            return
        }
        let before = output.count
        vocabulary.append(token, to: &output)
        guard dropsSpace, output.count > before else { return }
        dropsSpace = false
        if output[before] == 0x20 { output.remove(at: before) }
    }
}
