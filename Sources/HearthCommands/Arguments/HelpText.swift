/// Help, made from the tables.
package enum HelpText {
    /// The list of verbs.
    package static func overview(_ tables: [VerbTable]) -> String {
        let width = tables.map(\.name.count).max() ?? 0
        let lines = tables.map { "  " + padded($0.name, to: width) + "  " + $0.summary }
        return """
            hearth: language models on your own machine

            usage: hearth VERB [OPTIONS] ...

            \(lines.joined(separator: "\n"))

            `hearth VERB --help` tells what a verb takes. A MODEL is a name of the catalogue (`hearth list`), or a path:
            anything with a `/` or ending in `.gguf`.

            exit status: 0 done, 1 internal error, 2 usage, 3 model not found, 4 bad model file, 5 prompt too long,
            6 refused, 7 fetching failed, 8 disk, 130 interrupted, 141 the reader of the output went away,
            143 terminated

            """
    }

    /// One verb with its options.
    package static func verb(_ table: VerbTable, program: String = "hearth") -> String {
        var usage = "usage: " + ([program, table.name].filter { !$0.isEmpty }.joined(separator: " "))
        if !table.options.isEmpty { usage += " [OPTIONS]" }
        switch table.operand {
        case .none: break
        case .required(let word): usage += " \(word)"
        case .optional(let word): usage += " [\(word)]"
        case .any(let word): usage += " [\(word) ...]"
        case .several(let words): usage += " " + words.joined(separator: " ")
        }
        let rows = table.options.map { option in
            (option.spellings.joined(separator: ", ") + (option.placeholder.map { " \($0)" } ?? ""), option.help)
        }
        // Long forms get their help on the same line all the same: one column for all, wide enough for most.
        let width = min(rows.map(\.0.count).max() ?? 0, 30)
        let lines = rows.map { "  " + padded($0.0, to: width) + "  " + $0.1 }
        var text = "\(table.summary)\n\n\(usage)\n"
        if !lines.isEmpty { text += "\n" + lines.joined(separator: "\n") + "\n" }
        if !table.notes.isEmpty { text += "\n" + table.notes + "\n" }
        return text
    }

    private static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
