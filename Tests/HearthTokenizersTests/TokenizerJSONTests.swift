import Foundation
import HearthJSON
import HearthTestSupport
import HearthTokenizers
import HearthTokens
import HearthWeights
import Testing

/// Small `tokenizer.json` files of many kinds, with the ids that the PyPI package `tokenizers` gives;
/// `Fixtures/tokenizers/make-tokenizer-json.py` made them.
@Suite struct TokenizerJSONTests {
    struct Kind: Sendable, CustomTestStringConvertible {
        let name: String
        let file: String
        let ids: [[Token]]
        var testDescription: String { name }
    }

    static let (texts, kinds): ([String], [Kind]) = {
        do {
            let json = try JSON.parse([UInt8](Fixtures.bytes("tokenizers/tokenizer-json.json")))
            let kinds = try json["tokenizers"]?.arrayValue?.map { item in
                Kind(
                    name: item["name"]?.stringValue ?? "", file: try item["tokenizer"]?.text(.compact) ?? "",
                    ids: item["ids"]?.arrayValue?.map {
                        $0.arrayValue?.compactMap { $0.intValue.map(Token.init) } ?? []
                    } ?? [])
            }
            return (json["texts"]?.arrayValue?.compactMap(\.stringValue) ?? [], kinds ?? [])
        } catch { fatalError("\(error)") }
    }()

    @Test("ids of every text are those of the tokenizers package", arguments: kinds)
    func ids(kind: Kind) throws {
        let tokenizer = try Self.tokenizer(kind.file)
        #expect(kind.ids.count == Self.texts.count)
        for (text, expected) in zip(Self.texts, kind.ids) {
            #expect(try tokenizer.encode(text.utf8, control: .recognised) == expected, "\(text.debugDescription)")
        }
    }

    @Test("there are kinds to compare")
    func isThere() { #expect(Self.kinds.count >= 26 && Self.texts.count >= 28) }

    @Test(
        "what is not computed here is refused by name",
        arguments: [
            (#""normalizer": {"type": "Nmt"}"#, "normalizer", "Nmt"),
            (
                #""normalizer": {"type": "Replace", "pattern": {"Regex": "[0-9]"}, "content": "0"}"#, "normalizer",
                "Replace of {\"Regex\": \"[0-9]\"}"
            ),
            (#""pre_tokenizer": {"type": "UnicodeScripts"}"#, "pre_tokenizer", "UnicodeScripts"),
            (
                #""pre_tokenizer": {"type": "Split", "pattern": {"Regex": "\\d"}, "behavior": "Isolated", "invert": false}"#,
                "pre_tokenizer",
                "Split by {\"Regex\": \"\\\\d\"}"
            ),
            (
                #""pre_tokenizer": {"type": "Digits", "individual_digits": true}"#, "pre_tokenizer",
                "without ByteLevel at its end"
            ),
            (#""pre_tokenizer": null"#, "pre_tokenizer", "null"),
        ])
    func refused(part: String, key: String, value: String) throws {
        let whole =
            [#""pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false}"#, #""normalizer": null"#]
            .filter { !$0.hasPrefix("\"\(key)\"") } + [part]
        let file =
            "{\"model\": {\"type\": \"BPE\", \"vocab\": {\"a\": 0}, \"merges\": []}, \(whole.joined(separator: ", "))}"
        do {
            _ = try Self.tokenizer(file)
            Issue.record("it was taken")
        } catch let error as CheckpointError {
            guard case .badSetting(let named, let said, _) = error.cause else {
                Issue.record("\(error)")
                return
            }
            #expect(named == key)
            #expect(said == value)
        }
    }

    /// By way of a model's folder, as every other file of one is read.
    static func tokenizer(_ file: String) throws -> Tokenizer {
        let folder = FileManager.default.temporaryDirectory.appending(path: "hearth-tokenizer-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let header = #"{"model.norm.weight": {"dtype": "F32", "shape": [4], "data_offsets": [0, 16]}}"#
        let length = Data((0..<8).map { UInt8(truncatingIfNeeded: header.utf8.count >> (8 * $0)) })
        try (length + Data(header.utf8) + Data(count: 16)).write(to: folder.appending(path: "model.safetensors"))
        try Data(file.utf8).write(to: folder.appending(path: "tokenizer.json"))
        try Data(
            #"""
            {"model_type": "llama", "hidden_size": 4, "intermediate_size": 4, "num_hidden_layers": 1, "num_attention_heads": 1,
             "rms_norm_eps": 1e-5, "max_position_embeddings": 16}
            """#.utf8
        ).write(to: folder.appending(path: "config.json"))
        return try Tokenizer(TokenizerFacts(metadata: Checkpoint.open(folder).metadata))
    }
}
