package import HearthTokens

/// Whether control pieces are matched in a text.
package enum ControlTokens: Sendable {
    /// They are ordinary text: what a user typed.
    case asText
    /// They become their tokens: what a template wrote.
    case recognised
}

/// Text to tokens and back, as the model file says.
///
///     let tokenizer = try Tokenizer(facts)
///     let tokens = try tokenizer.encode("Hello".utf8, control: .asText)
///     tokenizer.decode(tokens, skippingControl: true)      // the bytes of "Hello"
///
/// Text goes in as bytes and comes out as bytes; nothing is normalised that the model's tokenizer does not normalise.
/// What a message is, and where a template ends and data begins, is the caller's to say.
package struct Tokenizer: Sendable {
    package let vocabulary: Vocabulary
    /// A space is put before the text, and before the text after an added piece (SentencePiece).
    package let addsSpacePrefix: Bool
    /// Decoding leaves out a space before the first piece.
    let dropsFirstSpace: Bool
    /// Decoding leaves out the spaces that WordPiece puts around punctuation.
    let cleansSpaces: Bool
    let added: AddedTokens
    private let normalizer: TextNormalizer
    private let prefixOnlyFirst: Bool
    let algorithm: Algorithm
    private let pool = ScratchPool()

    enum Algorithm: Sendable {
        case bytePair(BytePairEncoder)
        case sentencePiece(SentencePieceEncoder)
        case unigram(UnigramEncoder)
        case wordPiece(WordPieceEncoder)
    }

    package var special: SpecialTokens { vocabulary.special }

    /// Bytes of the longest text that is encoded at once: places are kept in 32 bits, and a space may come before it.
    package static let longestText = Int(Int32.max) - 1

    /// Makes the tokenizer that the file describes.
    package init(_ facts: TokenizerFacts) throws(TokenizerError) {
        let parts = try TokenizerParts(facts)
        vocabulary = parts.vocabulary
        addsSpacePrefix = parts.addsSpacePrefix
        dropsFirstSpace = parts.dropsFirstSpace
        cleansSpaces = parts.cleansSpaces
        algorithm = parts.algorithm
        normalizer = parts.normalizer
        prefixOnlyFirst = facts.prefixOnlyFirst ?? false
        added = AddedTokens(vocabulary, swallowing: facts.swallowing())
    }

    /// The tokens of a text; no beginning or end token is added.
    package func encode(_ text: some Sequence<UInt8>, control: ControlTokens) throws(TokenizerError) -> [Token] {
        let bytes = Array(text)
        return try encode(bytes.span, templates: control == .recognised ? [0..<bytes.count] : [])
    }

    /// The tokens of a prompt in parts. Control pieces are matched only within neighbouring parts that are not data;
    /// everything else is one run of text across the seams, so that a message that begins with a line end merges with
    /// the template's. With `addBOS` there is exactly one beginning token where the file asks for one, whether or not
    /// the template wrote it.
    package func encode(prompt: [(bytes: [UInt8], isData: Bool)], addBOS: Bool) throws(TokenizerError) -> [Token] {
        var text: [UInt8] = []
        var templates: [Range<Int>] = []
        for part in prompt where !part.bytes.isEmpty {
            let range = text.count..<text.count + part.bytes.count
            text.append(contentsOf: part.bytes)
            guard !part.isData else { continue }
            if let last = templates.last, last.upperBound == range.lowerBound {
                templates[templates.count - 1] = last.lowerBound..<range.upperBound
            } else {
                templates.append(range)
            }
        }
        let tokens = try encode(text.span, templates: templates)
        guard addBOS, special.addBOS, let bos = special.bos, tokens.first != bos else { return tokens }
        return [bos] + tokens
    }

    /// The tokens with what the file wants around a whole input: beginning, end and separator tokens.
    package func framed(_ tokens: [Token]) -> [Token] {
        var framed = tokens
        if special.addBOS, let bos = special.bos, tokens.first != bos { framed.insert(bos, at: 0) }
        if special.addSeparator, let separator = special.separator {
            framed.append(separator)
        } else if special.addEOS, let eos = special.eos, tokens.last != eos {
            framed.append(eos)
        }
        return framed
    }

    /// The bytes that the tokens stand for, one after another.
    /// - Parameter skippingControl: leaves out control pieces and the unknown piece.
    package func decode(_ tokens: some Sequence<Token>, skippingControl: Bool) -> [UInt8] {
        var decoder = PieceDecoder(self, skippingControl: skippingControl)
        var output: [UInt8] = []
        for token in tokens { decoder.append(token, to: &output) }
        decoder.finish(&output)
        return output
    }

    /// - Parameter templates: where control pieces are matched, in rising order.
    private func encode(_ text: Span<UInt8>, templates: [Range<Int>]) throws(TokenizerError) -> [Token] {
        guard text.count <= Self.longestText else { throw .textTooLong(bytes: text.count, limit: Self.longestText) }
        var output: [Token] = []
        output.reserveCapacity(text.count / 3)  // English has about four bytes a token
        var scratch = pool.take()
        defer { pool.give(scratch, after: text.count) }
        var region = 0
        var pending = 0  // start of the text that has not been encoded yet
        var place = 0
        var afterToken = true
        while place < text.count {
            while region < templates.count, templates[region].upperBound <= place { region += 1 }
            let isTemplate = region < templates.count && templates[region].lowerBound <= place
            let controlEnd = isTemplate ? templates[region].upperBound : place
            guard let match = added.match(text, at: place, controlEnd: controlEnd) else {
                place += 1
                continue
            }
            var end = place
            while match.swallowsBefore, end > pending, isBlank(text[end - 1]) { end -= 1 }
            if end > pending {
                try encodeFragment(text.extracting(pending..<end), afterToken, &output, &scratch, at: pending)
            }
            output.append(match.token)
            afterToken = !prefixOnlyFirst
            place += match.length
            while match.swallowsAfter, place < controlEnd, isBlank(text[place]) { place += 1 }
            pending = place
        }
        if pending < text.count {
            try encodeFragment(text.extracting(pending..<text.count), afterToken, &output, &scratch, at: pending)
        }
        return output
    }

    private func encodeFragment(
        _ fragment: Span<UInt8>, _ afterToken: Bool, _ output: inout [Token], _ scratch: inout Scratch, at offset: Int
    ) throws(TokenizerError) {
        if !normalizer.isEmpty {
            let text = try normalizer.apply(to: copy(fragment))
            guard !text.isEmpty else { return }
            return try encodeNormal(text.span, afterToken, &output, &scratch, at: offset)
        }
        try encodeNormal(fragment, afterToken, &output, &scratch, at: offset)
    }

    /// - Parameter offset: where the fragment begins in the text; of a normalised one, roughly.
    private func encodeNormal(
        _ fragment: Span<UInt8>, _ afterToken: Bool, _ output: inout [Token], _ scratch: inout Scratch, at offset: Int
    ) throws(TokenizerError) {
        do throws(TokenizerError) {
            switch algorithm {
            case .bytePair(let encoder): try encoder.encode(fragment, into: &output, &scratch)
            case .sentencePiece(let encoder):
                try encoder.encode(fragment, begins: afterToken, into: &output, &scratch)
            case .unigram(let encoder): try encoder.encode(fragment, begins: afterToken, into: &output, &scratch)
            case .wordPiece(let encoder): encoder.encode(fragment, into: &output)
            }
        } catch {
            guard case .noPiece(let byte, let place) = error else { throw error }
            throw .noPiece(byte: byte, offset: offset + place)
        }
    }

    private func copy(_ bytes: Span<UInt8>) -> [UInt8] {
        var copy: [UInt8] = []
        copy.reserveCapacity(bytes.count)
        for index in bytes.indices { copy.append(bytes[index]) }
        return copy
    }

    /// What C calls a space in its plain locale; the reference swallows these.
    private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
