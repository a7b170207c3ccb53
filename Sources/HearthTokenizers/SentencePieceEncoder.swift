import HearthTokens

/// SentencePiece's byte-pair encoding (`llama`): neighbours merge into the piece with the best score, over the whole
/// text at once; what no piece stands for is written byte by byte.
struct SentencePieceEncoder: Sendable {
    private let rules: ScoreRules
    private let fallback: ByteFallback
    private let addsSpacePrefix: Bool
    /// A text that begins with a space gets no other.
    private let prefixUnlessThere: Bool

    init(vocabulary: Vocabulary, addsSpacePrefix: Bool, prefixUnlessThere: Bool = false, splitsWords: Bool = false) {
        rules = ScoreRules(vocabulary, splitsWords: splitsWords)
        fallback = ByteFallback(vocabulary)
        self.addsSpacePrefix = addsSpacePrefix
        self.prefixUnlessThere = prefixUnlessThere
    }

    /// - Parameter begins: the text begins the input, or follows an added token.
    func encode(
        _ fragment: Span<UInt8>, begins: Bool, into output: inout [Token], _ scratch: inout Scratch
    ) throws(TokenizerError) {
        var text = Metaspace.toSpaces(fragment)
        if addsSpacePrefix, begins, !(prefixUnlessThere && text.first == 0x20) { text.insert(0x20, at: 0) }
        scratch.symbols.removeAll(keepingCapacity: true)
        scratch.symbols.reserveCapacity(text.count)
        var place = 0
        while place < text.count {
            let length = decodeScalar(text.span, at: place).length
            let id = rules.token(text.span.extracting(place..<place + length))
            scratch.symbols.append(Symbol(id: id, start: Int32(place), length: Int32(length)))
            place += length
        }
        scratch.merging.merge(&scratch.symbols, text.span, rules)
        for symbol in scratch.symbols {
            if symbol.id >= 0 {
                output.append(symbol.id)
            } else {
                try fallback.append(text.span, symbol.range, to: &output)
            }
        }
    }
}

/// Neighbours merge where their text is a piece; a better score is a lower rank, equal scores share one.
private struct ScoreRules: MergeRules, Sendable {
    private let vocabulary: Vocabulary
    private var ranks: [UInt32]
    /// Nothing merges with the space behind it.
    private let splitsWords: Bool

    init(_ vocabulary: Vocabulary, splitsWords: Bool) {
        self.splitsWords = splitsWords
        self.vocabulary = vocabulary
        let order = vocabulary.scores.indices.sorted { vocabulary.scores[$0] > vocabulary.scores[$1] }
        ranks = Array(repeating: 0, count: vocabulary.count)
        var rank: UInt32 = 0
        for (index, token) in order.enumerated() {
            if index > 0, vocabulary.scores[token] != vocabulary.scores[order[index - 1]] { rank += 1 }
            ranks[token] = rank
        }
    }

    func rank(_ left: Symbol, _ right: Symbol, _ text: Span<UInt8>) -> UInt32 {
        if splitsWords, text[right.range.lowerBound] == 0x20 { return Merging.none }
        let token = token(text.extracting(left.range.lowerBound..<right.range.upperBound))
        return token < 0 ? Merging.none : ranks[Int(token)]
    }

    func result(_ rank: UInt32, _ merged: Symbol, _ text: Span<UInt8>) -> Int32 {
        token(text.extracting(merged.range))
    }

    /// The piece with this text that a user may type, −1 for none.
    func token(_ bytes: Span<UInt8>) -> Token {
        guard let token = vocabulary.token(of: bytes), vocabulary.kind(of: token).isOrdinary else { return -1 }
        return token
    }
}
