import Foundation
import HearthJSON

/// The normalizers of `tokenizer.json` as the steps that `HearthTokenizers` takes: names, each with its texts behind it.
struct NormalizerRules {
    /// Steps in order; a name with its texts is one.
    var steps: [[String]] = []
    /// SentencePiece's compiled rules, for the step `map`.
    private(set) var map: [UInt8] = []

    private static let supported =
        "NFC, NFD, NFKC, NFKD, Lowercase, StripAccents, Strip, Prepend, Replace of a text or of ` {2,}`, Precompiled, and Sequence of them"

    init(_ steps: [JSON], path: String) throws(CheckpointError) {
        for step in steps {
            func refused(_ value: String) -> CheckpointError {
                CheckpointError(
                    path, .badSetting(key: "normalizer", value: String(value.prefix(200)), supported: Self.supported))
            }
            func text(_ key: String) throws(CheckpointError) -> String {
                guard let text = step[key]?.stringValue else { throw refused(step.description) }
                return text
            }
            switch step["type"]?.stringValue ?? "" {
            case "NFC", "NFD", "NFKC", "NFKD": self.steps.append([try text("type").lowercased()])
            case "Lowercase": self.steps.append(["lowercase"])
            case "StripAccents": self.steps.append(["strip_accents"])
            case "Strip":
                switch (step["strip_left"]?.boolValue ?? true, step["strip_right"]?.boolValue ?? true) {
                case (true, true): self.steps.append(["strip"])
                case (true, false): self.steps.append(["strip_left"])
                case (false, true): self.steps.append(["strip_right"])
                case (false, false): break
                }
            case "Prepend": self.steps.append(["prepend", try text("prepend")])
            case "Replace":
                let new = try text("content")
                if let old = step["pattern"]?["String"]?.stringValue, !old.isEmpty {
                    self.steps.append(["replace", old, new])
                } else if step["pattern"]?["Regex"]?.stringValue == " {2,}" {
                    self.steps.append(["collapse_spaces", new])
                } else {
                    throw refused("Replace of \(step["pattern"]?.description ?? "nothing")")
                }
            case "Precompiled":
                guard let bytes = Data(base64Encoded: try text("precompiled_charsmap")) else {
                    throw refused("Precompiled whose `precompiled_charsmap` is no base64")
                }
                guard map.isEmpty else { throw refused("Precompiled a second time") }
                // Without rules it does nothing.
                if !bytes.isEmpty {
                    map = Array(bytes)
                    self.steps.append(["map"])
                }
            case let other: throw refused(other.isEmpty ? step.description : other)
            }
        }
    }

    /// Takes out what SentencePiece's spelling does by itself: `▁` for a space, and one in front of the text.
    /// - Returns: whether there was one in front.
    mutating func takeSpelling() -> Bool {
        let hasPrefix = steps.contains(["prepend", "▁"])
        steps.removeAll { $0 == ["prepend", "▁"] || $0 == ["replace", " ", "▁"] }
        return hasPrefix
    }
}
