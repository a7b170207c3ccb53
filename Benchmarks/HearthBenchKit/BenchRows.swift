package import HearthJSON

/// Rows in the machine-readable formats.
package enum BenchRows {
    package static func json(_ rows: [JSON]) throws -> String {
        var style = JSONStyle.compact
        style.indent = 2
        return try JSON.array(rows).text(style) + "\n"
    }

    /// An object a line.
    package static func jsonl(_ rows: [JSON]) throws -> String {
        try rows.map { try $0.text(.compact) + "\n" }.joined()
    }

    /// A line of names, then a line a row, every field in quotes (RFC 4180: a quote inside is written twice). An empty field
    /// is null; samples are separated by blanks.
    package static func csv(_ rows: [JSON]) throws -> String {
        var names: [String] = []
        for row in rows {
            for member in row.objectValue ?? JSONObject() where !names.contains(member.key) { names.append(member.key) }
        }
        guard !names.isEmpty else { return "" }
        let lines = try rows.map { row in
            try names.map { quoted(try field(row[$0] ?? .null)) }.joined(separator: ",")
        }
        return ([names.joined(separator: ",")] + lines).map { $0 + "\n" }.joined()
    }

    private static func field(_ value: JSON) throws -> String {
        switch value {
        case .null: ""
        case .string(let text): text
        case .array(let items): try items.map { try field($0) }.joined(separator: " ")
        case .bool, .integer, .number, .object: try value.text(.compact)
        }
    }

    private static func quoted(_ text: String) -> String { "\"" + text.replacing("\"", with: "\"\"") + "\"" }

    /// The rows of a file that `json` or `jsonl` wrote, or llama-bench.
    package static func read(_ bytes: [UInt8], from path: String) throws(BenchError) -> [JSON] {
        let rows: [JSON]
        do {
            rows = bytes.first { $0 > 0x20 } == UInt8(ascii: "[")
                ? try JSON.parse(bytes).arrayValue ?? []
                : try bytes.split(separator: UInt8(ascii: "\n")).map { try JSON.parse(Array($0)) }
        } catch {
            throw .unreadableResults(path: path, reason: "\(error)")
        }
        guard !rows.isEmpty else { throw .unreadableResults(path: path, reason: "there is no row in it") }
        for (index, row) in rows.enumerated() {
            if let words = row["error"]?["message"]?.stringValue {
                throw .unreadableResults(path: path, reason: "the run ended early: \(words)")
            }
            for name in ["model_filename", "n_prompt", "n_gen", "samples_ns"] where row[name] == nil {
                throw .unreadableResults(path: path, reason: "row \(index + 1) has no `\(name)`")
            }
        }
        return rows
    }
}
