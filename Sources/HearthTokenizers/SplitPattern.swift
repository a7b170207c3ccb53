/// One pass of a pre-tokenizer: where the next match is.
///
/// Each pattern stands for a regular expression and is a scanner by hand, linear in the text. Names of parts follow the
/// expressions: L letters, N numbers, M marks, P punctuation, S symbols.
enum SplitPattern: Sendable {
    /// `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`
    case gpt2
    /// `(?i:'s|…)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,k}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`, with variants
    case words(WordPattern)
    /// `\p{N}{1,k}`
    case numbers(upTo: Int)
    /// `[0-9][0-9][0-9]`
    case digitTriples
    /// One of the set at a time: `[\r\n]`
    case one(ScalarSet)
    /// `[set]+`, with an optional scalar before it
    case run(ScalarSet, after: RunPrefix = .nothing)
    /// `\s+$`
    case finalSpace
    /// `[^\n]+|[\n]+`
    case lines

    enum RunPrefix { case nothing, blank, anySpace }

    /// The first match in `start..<end`, as indices of scalars; nil where there is none. Never empty.
    func next(in text: ClassifiedText, from start: Int, to end: Int) -> Range<Int>? {
        switch self {
        case .gpt2:
            return start < end ? start..<Self.gpt2End(text, start, end) : nil
        case .words(let pattern):
            return pattern.next(in: text, from: start, to: end)
        case .numbers(let limit):
            guard let first = (start..<end).first(where: { text.classes[$0].contains(.number) }) else { return nil }
            var last = first + 1
            while last < end, last - first < limit, text.classes[last].contains(.number) { last += 1 }
            return first..<last
        case .digitTriples:
            var run = 0
            for index in start..<end {
                run = (0x30...0x39).contains(text.scalars[index]) ? run + 1 : 0
                if run == 3 { return index - 2..<index + 1 }
            }
            return nil
        case .one(let set):
            return (start..<end).first { set.contains(text.scalars[$0], text.classes[$0]) }.map { $0..<$0 + 1 }
        case .run(let set, let prefix):
            return Self.run(of: set, after: prefix, text, start, end)
        case .finalSpace:
            var first = end
            while first > start, text.classes[first - 1].contains(.space) { first -= 1 }
            return first < end ? first..<end : nil
        case .lines:
            guard start < end else { return nil }
            let kind = text.scalars[start] == 10
            return start..<((start..<end).first { (text.scalars[$0] == 10) != kind } ?? end)
        }
    }

    private static func run(
        of set: ScalarSet, after prefix: RunPrefix, _ text: ClassifiedText, _ start: Int, _ end: Int
    ) -> Range<Int>? {
        func isIn(_ index: Int) -> Bool { index < end && set.contains(text.scalars[index], text.classes[index]) }
        for first in start..<end {
            let leads =
                switch prefix {
                case .nothing: false
                case .blank: text.scalars[first] == 0x20
                case .anySpace: text.classes[first].contains(.space)
                }
            guard isIn(first) || (leads && isIn(first + 1)) else { continue }
            var last = first + 1
            // A prefix that is itself in the set ends the match at once where no more of the set follows.
            while isIn(last) { last += 1 }
            return first..<last
        }
        return nil
    }

    private static func gpt2End(_ text: ClassifiedText, _ start: Int, _ end: Int) -> Int {
        if let length = contraction(text, start, end, anyCase: false) { return start + length }
        let blank = text.scalars[start] == 0x20 ? 1 : 0
        if let lead = text.class(start + blank, before: end) {
            // letters, numbers, or neither; never spaces
            for kind: ScalarClass in [.letter, .number] where lead.contains(kind) {
                var last = start + blank + 1
                while let next = text.class(last, before: end), next.contains(kind) { last += 1 }
                return last
            }
            if !lead.contains(.space) {
                var last = start + blank + 1
                while let next = text.class(last, before: end), next.isDisjoint(with: [.letter, .number, .space]) {
                    last += 1
                }
                return last
            }
        }
        return spaceEnd(text, start, end)
    }

    /// `\s+(?!\S)|\s+`: the run, without its last scalar where something follows and the run is longer than that.
    static func spaceEnd(_ text: ClassifiedText, _ start: Int, _ end: Int) -> Int {
        var last = start + 1
        while let next = text.class(last, before: end), next.contains(.space) { last += 1 }
        return last < end && last - start > 1 ? last - 1 : last
    }

    /// The length of `'s`, `'t`, `'m`, `'d`, `'re`, `'ve` or `'ll` at `start`.
    static func contraction(_ text: ClassifiedText, _ start: Int, _ end: Int, anyCase: Bool) -> Int? {
        guard start + 1 < end, text.scalars[start] == 0x27 else { return nil }
        func letter(_ index: Int) -> UInt32 {
            guard index < end else { return 0 }
            let scalar = text.scalars[index]
            if anyCase {
                if (0x41...0x5A).contains(scalar) { return scalar + 0x20 }
                if scalar == 0x17F { return 0x73 }  // ſ folds to s
            }
            return scalar
        }
        switch letter(start + 1) {
        case 0x73, 0x74, 0x6D, 0x64: return 2  // s t m d
        case 0x72, 0x76: return letter(start + 2) == 0x65 ? 3 : nil  // re ve
        case 0x6C: return letter(start + 2) == 0x6C ? 3 : nil  // ll
        default: return nil
        }
    }
}
