import HearthTokens

/// Tokens to bytes, one at a time: what batch decoding and streaming share.
struct PieceDecoder: Sendable {
    private let vocabulary: Vocabulary
    private let skipsControl: Bool
    /// The space before the first piece is still to be dropped.
    private var dropsSpace: Bool
    private var spacing: WordPieceSpacing?

    init(_ tokenizer: Tokenizer, skippingControl: Bool, isContinuation: Bool = false) {
        vocabulary = tokenizer.vocabulary
        skipsControl = skippingControl
        dropsSpace = tokenizer.dropsFirstSpace && !isContinuation
        spacing = tokenizer.cleansSpaces ? WordPieceSpacing() : nil
    }

    mutating func append(_ token: Token, to output: inout [UInt8]) {
        let kind = vocabulary.kind(of: token)
        let isControl = kind == .control || kind == .unknown
        if isControl && skipsControl { return }
        if spacing != nil {
            spacing?.append(vocabulary.bytes(of: token), to: &output)
            return
        }
        let before = output.count
        vocabulary.append(token, to: &output)
        guard dropsSpace, !isControl, output.count > before else { return }
        dropsSpace = false
        if output[before] == 0x20 { output.remove(at: before) }
    }

    /// Adds what was held back until the next piece.
    mutating func finish(_ output: inout [UInt8]) { spacing?.finish(&output) }
}

/// Joins WordPiece's pieces as BERT's tokenizers print them: no space before `.`, `,`, `?` and `!`, none around an
/// apostrophe between two words.
struct WordPieceSpacing: Sendable {
    /// ` '` waits for the piece that tells whether its spaces stay.
    private var holdsApostrophe = false

    mutating func append(_ piece: [UInt8], to output: inout [UInt8]) {
        let isClosing = piece.count == 2 && piece[0] == 0x20 && ".,?!".utf8.contains(piece[1])
        if holdsApostrophe {
            holdsApostrophe = false
            if piece.first == 0x20, !isClosing {
                output.append(0x27)
                output.append(contentsOf: piece.dropFirst())
                return
            }
            output.append(contentsOf: " '".utf8)
        } else if piece == Array(" '".utf8) {
            holdsApostrophe = true
            return
        }
        output.append(contentsOf: isClosing ? piece.dropFirst() : piece[...])
    }

    mutating func finish(_ output: inout [UInt8]) {
        if holdsApostrophe { output.append(contentsOf: " '".utf8) }
        holdsApostrophe = false
    }
}
