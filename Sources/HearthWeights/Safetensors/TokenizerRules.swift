import HearthJSON

/// The steps of `tokenizer.json` around the model: how a text is cut into words, and what stands around an input.
struct TokenizerRules {
    private let file: ConfigReader

    init(_ file: ConfigReader) { self.file = file }

    /// Whether a space goes in front of a text: `Prepend` among the normalizers, or a `Metaspace` that does it.
    var addsSpacePrefix: Bool {
        if Self.steps(file["normalizer"], "normalizers").contains(where: { $0["type"]?.stringValue == "Prepend" }) { return true }
        return Self.steps(file["pre_tokenizer"], "pretokenizers").contains { step in
            guard step["type"]?.stringValue == "Metaspace" else { return false }
            if let scheme = step["prepend_scheme"]?.stringValue { return scheme != "never" }
            return step["add_prefix_space"]?.boolValue ?? true
        }
    }

    /// Whether the post-processor puts a token before and after a single text.
    var frame: (begins: Bool, ends: Bool) {
        var begins = false
        var ends = false
        for step in Self.steps(file["post_processor"], "processors") {
            switch step["type"]?.stringValue {
            case "TemplateProcessing":
                let single = step["single"]?.arrayValue ?? []
                let text = single.firstIndex { $0["Sequence"] != nil } ?? single.endIndex
                begins = begins || single[..<text].contains { $0["SpecialToken"] != nil }
                ends = ends || single[min(text, single.count)...].contains { $0["SpecialToken"] != nil }
            case "BertProcessing", "RobertaProcessing": (begins, ends) = (true, true)
            default: break
            }
        }
        return (begins, ends)
    }

    /// GGUF's name for how a byte-level text is cut into words: by the patterns that the steps have.
    func preTokenizer(ignoresMerges: Bool) throws(CheckpointError) -> String {
        var shape: [String] = []
        for step in Self.steps(file["pre_tokenizer"], "pretokenizers") {
            switch step["type"]?.stringValue ?? "" {
            case "Split": shape.append(step["pattern"]?["Regex"]?.stringValue ?? step["pattern"]?["String"]?.stringValue ?? "?")
            case "Digits": shape.append(step["individual_digits"]?.boolValue == true ? "digits one by one" : "digits together")
            case "ByteLevel": if step["use_regex"]?.boolValue ?? true { shape.append("bytes") }
            case let other: shape.append(other)
            }
        }
        switch shape {
        case ["bytes"]: return "gpt-2"
        case ["digits one by one", "bytes"]: return "smollm"
        // The two differ in whether a word that is a piece is taken whole.
        case [Self.llama3]: return ignoresMerges ? "llama-bpe" : "dbrx"
        case [Self.qwen2]: return "qwen2"
        case [Self.gpt4o]: return "gpt-4o"
        case [Self.tekken]: return "tekken"
        default:
            throw CheckpointError(
                file.path,
                .badSetting(
                    key: "pre_tokenizer", value: String(shape.joined(separator: ", then ").prefix(200)),
                    supported: "those of gpt-2, smollm, llama-bpe, qwen2, gpt-4o, tekken"))
        }
    }

    /// One step, or those of a sequence.
    private static func steps(_ json: JSON?, _ key: String) -> [JSON] {
        guard let json else { return [] }
        return json["type"]?.stringValue == "Sequence" ? json[key]?.arrayValue ?? [] : [json]
    }

    private static let rest = #"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"#
    private static let contractions = #"(?i:'s|'t|'re|'ve|'m|'ll|'d)"#
    private static let llama3 = contractions + #"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}"# + rest
    private static let qwen2 = contractions + #"|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}"# + rest
    private static let upper = #"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]"#
    private static let lower = #"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"#
    private static let slashes = #"| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"#
    private static let gpt4o =
        #"[^\r\n\p{L}\p{N}]?"# + upper + "*" + lower + "+" + contractions + #"?|[^\r\n\p{L}\p{N}]?"# + upper + "+" + lower + "*"
        + contractions + #"?|\p{N}{1,3}"# + slashes
    private static let tekken =
        #"[^\r\n\p{L}\p{N}]?"# + upper + "*" + lower + #"+|[^\r\n\p{L}\p{N}]?"# + upper + "+" + lower + #"*|\p{N}"# + slashes
}
