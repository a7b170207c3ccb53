import Foundation
import HearthTestSupport
import HearthTokenizers
import HearthTokens
import Testing

@Suite("Unigram")
struct UnigramTests {
    func facts(_ pieces: [(String, Float)], kinds: [TokenKind]) -> TokenizerFacts {
        TokenizerFacts(
            model: "t5", pieces: pieces.map { Array($0.0.utf8) }, kinds: kinds, scores: pieces.map(\.1), unknown: 0,
            addEOS: false, addSpacePrefix: true, removeExtraSpaces: true)
    }

    @Test(
        "a reference vocabulary's texts become SentencePiece's tokens",
        .enabled(if: Store.has(Store.vocabularies), "run make test to fetch the vocabularies"))
    func reference() throws {
        let tokenizer = try Tokenizer.of(Store.vocabularies.appending(path: "ggml-vocab-nomic-bert-moe.gguf"))
        let cases = try ReferenceCases(fixture: "tokenizers/nomic-bert-moe.json")
        try cases.check(tokenizer, "nomic-bert-moe")
    }

    @Test("the best sum of scores wins over the longest piece")
    func bestSum() throws {
        let tokenizer = try Tokenizer(
            facts(
                [("<unk>", 0), ("▁a", -1), ("b", -1), ("ab", -1), ("▁", -3), ("▁ab", -4), ("c", -1)],
                kinds: [.unknown, .normal, .normal, .normal, .normal, .normal, .normal]))
        // ▁a + b: -2, ▁ + ab: -4, ▁ab: -4
        #expect(try tokenizer.encode("ab".utf8, control: .asText) == [1, 2])
        // unknown neighbours are one token
        #expect(try tokenizer.encode("abxyc".utf8, control: .asText) == [1, 2, 0, 6])
        #expect(try tokenizer.encode("  ab   c ".utf8, control: .asText) == [1, 2, 4, 6])
        #expect(try tokenizer.encode("".utf8, control: .asText).isEmpty)
    }

    @Test("with byte pieces an unknown scalar is its bytes")
    func bytes() throws {
        let tokenizer = try Tokenizer(
            facts(
                [("<unk>", 0), ("▁a", -1), ("<0xC3>", 0), ("<0xA9>", 0)], kinds: [.unknown, .normal, .byte, .byte]))
        #expect(try tokenizer.encode("aé".utf8, control: .asText) == [1, 2, 3])
        #expect(tokenizer.decode([1, 2, 3], skippingControl: true) == Array("aé".utf8))
    }

    @Test(
        "a character map that is cut off or points outside is refused",
        arguments: [
            [1], [0, 0, 0], [5, 0, 0, 0, 1, 2, 3, 4], [255, 255, 255, 255, 0], [8, 0, 0, 0, 1, 2, 3, 4],
            [4, 0, 0, 0, 1, 2, 3, 4, 65],
        ] as [[UInt8]])
    func brokenMap(map: [UInt8]) throws {
        var facts = facts([("<unk>", 0), ("▁a", -1)], kinds: [.unknown, .normal])
        facts.charactersMap = map
        let error = #expect(throws: TokenizerError.self) { try Tokenizer(facts) }
        guard case .unusable(key: "tokenizer.ggml.precompiled_charsmap", _, _) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("a character map of any bytes gives tokens or an error, never a trap", arguments: 0..<20 as Range<UInt64>)
    func anyMap(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var facts = facts([("<unk>", 0), ("▁a", -1)], kinds: [.unknown, .normal])
        for _ in 0..<50 {
            let units = Int.random(in: 0..<64, using: &random)
            var map: [UInt8] = [UInt8(units * 4), 0, 0, 0]
            map += (0..<units * 4).map { _ in UInt8.random(in: 0...255, using: &random) & 0x1F }
            map += (0..<8).map { _ in UInt8.random(in: 0...255, using: &random) } + [0]
            facts.charactersMap = map
            do throws(TokenizerError) {
                let tokens = try Tokenizer(facts).encode("a b\u{1}\u{2}\u{3}é".utf8, control: .asText)
                #expect(tokens.allSatisfy { $0 == 0 || $0 == 1 })
            } catch {
                guard case .unusable = error else { throw error }
            }
        }
    }
}
