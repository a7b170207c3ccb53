/// What a verb takes: the table that the parser, the help and the suggestions read.
///
/// An option is described once, here; a verb that forgets to list one cannot read it.
package struct VerbTable: Sendable {
    package let name: String
    /// One line for the list of verbs.
    package let summary: String
    /// What stands after the options: `[PROMPT]`, `MODEL`, or nothing.
    package let operand: Operand
    package let options: [Option]
    /// Shown below the options: what the table cannot say.
    package let notes: String
    /// Options of other programs that are the operand here: `-p`.
    package let operandElsewhere: [String]

    package init(
        _ name: String, _ summary: String, operand: Operand = .none, options: [Option] = [], notes: String = "",
        operandElsewhere: [String] = []
    ) {
        self.operandElsewhere = operandElsewhere
        self.name = name
        self.summary = summary
        self.operand = operand
        self.options = options
        self.notes = notes
    }

    package enum Operand: Sendable, Equatable {
        case none
        case required(String)
        case optional(String)
        /// All of them, in this order.
        case several([String])
        /// Any number, none too.
        case any(String)

        /// `PROMPT`; nil where there are none, or several.
        var word: String? {
            switch self {
            case .none, .several: nil
            case .required(let word), .optional(let word), .any(let word): word
            }
        }
    }

    func option(_ spelling: String) -> Option? { options.first { $0.spellings.contains(spelling) } }

    /// What stands here for an option that other programs have: `` `--max-tokens N` `` for `-n`, and for `-n64`.
    func here(of spelling: String) -> String? {
        var word = spelling
        if !word.hasPrefix("--"), word.utf8.dropFirst(2).allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) {
            word = String(word.prefix(2))
        }
        if let option = options.first(where: { $0.elsewhere.contains(word) }) {
            return "`" + ([option.name] + (option.placeholder.map { [$0] } ?? [])).joined(separator: " ") + "`"
        }
        guard operandElsewhere.contains(word), let operand = operand.word else { return nil }
        return "\(operand) itself, in quotes and without an option"
    }
}

/// One option: its spellings, the kind of its value and a line of help.
package struct Option: Sendable {
    /// The name first, then short forms: `--model`, `-m`.
    package let spellings: [String]
    package let kind: Kind
    package let help: String
    /// Whether it may stand several times, as `--stop`.
    package let repeats: Bool
    /// What llama.cpp and others call it: not read, but told from a slip.
    package let elsewhere: [String]

    package init(_ spellings: String..., kind: Kind, help: String, repeats: Bool = false, elsewhere: [String] = []) {
        self.elsewhere = elsewhere
        self.spellings = spellings
        self.kind = kind
        self.help = help
        self.repeats = repeats
    }

    package var name: String { spellings[0] }

    package indirect enum Kind: Sendable {
        case flag
        case text(String)
        case choice([String])
        case integer(String, ClosedRange<Int>)
        /// A finite number, written in decimal digits.
        case number(String, ClosedRange<Double>)
        /// 64 bits without a sign.
        case seed
        /// Values of one kind separated by commas: one or more, or exactly `count` of them.
        case list(Kind, count: Int? = nil)
    }

    /// What stands for the value in help and messages: `N`, `f32|f16|q8_0`; nil for a flag.
    package var placeholder: String? { kind.placeholder }

    /// What a value must be, for messages.
    var expectation: String { kind.expectation }

    /// Whether `text` is a value of this kind.
    func accepts(_ text: String) -> Bool { kind.accepts(text) }
}

extension Option.Kind {
    var placeholder: String? {
        switch self {
        case .flag: nil
        case .text(let word), .integer(let word, _), .number(let word, _): word
        case .choice(let words): words.joined(separator: "|")
        case .seed: "S"
        case .list(let kind, nil): "\(kind.placeholder ?? ""),..."
        case .list(let kind, let count?):
            Array(repeating: kind.placeholder ?? "", count: count).joined(separator: ",")
        }
    }

    var expectation: String {
        switch self {
        case .flag: "no value"
        case .text(let word): word
        case .choice(let words): "one of " + words.joined(separator: ", ")
        case .integer(_, let range):
            range.upperBound == .max
                ? "a whole number from \(range.lowerBound)"
                : "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .number(_, let range):
            range.upperBound == .infinity
                ? "a decimal number from \(range.lowerBound)"
                : "a decimal number from \(range.lowerBound) to \(range.upperBound)"
        case .seed: "a whole number from 0 to \(UInt64.max)"
        case .list(let kind, nil): "\(kind.expectation), or several separated by commas"
        case .list(let kind, let count?): "\(count) values separated by commas, each \(kind.expectation)"
        }
    }

    /// The number that `text` writes in decimal digits. Swift's own reader takes hexadecimal, `nan` and `infinity` too, which
    /// nobody means here.
    private static func decimal(_ text: String) -> Double? {
        guard text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || "+-.eE".utf8.contains($0) }),
            let number = Double(text), number.isFinite
        else { return nil }
        return number
    }

    /// Whether `text` is a value of this kind.
    func accepts(_ text: String) -> Bool {
        switch self {
        case .flag: false
        case .text: true
        case .choice(let words): words.contains(text)
        case .integer(_, let range): Int(text).map(range.contains) ?? false
        case .number(_, let range): Self.decimal(text).map(range.contains) ?? false
        case .seed: UInt64(text) != nil
        case .list(let kind, let count):
            // An empty part is no value, of texts neither: `a,,b` has lost something.
            Option.Kind.parts(of: text).allSatisfy { !$0.isEmpty && kind.accepts($0) }
                && (count == nil || Option.Kind.parts(of: text).count == count)
        }
    }

    /// The values of a list.
    static func parts(of text: String) -> [String] {
        text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
}
