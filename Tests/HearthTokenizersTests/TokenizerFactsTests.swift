import HearthTokenizers
import HearthTokens
import Testing

@Suite("TokenizerFacts")
struct TokenizerFactsTests {
    /// Metadata in memory.
    struct Fake: TokenizerMetadata {
        var texts: [String: String] = ["tokenizer.ggml.model": "gpt2"]
        var lists: [String: [String]] = ["tokenizer.ggml.tokens": ["a", "b", "<s>"]]
        var numbers: [String: Int] = [:]
        var numberLists: [String: [Int]] = [:]
        var flags: [String: Bool] = [:]

        func text(at key: String) throws -> String? { texts[key] }
        func texts(at key: String) throws -> [[UInt8]]? { lists[key]?.map { Array($0.utf8) } }
        func number(at key: String) throws -> Int? { numbers[key] }
        func numbers(at key: String) throws -> [Int]? { numberLists[key] }
        func reals(at key: String) throws -> [Float]? { nil }
        func flag(at key: String) throws -> Bool? { flags[key] }
    }

    @Test("facts stand under the format's keys")
    func keys() throws {
        var fake = Fake()
        fake.texts["tokenizer.ggml.pre"] = "smollm"
        fake.numbers = [
            "tokenizer.ggml.bos_token_id": 2, "tokenizer.ggml.eos_token_id": 1, "tokenizer.ggml.eot_token_id": 0,
        ]
        fake.numberLists["tokenizer.ggml.token_type"] = [1, 0, 3]
        fake.flags["tokenizer.ggml.add_bos_token"] = true
        let facts = try TokenizerFacts(metadata: fake)
        #expect(facts.preTokenizer == "smollm")
        #expect(facts.pieces.count == 3)
        #expect(facts.kinds == [.normal, .normal, .control])
        #expect(facts.bos == 2 && facts.eos == 1 && facts.endOfTurn == 0)
        #expect(facts.addBOS == true && facts.addEOS == nil)
    }

    @Test("a role that nobody has is none; one outside the vocabulary is refused", arguments: [-1, 4_294_967_295])
    func roles(none: Int) throws {
        var fake = Fake()
        fake.numbers["tokenizer.ggml.padding_token_id"] = none
        #expect(try TokenizerFacts(metadata: fake).padding == nil)
        fake.numbers["tokenizer.ggml.padding_token_id"] = 3
        #expect(
            throws: TokenizerError.unusable(
                key: "tokenizer.ggml.padding_token_id", value: "3", expected: "the vocabulary has 3 pieces")
        ) { try TokenizerFacts(metadata: fake) }
    }

    @Test("a token type that the format does not have is refused with its place", arguments: [7, -1, 300])
    func kinds(number: Int) throws {
        var fake = Fake()
        fake.numberLists["tokenizer.ggml.token_type"] = [1, number, 3]
        #expect(
            throws: TokenizerError.unusable(
                key: "tokenizer.ggml.token_type[1]", value: "\(number)", expected: "token types are 1 to 6")
        ) { try TokenizerFacts(metadata: fake) }
    }

    @Test("without a model or pieces the missing key is named")
    func missing() throws {
        var fake = Fake()
        fake.lists = [:]
        #expect(throws: TokenizerError.missing(key: "tokenizer.ggml.tokens")) { try TokenizerFacts(metadata: fake) }
        fake.texts = [:]
        #expect(throws: TokenizerError.missing(key: "tokenizer.ggml.model")) { try TokenizerFacts(metadata: fake) }
    }

    @Test("end tokens are known by their text, and are control pieces whatever the file calls them")
    func ends() throws {
        let harmony = Small.bytePair(added: [
            ("<|end|>", .control), ("<|return|>", .control), ("<|call|>", .control), ("<|endoftext|>", .userDefined),
            ("<|eot_id|>", .normal), ("</s>", .userDefined), ("<|im>", .userDefined),
        ])
        let tokenizer = try Tokenizer(harmony)
        #expect(tokenizer.special.ends == [257, 258, 259, 260, 261])
        #expect(try tokenizer.encode("</s><|im>".utf8, control: .asText) == [60, 47, 115, 62, 262])
        #expect(try tokenizer.encode("</s><|im>".utf8, control: .recognised) == [261, 262])
        let plain = Small.bytePair(added: [("<|end|>", .control), ("<|im_end|>", .control)])
        #expect(try Tokenizer(plain).special.ends == [256, 257])
        #expect(try Tokenizer(plain).special.endOfTurn == 257)
    }
}
