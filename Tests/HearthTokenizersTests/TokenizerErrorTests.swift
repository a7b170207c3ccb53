import HearthTokenizers
import HearthTokens
import Testing

@Suite("TokenizerError")
struct TokenizerErrorTests {
    static let table: [(TokenizerError, String)] = [
        (
            .unknownModel("rwkv", known: ["gpt2", "llama"]),
            "The tokenizer model `rwkv` is unknown; known are `gpt2`, `llama`. Convert the model anew, or use another file."
        ),
        (
            .unknownPreTokenizer("qwen9", known: ["gpt-2", "qwen2"]),
            "The pre-tokenizer `qwen9` is unknown, and guessing would change the model's input; known are `gpt-2`, `qwen2`. "
                + "Use a file whose `tokenizer.ggml.pre` is one of these."
        ),
        (
            .missing(key: "tokenizer.ggml.tokens"),
            "The model file has no `tokenizer.ggml.tokens`, which its tokenizer needs. Convert the model anew, or use another "
                + "file."
        ),
        (
            .unusable(key: "tokenizer.ggml.bos_token_id", value: "99", expected: "the vocabulary has 3 pieces"),
            "`tokenizer.ggml.bos_token_id` is 99; the vocabulary has 3 pieces. Check the model file."
        ),
        (
            .merge(index: 7, text: "ab"),
            "Merge 7 of `tokenizer.ggml.merges` is `ab`; it must be two pieces with a space between them. Check the model file."
        ),
        (.vocabulary(.empty), VocabularyError.empty.description),
        (
            .noPiece(byte: 0x0A, offset: 3),
            "No piece of the vocabulary stands for the byte 0x0A at offset 3 of the text, and there is no unknown token. "
                + "Leave that text out, or use another model."
        ),
        (
            .textTooLong(bytes: 3_000_000_000, limit: 2_147_483_646),
            "The text has 3000000000 bytes; at most 2147483646 can be encoded at once. Give it in parts."
        ),
    ]

    @Test("every cause has its words", arguments: table)
    func words(error: TokenizerError, text: String) { #expect(error.description == text) }

    @Test("a text without a piece is refused with its place, or becomes the unknown token where there is one")
    func noPiece() throws {
        let tokenizer = try Tokenizer(Small.sentencePiece(["a", "b"]))
        #expect(throws: TokenizerError.noPiece(byte: 0x63, offset: 2)) {
            try tokenizer.encode("abc".utf8, control: .asText)
        }
        let kinds: [TokenKind] = [.normal, .normal, .unknown]
        let lenient = try Tokenizer(Small.sentencePiece(["a", "b", "<unk>"], kinds: kinds, unknown: 2))
        #expect(try lenient.encode("acb".utf8, control: .asText) == [0, 2, 1])
    }

    @Test("what cannot be a tokenizer is refused by name")
    func refused() throws {
        var facts = Small.bytePair()
        facts.model = "rwkv"
        #expect(throws: TokenizerError.unknownModel("rwkv", known: ["bert", "gemma4", "gpt2", "llama", "t5"])) {
            try Tokenizer(facts)
        }
        for merge in ["", "a", "ab", "a ", " a", "abc"] {
            var facts = Small.bytePair()
            facts.merges = [Array(merge.utf8)]
            #expect(throws: TokenizerError.merge(index: 0, text: merge), "\(merge.debugDescription)") {
                try Tokenizer(facts)
            }
        }
        facts = Small.bytePair()
        facts.pieces = []
        #expect(throws: TokenizerError.vocabulary(.kindsMiscounted(kinds: 256, pieces: 0))) { try Tokenizer(facts) }
        facts.kinds = []
        #expect(throws: TokenizerError.vocabulary(.empty)) { try Tokenizer(facts) }
        facts = Small.bytePair(bos: 256)
        #expect(throws: TokenizerError.vocabulary(.specialOutside(role: "bos", token: 256, pieces: 256))) {
            try Tokenizer(facts)
        }
    }
}
