import HearthTokens

/// Byte-pair encoding: words of a text to tokens by merges.
///
/// Symbols 0 ..< vocabulary.count are tokens; the ones after them are texts that a merge mentions and no piece stands
/// for. What is still such a symbol at the end, or has no symbol, is written byte by byte.
struct BytePairEncoder: Sendable {
    /// What a word is made of before the first merge: GPT-2's bytes, or the characters of SentencePiece-like pieces.
    enum Unit { case byte, scalar }

    private let vocabulary: Vocabulary
    private let preTokenizer: PreTokenizer
    private let unit: Unit
    /// Texts of the symbols past the vocabulary.
    private var extras = PieceTable(capacity: 256)
    private var rules: BytePairRules
    /// Symbol of each byte, −1 for none.
    private var byteSymbols: [Int32] = []
    private let fallback: ByteFallback

    /// - Parameter merges: as the file spells them, `decode` turning a spelled piece into its bytes.
    init(
        vocabulary: Vocabulary, merges: [[UInt8]], preTokenizer: PreTokenizer, unit: Unit,
        decode: (Span<UInt8>, inout [UInt8]) -> Void
    ) throws(TokenizerError) {
        self.vocabulary = vocabulary
        self.preTokenizer = preTokenizer
        self.unit = unit
        fallback = ByteFallback(vocabulary)
        rules = BytePairRules(pairs: PairTable(capacity: merges.count))
        var bytes: [UInt8] = []
        for (index, merge) in merges.enumerated() {
            // The first piece may itself begin with the separator, so it has one byte at least.
            guard merge.count >= 3, let gap = merge[1...].firstIndex(of: 0x20), gap + 1 < merge.count else {
                throw .merge(index: index, text: String(decoding: merge, as: UTF8.self))
            }
            bytes.removeAll(keepingCapacity: true)
            decode(merge.span.extracting(0..<gap), &bytes)
            let seam = bytes.count
            decode(merge.span.extracting(gap + 1..<merge.count), &bytes)
            let left = symbol(making: bytes.span.extracting(0..<seam))
            let right = symbol(making: bytes.span.extracting(seam..<bytes.count))
            let result = symbol(making: bytes.span)
            rules.pairs.append(left: left, right: right, result: result)
        }
        byteSymbols = (0...255).map { (byte: UInt8) in
            let one = [byte]
            return symbol(of: one.span)
        }
    }

    /// Encodes one stretch of text between added tokens.
    func encode(_ fragment: Span<UInt8>, into output: inout [Token], _ scratch: inout Scratch) throws(TokenizerError) {
        switch unit {
        case .byte:
            try encodeWords(fragment, &output, &scratch)
        case .scalar:
            let spaced = Metaspace.toSpaces(fragment)
            try encodeWords(spaced.span, &output, &scratch)
        }
    }

    private func encodeWords(
        _ fragment: Span<UInt8>, _ output: inout [Token], _ scratch: inout Scratch
    ) throws(TokenizerError) {
        scratch.text.read(fragment)
        var first = 0
        for last in preTokenizer.wordEnds(in: scratch.text) {
            let range = scratch.text.bytes(first..<last)
            if preTokenizer.ignoresMerges || isLineEnds(fragment.extracting(range)),
                let whole = token(of: fragment.extracting(range))
            {
                output.append(whole)
            } else {
                scratch.symbols.removeAll(keepingCapacity: true)
                split(fragment, scratch.text, first..<last, into: &scratch.symbols)
                scratch.merging.merge(&scratch.symbols, fragment, rules)
                for symbol in scratch.symbols { try append(symbol, fragment, to: &output) }
            }
            first = last
        }
    }

    /// Where words are lines, line ends are a piece of their own where there is one for that many.
    private func isLineEnds(_ word: Span<UInt8>) -> Bool { unit == .scalar && word[0] == 0x0A }

    private func split(
        _ fragment: Span<UInt8>, _ text: ClassifiedText, _ word: Range<Int>, into symbols: inout [Symbol]
    ) {
        switch unit {
        case .byte:
            let range = text.bytes(word)
            symbols.reserveCapacity(range.count)
            for place in range {
                symbols.append(Symbol(id: byteSymbols[Int(fragment[place])], start: Int32(place), length: 1))
            }
        case .scalar:
            for index in word {
                let range = text.bytes(index..<index + 1)
                symbols.append(
                    Symbol(
                        id: symbol(of: fragment.extracting(range)), start: Int32(range.lowerBound),
                        length: Int32(range.count)))
            }
        }
    }

    private func append(_ symbol: Symbol, _ text: Span<UInt8>, to output: inout [Token]) throws(TokenizerError) {
        if symbol.id >= 0, Int(symbol.id) < vocabulary.count {
            output.append(symbol.id)
        } else {
            try fallback.append(text, symbol.range, to: &output)
        }
    }

    /// A token that ordinary text may become: never a control piece.
    private func token(of bytes: Span<UInt8>) -> Token? {
        guard let token = vocabulary.token(of: bytes), vocabulary.kind(of: token).isOrdinary else { return nil }
        return token
    }

    private func symbol(of bytes: Span<UInt8>) -> Int32 {
        token(of: bytes) ?? extras.find(bytes).map { Int32($0 + vocabulary.count) } ?? -1
    }

    private mutating func symbol(making bytes: Span<UInt8>) -> Int32 {
        let found = symbol(of: bytes)
        if found >= 0 { return found }
        extras.append((0..<bytes.count).map { bytes[$0] })
        extras.makeFindable(extras.count - 1)
        return Int32(extras.count - 1 + vocabulary.count)
    }
}

extension TokenKind {
    /// Whether text that a user typed may become such a piece.
    var isOrdinary: Bool {
        switch self {
        case .normal, .userDefined, .unused: true
        case .control, .unknown, .byte: false
        }
    }
}

/// The merges of a file, by pairs of symbols.
private struct BytePairRules: MergeRules, Sendable {
    var pairs: PairTable

    func rank(_ left: Symbol, _ right: Symbol, _ text: Span<UInt8>) -> UInt32 {
        pairs.rank(left: left.id, right: right.id)
    }

    func result(_ rank: UInt32, _ merged: Symbol, _ text: Span<UInt8>) -> Int32 { pairs.results[Int(rank)] }
}
