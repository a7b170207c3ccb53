/// The words of a command line, checked against a verb's table.
///
/// ```swift
/// let arguments = try ArgumentParser(table).parse(["--seed", "7", "hello"])
/// arguments.seed("--seed")   // 7
/// arguments.operand          // "hello"
/// ```
///
/// `--name=value` and `--name value` are the same; `--` ends the options; an option given twice is an error unless its
/// table says that it repeats.
package struct ArgumentParser {
    let table: VerbTable
    /// Whether a word names a model, which stands where other programs have it and this one does not.
    let isModel: @Sendable (String) -> Bool

    package init(_ table: VerbTable, isModel: @escaping @Sendable (String) -> Bool = ModelArgument.isName) {
        self.table = table
        self.isModel = isModel
    }

    package func parse(_ words: [String]) throws(CommandError) -> Arguments {
        var values: [String: [String]] = [:]
        var operands: [String] = []
        var rest = words[...]
        var optionsEnded = false
        while let word = rest.popFirst() {
            guard !optionsEnded, word.utf8.first == UInt8(ascii: "-"), word.utf8.count > 1 else {
                operands.append(word)
                continue
            }
            if word == "--" {
                optionsEnded = true
                continue
            }
            let (spelling, attached) = ArgumentParser.split(word)
            if spelling == "--help" || spelling == "-h" { throw .helpAsked(verb: table.name) }
            guard let option = table.option(spelling) else {
                if let here = table.here(of: spelling) {
                    throw .optionElsewhere(verb: table.name, option: spelling, here: here)
                }
                throw .unknownOption(
                    verb: table.name, option: spelling,
                    suggestion: Suggestion.nearest(to: spelling, among: table.options.flatMap(\.spellings)))
            }
            let value = try self.value(of: option, spelling: spelling, attached: attached, rest: &rest)
            if values[option.name] != nil, !option.repeats { throw .repeatedOption(spelling) }
            values[option.name, default: []].append(value)
        }
        try check(operands, hasModel: values["--model"] != nil)
        return Arguments(table: table, values: values, operands: operands)
    }

    /// `--name=value` to its two parts; a short option has no attached value.
    private static func split(_ word: String) -> (spelling: String, attached: String?) {
        guard word.hasPrefix("--"), let equals = word.utf8.firstIndex(of: UInt8(ascii: "=")) else { return (word, nil) }
        return (String(word[..<equals]), String(word[word.utf8.index(after: equals)...]))
    }

    private func value(
        of option: Option, spelling: String, attached: String?, rest: inout ArraySlice<String>
    ) throws(CommandError) -> String {
        if case .flag = option.kind {
            if let attached { throw .badValue(option: spelling, value: attached, expected: option.expectation) }
            return ""
        }
        guard let value = attached ?? rest.popFirst() else {
            throw .missingValue(option: spelling, expected: option.expectation)
        }
        guard option.accepts(value) else {
            throw .badValue(option: spelling, value: value, expected: option.expectation)
        }
        return value
    }

    private func check(_ operands: [String], hasModel: Bool) throws(CommandError) {
        do throws(CommandError) { try count(operands) } catch {
            guard case .unexpectedArgument = error, table.option("--model") != nil, !hasModel, let first = operands.first,
                isModel(first)
            else { throw error }
            throw .modelAsArgument(verb: table.name, model: first)
        }
    }

    private func count(_ operands: [String]) throws(CommandError) {
        switch table.operand {
        case .none:
            if let first = operands.first { throw .unexpectedArgument(verb: table.name, argument: first) }
        case .required(let word):
            if operands.isEmpty { throw .missingArgument(verb: table.name, argument: word) }
            fallthrough
        case .optional:
            if operands.count > 1 { throw .unexpectedArgument(verb: table.name, argument: operands[1]) }
        case .any: break
        case .several(let words):
            if operands.count < words.count { throw .missingArgument(verb: table.name, argument: words[operands.count]) }
            if operands.count > words.count { throw .unexpectedArgument(verb: table.name, argument: operands[words.count]) }
        }
    }
}

/// Values by option, already checked against the table: the typed readers cannot fail.
package struct Arguments: Sendable {
    package let table: VerbTable
    private let values: [String: [String]]
    /// As many as the table allows.
    package let operands: [String]
    package var operand: String? { operands.first }

    init(table: VerbTable, values: [String: [String]], operands: [String]) {
        self.table = table
        self.values = values
        self.operands = operands
    }

    package func flag(_ name: String) -> Bool { all(name).isEmpty == false }
    package func text(_ name: String) -> String? { all(name).first }
    package func integer(_ name: String) -> Int? { all(name).first.flatMap { Int($0) } }
    package func number(_ name: String) -> Double? { all(name).first.flatMap { Double($0) } }
    /// Of a list, and of all its occurrences where it repeats; empty where it was not given.
    package func texts(_ name: String) -> [String] { all(name).flatMap(Option.Kind.parts) }
    package func integers(_ name: String) -> [Int] { texts(name).compactMap { Int($0) } }
    package func seed(_ name: String) -> UInt64? { all(name).first.flatMap { UInt64($0) } }

    /// By any spelling that the table gives the option: programs that share a reader may put another one first.
    package func all(_ spelling: String) -> [String] {
        guard let option = table.option(spelling) else {
            preconditionFailure("\(spelling) is not in the table of \(table.name)")
        }
        return values[option.name] ?? []
    }
}
