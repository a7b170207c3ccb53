import Foundation
import HearthJSON

/// How figures are written in tables.
enum Figures {
    static func decimals(_ value: Double, _ count: Int) -> String {
        value.formatted(
            .number.grouping(.never).precision(.fractionLength(count)).locale(Locale(identifier: "en_US_POSIX")))
    }

    static func mebibytes(_ bytes: Int) -> String { "\(decimals(Double(bytes) / 1_048_576, 2)) MiB" }
    static func percent(_ share: Double) -> String { "\(decimals(share * 100, share < 0.1 ? 1 : 0)) %" }
    static func gigabytes(_ bytes: Double) -> String { "\(decimals(bytes / 1e9, 1)) GB/s" }
    /// Three digits at least: `0.0123`, `1.23`, `12.3`, `403.1`.
    static func milliseconds(_ nanoseconds: Double) -> String {
        let value = nanoseconds / 1e6
        return decimals(value, value < 0.1 ? 4 : value < 10 ? 2 : 1)
    }
}

/// What tables, comparisons and plots read of a row.
struct RowReader {
    let row: JSON

    init(_ row: JSON) { self.row = row }

    func text(_ name: String) -> String { row[name]?.stringValue ?? "" }
    func int(_ name: String) -> Int? { row[name]?.intValue }
    func number(_ name: String) -> Double? { row[name]?.doubleValue }
    func numbers(_ name: String) -> [Double] { row[name]?.arrayValue?.compactMap(\.doubleValue) ?? [] }

    /// Without folder and ending: models of one type are told apart by it.
    var model: String {
        let name = text("model_filename").split(separator: "/").last.map(String.init) ?? ""
        return name.hasSuffix(".gguf") ? String(name.dropLast(5)) : name
    }

    /// The test's name, or the one that llama-bench would give it.
    var test: String {
        row["test"]?.stringValue
            ?? RowName.of(prompt: int("n_prompt") ?? 0, generated: int("n_gen") ?? 0, depth: int("n_depth") ?? 0).full
    }

    /// What rows of two runs must have in common to be compared.
    var key: String { key(test) }

    /// The same under the name that older files have: a request alone and one beside a cached prefix were both `ttftP`.
    var olderKey: String { key(test.replacing(" (0 cached)", with: "")) }

    private func key(_ test: String) -> String {
        let settings = ["n_threads", "n_batch"].map { int($0).map(String.init) ?? "" }
        let words = ["kernels", "backend", "type_k", "quantize", "peer_flash_attn"].map(text)
        return ([model, test] + settings + words).joined(separator: "\u{1F}")
    }

    /// For people: the model, the test and what the settings are.
    var title: String { "\(model) \(test)" }
}
