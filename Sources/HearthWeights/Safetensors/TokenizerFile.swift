import Foundation
import HearthJSON

/// Puts what `tokenizer.json` and `tokenizer_config.json` say under GGUF's keys (`tokenizer.ggml.…`).
struct TokenizerFile {
    private let file: ConfigReader
    /// `tokenizer_config.json`, or an empty object.
    private let settings: ConfigReader
    private let model: ConfigReader
    private var pieces: [[UInt8]?] = []
    /// By GGUF's numbers.
    private var kinds: [Int32] = []
    /// Added pieces that take the white space before or after them along.
    private var takesBefore: [Int32] = []
    private var takesAfter: [Int32] = []

    static func read(
        _ folder: URL, _ config: ConfigReader, vocabulary rows: Int?, into metadata: inout MetadataBuilder
    ) throws(CheckpointError) {
        let settings = try ConfigReader(folder, "tokenizer_config.json", required: false)
        let template = try template(folder, settings)
        metadata.set("tokenizer.chat_template", template)
        guard let file = try ConfigReader(folder, "tokenizer.json", required: false) else { return }
        var reader = try TokenizerFile(file, settings ?? ConfigReader(path: file.path, json: .object(JSONObject())))
        try reader.readPieces(rows: rows)
        try reader.write(ends: GenerationConfig.ends(folder, config), config, into: &metadata)
    }

    private init(_ file: ConfigReader, _ settings: ConfigReader) throws(CheckpointError) {
        self.file = file
        self.settings = settings
        guard let model = file["model"], model.objectValue != nil else { throw CheckpointError(file.path, .missingKey("model")) }
        self.model = ConfigReader(path: file.path, json: model)
    }

    private static func template(_ folder: URL, _ settings: ConfigReader?) throws(CheckpointError) -> String? {
        let url = folder.appending(path: "chat_template.jinja")
        let path = url.path(percentEncoded: false)
        if FileManager.default.fileExists(atPath: path) {
            let file = try MappedFile(url) { _ throws(CheckpointError) in }
            guard let text = String(validating: file.withSpan { copy(0..<file.count, of: $0) }, as: UTF8.self) else {
                throw CheckpointError(path, .notUTF8(what: "the chat template"))
            }
            return text
        }
        // One template, or several by name.
        guard let value = settings?["chat_template"] else { return nil }
        if let text = value.stringValue { return text }
        return value.arrayValue?.first { $0["name"]?.stringValue == "default" }?["template"]?.stringValue
    }

    // MARK: Pieces

    private mutating func readPieces(rows: Int?) throws(CheckpointError) {
        let vocabulary = try vocabulary()
        // More ids than rows of the embedding have no meaning; without one, the usual sizes are far below this.
        let most = rows ?? 1 << 24
        func place(_ id: Int?, _ text: String) throws(CheckpointError) -> Int {
            guard let id, id >= 0, id < most else {
                throw CheckpointError(
                    file.path, .badSetting(key: "the id of `\(text)`", value: id.map { "\($0)" } ?? "no whole number", supported: "0 to \(most - 1)"))
            }
            return id
        }
        func put(_ text: String, at id: Int, _ kind: Int32) {
            if id >= pieces.count {
                pieces += Array(repeating: nil, count: id + 1 - pieces.count)
                kinds += Array(repeating: 5, count: id + 1 - kinds.count)  // unused
            }
            pieces[id] = Array(text.utf8)
            kinds[id] = kind
        }
        let unknown = try model.text(ifPresent: "unk_token")
        let unknownID = try model.int(ifPresent: "unk_id")
        let hasBytes = try model.bool(ifPresent: "byte_fallback") == true
        for (text, id) in vocabulary {
            let isByte = hasBytes && text.utf8.count == 6 && text.hasPrefix("<0x") && text.hasSuffix(">")
            let id = try place(id, text)
            put(text, at: id, isByte ? 6 : text == unknown || id == unknownID ? 2 : 1)
        }
        for token in file["added_tokens"]?.arrayValue ?? [] {
            guard let text = token["content"]?.stringValue else { throw CheckpointError(file.path, .missingKey("added_tokens[].content")) }
            let id = try place(token["id"]?.intValue, text)
            // A special token is never part of a text; another one is, whole.
            put(text, at: id, token["special"]?.boolValue == true ? 3 : 4)
            if token["single_word"]?.boolValue == true {
                throw CheckpointError(
                    file.path, .badSetting(key: "added_tokens[].single_word", value: "true for `\(text)`", supported: "false"))
            }
            if token["lstrip"]?.boolValue == true { takesBefore.append(Int32(id)) }
            if token["rstrip"]?.boolValue == true { takesAfter.append(Int32(id)) }
        }
        // Rows behind the last piece exist to round the matrix up.
        if let rows, rows > pieces.count {
            pieces += Array(repeating: nil, count: rows - pieces.count)
            kinds += Array(repeating: 5, count: rows - kinds.count)
        }
    }

    /// Pieces and ids: an object of them, or an array of pieces with scores.
    private func vocabulary() throws(CheckpointError) -> [(String, Int?)] {
        if let object = model["vocab"]?.objectValue { return object.map { ($0.key, $0.value.intValue) } }
        if let items = model["vocab"]?.arrayValue {
            var pieces: [(String, Int?)] = []
            pieces.reserveCapacity(items.count)
            for (id, item) in items.enumerated() {
                guard let text = item[0]?.stringValue, item[1]?.doubleValue != nil else {
                    throw CheckpointError(
                        file.path, .badSetting(key: "model.vocab[\(id)]", value: String(item.description.prefix(80)), supported: "a piece and a score"))
                }
                pieces.append((text, id))
            }
            return pieces
        }
        throw CheckpointError(
            file.path,
            .badSetting(key: "model.vocab", value: "neither an object nor an array", supported: "pieces to ids, or pieces with scores"))
    }

    // MARK: Writing

    private func write(
        ends: [Int], _ config: ConfigReader, into metadata: inout MetadataBuilder
    ) throws(CheckpointError) {
        func key(_ name: String) -> String { "tokenizer.ggml.\(name)" }
        let type = try model.text(ifPresent: "type") ?? (model["merges"] == nil ? "WordPiece" : "BPE")
        let rules = TokenizerRules(file)
        if type == "BPE" {
            // Marks of words inside pieces, which old tokenizers have.
            for name in ["continuing_subword_prefix", "end_of_word_suffix"] {
                try refuse(name)
            }
        }
        var spelled = pieces.enumerated().map { $1 ?? Array("[PAD\($0)]".utf8) }
        switch type {
        case "BPE" where try model.bool(ifPresent: "byte_fallback") == true:
            metadata.set(key("model"), "llama")
            try writeSpelling(rules, into: &metadata)
            try metadata.set(key("scores"), floats: scores(try merges()))
        case "BPE":
            metadata.set(key("model"), "gpt2")
            let split = try rules.split()
            let ignoresMerges = try model.bool(ifPresent: "ignore_merges") == true
            metadata.set(key("pre"), split.name(ignoresMerges: ignoresMerges))
            metadata.set("tokenizer.hearth.ignore_merges", ignoresMerges)
            var normalizers = try rules.normalizers()
            if split.beginsWithSpace { normalizers.steps.append(["begin_with_space"]) }
            try writeNormalizers(normalizers, into: &metadata)
            try metadata.set(key("merges"), strings: try merges().map { $0.0 + [0x20] + $0.1 })
        case "Unigram":
            metadata.set(key("model"), "t5")
            try writeSpelling(rules, into: &metadata)
            try metadata.set(key("scores"), floats: unigramScores())
        case "WordPiece":
            metadata.set(key("model"), "bert")
            // GGUF marks the beginning of a word with `▁` where BERT marks the going on with `##`.
            for index in spelled.indices where kinds[index] == 1 {
                spelled[index] = spelled[index].starts(with: "##".utf8) ? Array(spelled[index].dropFirst(2)) : Array("▁".utf8) + spelled[index]
            }
            let lowercases = file["normalizer"]?["lowercase"]?.boolValue
            metadata.set(key("normalizer.lowercase"), lowercases)
            metadata.set(key("normalizer.strip_accents"), file["normalizer"]?["strip_accents"]?.boolValue ?? lowercases)
        default:
            throw CheckpointError(file.path, .badSetting(key: "model.type", value: type, supported: "BPE, Unigram, WordPiece"))
        }
        try metadata.set(key("tokens"), strings: spelled)
        try metadata.set(key("token_type"), ints: kinds)
        try metadata.set("tokenizer.hearth.takes_space_before", ints: takesBefore)
        try metadata.set("tokenizer.hearth.takes_space_after", ints: takesAfter)

        let frame = rules.frame
        let begins = try config.ints(ifPresent: "bos_token_id").first
        let first = try id("cls_token")
        let bos = try id("bos_token") ?? begins ?? first
        let unknownID = try model.int(ifPresent: "unk_id")
        let modelUnknown = try model.text(ifPresent: "unk_token").flatMap(token) ?? unknownID
        metadata.set(key("bos_token_id"), bos)
        let end = try id("eos_token") ?? ends.first
        metadata.set(key("eos_token_id"), end)
        // Further ends, in the roles that GGUF has for them.
        let others = ends.filter { $0 != end }
        metadata.set(key("eot_token_id"), others.first)
        metadata.set(key("eom_token_id"), others.dropFirst().first)
        metadata.set(key("unknown_token_id"), try id("unk_token") ?? modelUnknown)
        metadata.set(key("padding_token_id"), try id("pad_token"))
        metadata.set(key("seperator_token_id"), try id("sep_token"))  // sic
        metadata.set(key("mask_token_id"), try id("mask_token"))
        metadata.set(key("add_bos_token"), try settings.bool(ifPresent: "add_bos_token") ?? frame.begins)
        if type == "WordPiece" {
            metadata.set(key("add_sep_token"), frame.ends)
        } else {
            metadata.set(key("add_eos_token"), try settings.bool(ifPresent: "add_eos_token") ?? frame.ends)
        }
    }

    /// Stops at a text of the model that is not empty.
    private func refuse(_ key: String) throws(CheckpointError) {
        guard let text = try model.text(ifPresent: key), !text.isEmpty else { return }
        throw CheckpointError(file.path, .badSetting(key: "model.\(key)", value: text, supported: "none"))
    }

    /// Normalizers and spaces of a vocabulary that spells a space `▁`.
    private func writeSpelling(_ rules: TokenizerRules, into metadata: inout MetadataBuilder) throws(CheckpointError) {
        var normalizers = try rules.normalizers()
        let spaces = try rules.spaces()
        let isPrepended = normalizers.takeSpelling()
        if spaces.joinsWords { normalizers.steps.append(["join_words"]) }
        try writeNormalizers(normalizers, into: &metadata)
        metadata.set("tokenizer.ggml.add_space_prefix", isPrepended || spaces.hasPrefix)
        metadata.set("tokenizer.hearth.space_prefix_unless_there", spaces.unlessThere && !isPrepended)
        metadata.set("tokenizer.hearth.space_prefix_only_first", spaces.onlyFirst && !isPrepended)
        metadata.set("tokenizer.hearth.split_words", spaces.splitsWords)
    }

    private func writeNormalizers(_ normalizers: NormalizerRules, into metadata: inout MetadataBuilder) throws(CheckpointError) {
        guard !normalizers.steps.isEmpty else { return }
        try metadata.set("tokenizer.hearth.normalizers", strings: normalizers.steps.joined().map { Array($0.utf8) })
        if !normalizers.map.isEmpty {
            try metadata.set("tokenizer.ggml.precompiled_charsmap", bytes: normalizers.map)
        }
    }

    private func unigramScores() -> [Float] {
        var scores = Array(repeating: Float(0), count: pieces.count)
        for (id, item) in (model["vocab"]?.arrayValue ?? []).enumerated() { scores[id] = Float(item[1]?.doubleValue ?? 0) }
        return scores
    }

    /// "a b", or the two by themselves.
    private func merges() throws(CheckpointError) -> [([UInt8], [UInt8])] {
        var merges: [([UInt8], [UInt8])] = []
        for (index, item) in (model["merges"]?.arrayValue ?? []).enumerated() {
            if let text = item.stringValue {
                let bytes = Array(text.utf8)
                if let space = bytes.dropFirst().firstIndex(of: 0x20), space < bytes.count - 1 {
                    merges.append((Array(bytes[..<space]), Array(bytes[(space + 1)...])))
                    continue
                }
            } else if let first = item[0]?.stringValue, let second = item[1]?.stringValue {
                merges.append((Array(first.utf8), Array(second.utf8)))
                continue
            }
            throw CheckpointError(file.path, .badSetting(key: "model.merges[\(index)]", value: item.description, supported: "two pieces"))
        }
        return merges
    }

    /// SentencePiece's scores from the order of the merges: the earlier the merge that makes a piece, the higher.
    private func scores(_ merges: [([UInt8], [UInt8])]) -> [Float] {
        var ranks: [[UInt8]: Int] = [:]
        for (rank, merge) in merges.enumerated() where ranks[merge.0 + merge.1] == nil { ranks[merge.0 + merge.1] = rank }
        // Pieces that no merge makes come last of all.
        return pieces.map { piece in Float(-(piece.flatMap { ranks[$0] } ?? merges.count)) }
    }

    /// The id of a role that `tokenizer_config.json` gives to a piece: its text, or an object with it.
    private func id(_ role: String) throws(CheckpointError) -> Int? {
        guard let value = settings[role], let text = value.stringValue ?? value["content"]?.stringValue else { return nil }
        return token(text)
    }

    private func token(_ text: String) -> Int? {
        let bytes = Array(text.utf8)
        return pieces.lastIndex { $0 == bytes }  // special tokens are near the end as a rule
    }
}
