import HearthJSON
import HearthTestSupport
import HearthTokenizers
import Testing

@Suite("PreTokenizer")
struct PreTokenizerTests {
    static let names = [
        "bloom", "deepseek-coder", "deepseek-llm", "deepseek-v3", "default", "falcon", "gpt-2", "gpt-4o", "laguna",
        "llama-bpe", "minicpm5", "qwen2", "qwen35", "seed-coder", "smollm", "tekken", "ufakzeka", "viking",
    ]

    @Test("words end where a regular expression ends them", arguments: names)
    func oracle(name: String) throws {
        let json = try JSON.parse([UInt8](Fixtures.bytes("tokenizers/splits.json")))
        let texts = try #require(json["texts"]?.arrayValue).map { try #require($0.stringValue) }
        let ends = try #require(json["ends"]?[name]?.arrayValue)
        #expect(texts.count == ends.count && texts.count > 40)
        let preTokenizer = try PreTokenizer.named(name)
        for (text, expected) in zip(texts, ends) {
            let ours = preTokenizer.words(in: Array(text.utf8)).map(\.upperBound)
            #expect(ours == expected.arrayValue?.compactMap(\.intValue), "\(name): \(text.debugDescription)")
        }
    }

    @Test("words together are the text, whatever the bytes", arguments: PreTokenizer.known)
    func partition(name: String) throws {
        let preTokenizer = try PreTokenizer.named(name)
        var random = SeededGenerator(seed: 3)
        for length in 0..<80 {
            let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
            let words = preTokenizer.words(in: bytes)
            #expect(words.first?.lowerBound ?? 0 == 0)
            #expect(words.last?.upperBound ?? 0 == length)
            #expect(zip(words, words.dropFirst()).allSatisfy { $0.upperBound == $1.lowerBound })
            #expect(words.allSatisfy { !$0.isEmpty })
        }
    }
}
