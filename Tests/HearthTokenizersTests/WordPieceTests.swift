import HearthTokenizers
import HearthTokens
import Testing

@Suite("WordPiece")
struct WordPieceTests {
    static let pieces = [
        "[UNK]", "▁hello", "▁naive", "▁un", "able", "▁,", "▁世", "▁界", "▁가", "▁it", "▁'", "▁s", "▁İ", "▁É", "▁$", "▁a",
        "▁€b",
        "▁ᄀ", "ᅡ",
    ]

    func tokenizer(lowercases: Bool? = nil, stripsAccents: Bool? = nil) throws -> Tokenizer {
        try Tokenizer(
            TokenizerFacts(
                model: "bert", pieces: Self.pieces.map { Array($0.utf8) },
                kinds: Self.pieces.map { $0 == "[UNK]" ? .unknown : .normal },
                unknown: 0, lowercases: lowercases, stripsAccents: stripsAccents))
    }

    @Test(
        "words are cut, lowered and freed of accents as BERT does",
        arguments: [
            ("Hello", [1]), ("NAÏVE", [2]), ("nai\u{308}ve", [2]), ("unable", [3, 4]), ("hello,hello", [1, 5, 1]),
            ("世界", [6, 7]), ("가", [17, 18]), ("a$a", [15, 14, 15]), ("€b", [16]), ("unhello", [0]),
            ("hello\u{0}\u{AD}", [1]),
            ("", []), (" \n\t", []), ("x", [0]),
        ] as [(String, [Token])])
    func words(text: String, tokens: [Token]) throws {
        #expect(try tokenizer().encode(text.utf8, control: .asText) == tokens)
    }

    @Test("a word of more than 100 characters is unknown, however many bytes they have")
    func longWords() throws {
        let tokenizer = try Tokenizer(
            TokenizerFacts(
                model: "bert", pieces: ["[UNK]", "▁a", "a", "▁ß", "ß"].map { Array($0.utf8) },
                kinds: [.unknown, .normal, .normal, .normal, .normal], unknown: 0))
        for (letter, first) in [("a", Token(1)), ("ß", 3)] {
            let longest = String(repeating: letter, count: 100)
            let tokens = [first] + Array(repeating: first + 1, count: 99)
            #expect(try tokenizer.encode(longest.utf8, control: .asText) == tokens)
            #expect(try tokenizer.encode("\(longest)\(letter) \(longest)".utf8, control: .asText) == [0] + tokens)
        }
    }

    @Test("a cased model keeps case and accents")
    func cased() throws {
        #expect(try tokenizer(lowercases: false).encode("É hello Hello".utf8, control: .asText) == [13, 1, 0])
        #expect(try tokenizer(lowercases: false, stripsAccents: true).encode("naïve".utf8, control: .asText) == [2])
    }

    @Test("no space is printed before punctuation nor around an apostrophe, streamed alike")
    func spacing() throws {
        let tokenizer = try tokenizer()
        for (tokens, text) in [
            ([9, 10, 11, 5], " it's,"), ([9, 10], " it '"), ([9, 10, 5], " it ',"), ([9, 10, 10, 11], " it'' s"),
            ([5, 3, 4], ", unable"),
        ] as [([Token], String)] {
            #expect(String(decoding: tokenizer.decode(tokens, skippingControl: true), as: UTF8.self) == text)
            var stream = StreamDecoder(tokenizer, skippingControl: true)
            #expect(tokens.map { stream.push($0) }.joined() + stream.finish() == text)
        }
    }
}
