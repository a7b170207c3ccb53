import HearthTokens

/// WordPiece (`bert`): words by spaces, punctuation and CJK characters, each made of the longest pieces from the left;
/// a word that pieces cannot make is one unknown token.
struct WordPieceEncoder: Sendable {
    private let vocabulary: Vocabulary
    private let unknown: Token
    private let lowercases: Bool
    private let stripsAccents: Bool
    /// Longer words are unknown, whatever their pieces (`max_input_chars_per_word` of every published BERT tokenizer).
    static let longestWord = 100

    /// - Parameter lowercases: BERT's uncased models; they strip accents too unless the file says otherwise.
    init(vocabulary: Vocabulary, unknown: Token, lowercases: Bool, stripsAccents: Bool) {
        self.vocabulary = vocabulary
        self.unknown = unknown
        self.lowercases = lowercases
        self.stripsAccents = stripsAccents
    }

    func encode(_ fragment: Span<UInt8>, into output: inout [Token]) {
        var word: [UInt8] = [0x20]  // the first piece of a word is spelled with a space
        var place = 0
        while place < fragment.count {
            let (scalar, length) = decodeScalar(fragment, at: place)
            place += length
            let kind = ScalarClass(of: scalar)
            if kind.contains(.space) {
                flush(&word, &output)
                continue
            }
            // Control, format and unassigned scalars go, as do bytes that are not UTF-8; so does U+FFFD.
            if kind.isEmpty || scalar == 0xFFFD { continue }
            let isAlone = kind.contains(.punctuation) || (scalar < 0x7F && kind.contains(.symbol)) || isChinese(scalar)
            if isAlone { flush(&word, &output) }
            append(scalar, to: &word)
            if isAlone { flush(&word, &output) }
        }
        flush(&word, &output)
    }

    private func append(_ scalar: UInt32, to word: inout [UInt8]) {
        guard scalar >= 0x80 else {
            word.append(UInt8(lowercases && (0x41...0x5A).contains(scalar) ? scalar + 0x20 : scalar))
            return
        }
        guard stripsAccents else {
            appendCased(scalar, to: &word)
            return
        }
        // A letter with accents is its letter; an accent alone is nothing.
        NormalForm.nfd.decompose(scalar) { part in
            if !isNonspacing(part) { appendCased(part, to: &word) }
        }
    }

    private func appendCased(_ scalar: UInt32, to word: inout [UInt8]) {
        guard let scalar = Unicode.Scalar(scalar) else { return }
        if lowercases {
            word.append(contentsOf: scalar.properties.lowercaseMapping.utf8)
        } else {
            word.append(contentsOf: UTF8.encode(scalar)!)
        }
    }

    private func isNonspacing(_ scalar: UInt32) -> Bool {
        guard ScalarClass(of: scalar).contains(.mark) else { return false }
        return Unicode.Scalar(scalar)?.properties.generalCategory == .nonspacingMark
    }

    /// Adds the word's tokens and begins the next one.
    private func flush(_ word: inout [UInt8], _ output: inout [Token]) {
        defer { word.removeSubrange(1...) }
        guard word.count > 1 else { return }
        // A character is a scalar; bytes that go on with one are 10xxxxxx.
        if word.count > Self.longestWord + 1, word.count(where: { $0 & 0xC0 != 0x80 }) > Self.longestWord + 1 {
            output.append(unknown)
            return
        }
        let before = output.count
        var start = 0
        while start < word.count {
            var end = min(word.count, start + vocabulary.longest)
            var found: Token?
            while end > start, found == nil {
                if let token = vocabulary.token(of: word.span.extracting(start..<end)),
                    vocabulary.kind(of: token).isOrdinary
                {
                    found = token
                } else {
                    end -= 1
                }
            }
            guard let found else {
                output.removeSubrange(before...)
                output.append(unknown)
                return
            }
            output.append(found)
            start = end
        }
    }

    /// The CJK ideographs that BERT sets apart, with the upper bounds of its widely used implementation.
    private func isChinese(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x4E00...0x9FFF, 0x3400...0x4DBF, 0x20000...0x2A6DF, 0x2A700...0x2B73F, 0x2B740...0x2B81F,
            0x2B920...0x2CEAF, 0xF900...0xFAFF, 0x2F800...0x2FA1F:
            true
        default: false
        }
    }
}
