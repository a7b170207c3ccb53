import HearthJSON

/// The steps of `tokenizer.json` around the model: how a text is cut into words, and what stands around an input.
struct TokenizerRules {
    private let file: ConfigReader

    init(_ file: ConfigReader) { self.file = file }

    /// What is done to a text before it is cut into words.
    func normalizers() throws(CheckpointError) -> NormalizerRules {
        try NormalizerRules(Self.steps(file["normalizer"], "normalizers"), path: file.path)
    }

    /// Spaces of SentencePiece's spelling: whether one goes in front of a text, and where.
    struct Spaces {
        var hasPrefix = false
        /// A text that begins with a space gets no other.
        var unlessThere = false
        /// In front of the whole text, not of the text behind an added piece.
        var onlyFirst = false
        /// Words are encoded one by one.
        var splitsWords = false
        /// White space between words counts once, and not at the ends.
        var joinsWords = false
    }

    /// The pre-tokenizer of a vocabulary that spells a space `▁`.
    func spaces() throws(CheckpointError) -> Spaces {
        var spaces = Spaces()
        let steps = Self.steps(file["pre_tokenizer"], "pretokenizers")
        for (index, step) in steps.enumerated() {
            switch step["type"]?.stringValue ?? "" {
            case "WhitespaceSplit" where index == 0 && steps.count == 2: spaces.joinsWords = true
            case "Metaspace" where index == steps.count - 1:
                guard step["replacement"]?.stringValue ?? "▁" == "▁" else { throw refused(step.description) }
                spaces.unlessThere = true
                spaces.splitsWords = step["split"]?.boolValue ?? true
                if let scheme = step["prepend_scheme"]?.stringValue {
                    spaces.hasPrefix = scheme != "never"
                    spaces.onlyFirst = scheme == "first"
                } else {
                    spaces.hasPrefix = step["add_prefix_space"]?.boolValue ?? true
                }
            // Gemma's: every space was `▁` before, so that none is left to cut at.
            case "Split" where step["pattern"]?["String"]?.stringValue == " " && spellsSpaces: break
            case let other: throw refused(other.isEmpty ? step.description : other)
            }
        }
        return spaces
    }

    private func refused(_ value: String) -> CheckpointError {
        CheckpointError(
            file.path,
            .badSetting(
                key: "pre_tokenizer", value: String(value.prefix(200)),
                supported: "for vocabularies that spell a space `▁`: null, Metaspace, and WhitespaceSplit before it"))
    }

    /// Whether a normalizer puts `▁` for each space.
    private var spellsSpaces: Bool {
        Self.steps(file["normalizer"], "normalizers").contains {
            $0["type"]?.stringValue == "Replace" && $0["pattern"]?["String"]?.stringValue == " " && $0["content"]?.stringValue == "▁"
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

    /// How a byte-level text is cut into words.
    func split() throws(CheckpointError) -> SplitRules {
        try SplitRules(Self.steps(file["pre_tokenizer"], "pretokenizers"), path: file.path)
    }

    /// One step, or those of a sequence.
    private static func steps(_ json: JSON?, _ key: String) -> [JSON] {
        guard let json, !json.isNull else { return [] }
        return json["type"]?.stringValue == "Sequence" ? json[key]?.arrayValue ?? [] : [json]
    }
}
