/// The family of patterns that began with GPT-4's: words with one scalar before them, numbers in groups, symbols with
/// the line ends after them, line ends, spaces.
struct WordPattern: Sendable {
    enum Words: Sendable {
        /// `[^\r\n\p{L}\p{N}]?\p{L}+`
        case letters
        /// `[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+`, and marks are no symbols
        case lettersAndMarks
        /// `[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+` or the same with `+` and `*`:
        /// words end where a capital follows a small letter
        case cased
        /// DeepSeek-V3: `[!-/:-@\[-`{-~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+`, symbols are `[\p{P}\p{S}]`
        case marked
    }
    enum Contractions { case none, first, afterWords }
    enum SymbolTail { case none, newlines, newlinesAndSlashes }

    var words: Words = .letters
    var contractions: Contractions = .first
    /// Most numbers in a group; nil where no group is made here.
    var numbers: Int? = 3
    var tail: SymbolTail = .newlines

    /// The first match at `start` or after it.
    func next(in text: ClassifiedText, from start: Int, to end: Int) -> Range<Int>? {
        var first = start
        while first < end {
            if let last = matchEnd(text, first, end) { return first..<last }
            first += 1
        }
        return nil
    }

    private func matchEnd(_ text: ClassifiedText, _ start: Int, _ end: Int) -> Int? {
        if contractions == .first, let length = SplitPattern.contraction(text, start, end, anyCase: true) {
            return start + length
        }
        if let last = wordEnd(text, start, end) { return last }
        if let numbers, text.classes[start].contains(.number) {
            var last = start + 1
            while last - start < numbers, let next = text.class(last, before: end), next.contains(.number) { last += 1 }
            return last
        }
        if let last = symbolEnd(text, start, end) { return last }
        return text.classes[start].contains(.space) ? spaceEnd(text, start, end) : nil
    }

    private func wordEnd(_ text: ClassifiedText, _ start: Int, _ end: Int) -> Int? {
        let inWord: ScalarClass = words == .letters ? [.letter] : [.letter, .mark]
        func isIn(_ index: Int) -> Bool { text.class(index, before: end).map { !$0.isDisjoint(with: inWord) } ?? false }
        switch words {
        case .letters, .lettersAndMarks:
            guard isIn(start) || (leads(text, start, unless: [.letter, .number]) && isIn(start + 1)) else { return nil }
        case .marked:
            if isASCIISymbol(text.scalars[start]), start + 1 < end, isASCIILetter(text.scalars[start + 1]) {
                var last = start + 2
                while last < end, isASCIILetter(text.scalars[last]) { last += 1 }
                return last
            }
            guard isIn(start) || (leads(text, start, unless: [.letter, .punctuation, .symbol]) && isIn(start + 1))
            else {
                return nil
            }
        case .cased:
            return casedEnd(text, start, end)
        }
        var last = start + 1
        while isIn(last) { last += 1 }
        return last
    }

    /// Tries the two expressions of `.cased`, each with and without the scalar before the word, in that order.
    private func casedEnd(_ text: ClassifiedText, _ start: Int, _ end: Int) -> Int? {
        let hasPrefix = leads(text, start, unless: [.letter, .number])
        var last = hasPrefix ? endsSmall(text, start + 1, end) : nil
        last = last ?? endsSmall(text, start, end)
        last = last ?? (hasPrefix ? beginsCapital(text, start + 1, end) : nil)
        last = last ?? beginsCapital(text, start, end)
        return last.map { withContraction(text, $0, end) }
    }

    /// `[head]+[tail]*`
    private func beginsCapital(_ text: ClassifiedText, _ start: Int, _ end: Int) -> Int? {
        let heads = run(text, start, end, Self.isHead)
        return heads > start ? run(text, heads, end, Self.isTail) : nil
    }

    /// `[head]*[tail]+`: the heads give back what they took where no tail follows them.
    private func endsSmall(_ text: ClassifiedText, _ start: Int, _ end: Int) -> Int? {
        let heads = run(text, start, end, Self.isHead)
        let tails = run(text, heads, end, Self.isTail)
        if tails > heads { return tails }
        var last = heads
        while last > start {
            if Self.isTail(text.classes[last - 1]) { return last }
            last -= 1
        }
        return nil
    }

    private func withContraction(_ text: ClassifiedText, _ last: Int, _ end: Int) -> Int {
        guard contractions == .afterWords else { return last }
        return last + (SplitPattern.contraction(text, last, end, anyCase: true) ?? 0)
    }

    /// `\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}`
    private static func isHead(_ scalar: ScalarClass) -> Bool {
        !scalar.isDisjoint(with: [.letter, .mark]) && !scalar.contains(.lower)
    }

    /// `\p{Ll}\p{Lm}\p{Lo}\p{M}`
    private static func isTail(_ scalar: ScalarClass) -> Bool {
        !scalar.isDisjoint(with: [.letter, .mark]) && !scalar.contains(.upper)
    }

    private func run(_ text: ClassifiedText, _ start: Int, _ end: Int, _ isIn: (ScalarClass) -> Bool) -> Int {
        var last = start
        while last < end, isIn(text.classes[last]) { last += 1 }
        return last
    }

    /// Whether the scalar may stand before a word: no line end and none of the classes.
    private func leads(_ text: ClassifiedText, _ index: Int, unless classes: ScalarClass) -> Bool {
        !text.isNewline(index) && text.classes[index].isDisjoint(with: classes)
    }

    private func symbolEnd(_ text: ClassifiedText, _ start: Int, _ end: Int) -> Int? {
        func isSymbol(_ index: Int) -> Bool {
            guard let scalar = text.class(index, before: end) else { return false }
            return switch words {
            case .letters, .cased: scalar.isDisjoint(with: [.space, .letter, .number])
            case .lettersAndMarks: scalar.isDisjoint(with: [.space, .letter, .mark, .number])
            case .marked: !scalar.isDisjoint(with: [.punctuation, .symbol])
            }
        }
        var last = start + (text.scalars[start] == 0x20 ? 1 : 0)
        guard isSymbol(last) else { return nil }
        while isSymbol(last) { last += 1 }
        while last < end, text.isNewline(last) || text.scalars[last] == 0x2F, tail != .none {
            if text.scalars[last] == 0x2F, tail == .newlines { break }
            last += 1
        }
        return last
    }

    /// `\s*[\r\n]+|\s+(?!\S)|\s+`: up to the last line end of the run, else as `SplitPattern.spaceEnd`.
    private func spaceEnd(_ text: ClassifiedText, _ start: Int, _ end: Int) -> Int {
        var last = start
        var afterNewline: Int?
        while let next = text.class(last, before: end), next.contains(.space) {
            last += 1
            if text.isNewline(last - 1) { afterNewline = last }
        }
        return afterNewline ?? SplitPattern.spaceEnd(text, start, end)
    }

    private func isASCIILetter(_ scalar: UInt32) -> Bool { (0x41...0x5A).contains(scalar & ~0x20) && scalar < 0x80 }

    /// ``!"#$%&'()*+,-./:;<=>?@[\]^_`{|}~``
    private func isASCIISymbol(_ scalar: UInt32) -> Bool {
        (0x21...0x7E).contains(scalar) && !isASCIILetter(scalar) && !(0x30...0x39).contains(scalar)
    }
}
