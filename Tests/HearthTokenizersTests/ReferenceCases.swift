import Foundation
import HearthJSON
import HearthTestSupport
import HearthTokenizers
import HearthTokens
import HearthWeights
import Testing

extension Tokenizer {
    /// The tokenizer of a weight file.
    static func of(_ file: URL) throws -> Tokenizer {
        try Tokenizer(TokenizerFacts(metadata: Checkpoint.open(file).metadata))
    }
}

/// Texts with the tokens that the reference engine makes of them.
struct ReferenceCases {
    struct Case {
        var text: String
        var ids: [Token]
        /// With control tokens recognised and what the file wants around an input.
        var framed: [Token]?
        var decoded: String?
    }

    var cases: [Case]

    /// From `references/NAME.json`, or `references/real/NAME.json`, which has no decoded texts.
    init(reference name: String) throws { try self.init(fixture: "references/\(name).json") }

    /// From a file among the fixtures.
    init(fixture path: String) throws {
        let json = try JSON.parse([UInt8](Fixtures.bytes(path)))
        let list = try #require(json["tokenizer"]?["cases"]?.arrayValue ?? json["tokenizer"]?.arrayValue)
        cases = try list.map { item in
            func ids(_ key: String) throws -> [Token] {
                try #require(item[key]?.arrayValue).map { Token(try #require($0.intValue)) }
            }
            return Case(
                text: try #require(item["text"]?.stringValue), ids: try ids("ids"),
                framed: try item["ids_special"].map { _ in try ids("ids_special") },
                decoded: item["decoded"]?.stringValue)
        }
    }

    /// From a vocabulary's `.inp` and `.out` files; the ids are without special tokens.
    init(vocabulary name: String) throws {
        let file = Store.vocabularies.appending(path: "ggml-vocab-\(name).gguf")
        let texts = try String(contentsOf: file.appendingPathExtension("inp"), encoding: .utf8)
            .components(separatedBy: "\n__ggml_vocab_test__\n")
        let lines = try String(contentsOf: file.appendingPathExtension("out"), encoding: .utf8).components(
            separatedBy: "\n")
        cases = zip(texts, lines).map { text, line in
            Case(text: text, ids: line.split(separator: " ").compactMap { Token($0) })
        }
        try #require(texts.count <= lines.count)
    }

    /// Compares each case, telling the text and both lists of tokens where they differ.
    func check(_ tokenizer: Tokenizer, _ name: String) throws {
        #expect(cases.count >= 19, "\(name)")
        for item in cases {
            let bytes = Array(item.text.utf8)
            let ids = try tokenizer.encode(bytes, control: .asText)
            #expect(ids == item.ids, "\(name): \(item.text.debugDescription)")
            if let framed = item.framed {
                let ours = tokenizer.framed(try tokenizer.encode(bytes, control: .recognised))
                #expect(ours == framed, "\(name), control tokens recognised: \(item.text.debugDescription)")
            }
            if let decoded = item.decoded {
                let text = String(decoding: tokenizer.decode(item.ids, skippingControl: false), as: UTF8.self)
                #expect(text.utf8.elementsEqual(decoded.utf8), "\(name): \(item.text.debugDescription)")
                var stream = StreamDecoder(tokenizer, skippingControl: false)
                var joined = ""
                for id in item.ids { joined += stream.push(id) }
                joined += stream.finish()
                #expect(joined.utf8.elementsEqual(text.utf8), "\(name), streamed: \(item.text.debugDescription)")
            }
        }
    }
}
