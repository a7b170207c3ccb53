import HearthTokens

/// The way out for text that no piece stands for: a token for each byte, else the unknown token.
struct ByteFallback: Sendable {
    /// Token of each byte, −1 for none.
    private let tokens: [Token]
    private let unknown: Token?

    init(_ vocabulary: Vocabulary) {
        var tokens = Array(repeating: Token(-1), count: 256)
        for token in 0..<Token(vocabulary.count) where vocabulary.length(of: token) == 1 {
            let byte = Int(vocabulary.bytes(of: token)[0])
            switch vocabulary.kind(of: token) {
            case .byte: tokens[byte] = token
            case .normal, .unused: if tokens[byte] < 0 { tokens[byte] = token }
            case .control, .userDefined, .unknown: break
            }
        }
        self.tokens = tokens
        unknown = vocabulary.special.unknown
    }

    func append(_ text: Span<UInt8>, _ range: Range<Int>, to output: inout [Token]) throws(TokenizerError) {
        let all = range.allSatisfy { tokens[Int(text[$0])] >= 0 }
        if all {
            for place in range { output.append(tokens[Int(text[place])]) }
        } else if let unknown {
            output.append(unknown)
        } else {
            let place = range.first { tokens[Int(text[$0])] < 0 } ?? range.lowerBound
            throw .noPiece(byte: text[place], offset: place)
        }
    }
}
