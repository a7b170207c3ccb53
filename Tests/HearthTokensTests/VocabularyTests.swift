import HearthTokens
import Testing

@Suite("Vocabulary")
struct VocabularyTests {
    func vocabulary(_ pieces: [String], kinds: [TokenKind] = [], special: SpecialTokens = SpecialTokens()) throws
        -> Vocabulary
    {
        try Vocabulary(pieces: pieces.map { Array($0.utf8) }, kinds: kinds, scores: [], special: special)
    }

    @Test("T-16 pieces that Unicode calls equal keep their own ids")
    func canonicalEquivalence() throws {
        let filler = (0..<10).map { "<\($0)>" }
        let vocabulary = try vocabulary(filler + ["\u{E9}", "e\u{301}", "e", "\u{301}"])
        #expect(vocabulary.count == 14)
        #expect(vocabulary.token(of: [0xC3, 0xA9]) == 10)
        #expect(vocabulary.token(of: [0x65, 0xCC, 0x81]) == 11)
        #expect(vocabulary.token(of: [0x65]) == 12)
        #expect(vocabulary.token(of: [0xCC, 0x81]) == 13)
        #expect(vocabulary.bytes(of: 10) == [0xC3, 0xA9])
        #expect(vocabulary.bytes(of: 11) == [0x65, 0xCC, 0x81])
    }

    @Test("among pieces with the same bytes the normal one answers first, and all keep their numbers")
    func preference() throws {
        let vocabulary = try vocabulary(
            ["A", "A", "A", "A", "B", "B"], kinds: [.byte, .control, .userDefined, .normal, .byte, .control])
        #expect(vocabulary.token(of: "A".utf8) == 3)
        #expect(vocabulary.token(of: "B".utf8) == 5)
        #expect((0..<6).map { vocabulary.bytes(of: $0) } == [[65], [65], [65], [65], [66], [66]])
    }

    @Test("a number past the last piece stands for nothing")
    func outside() throws {
        let vocabulary = try vocabulary(["a"])
        #expect(vocabulary.bytes(of: 1).isEmpty)
        #expect(vocabulary.bytes(of: -1).isEmpty)
        #expect(vocabulary.kind(of: 1) == .unused)
        let beyond = unsafe vocabulary.withBytes(of: 7) { $0.count }
        #expect(beyond == 0)
        let first = unsafe vocabulary.withBytes(of: 0) { unsafe Array($0) }
        #expect(first == [97])
    }

    @Test("30,000 pieces are all found, and nothing else is")
    func many() throws {
        let vocabulary = try vocabulary((0..<30_000).map { "piece \($0)" })
        #expect((0..<30_000).allSatisfy { vocabulary.token(of: "piece \($0)".utf8) == Token($0) })
        #expect(vocabulary.token(of: "piece 30000".utf8) == nil)
        #expect(vocabulary.token(of: "piece".utf8) == nil)
        #expect(vocabulary.token(of: [UInt8]()) == nil)
    }

    @Test("the end tokens are those listed and those with a part, in order")
    func ends() throws {
        let special = SpecialTokens(eos: 2, endOfTurn: 5, ends: [9, 2])
        #expect(special.ends == [2, 5, 9])
    }

    @Test(
        "every cause has its words",
        arguments: [
            (VocabularyError.empty, "The vocabulary has no pieces. Use a model file that contains its tokenizer."),
            (
                .tooLarge(count: 3_000_000_000),
                "The vocabulary has 3000000000 pieces; at most 2147483647 can be numbered. Check the model file."
            ),
            (
                .kindsMiscounted(kinds: 2, pieces: 3),
                "The vocabulary has 2 token types for 3 pieces; there must be one for each. Check the model file."
            ),
            (
                .scoresMiscounted(scores: 2, pieces: 3),
                "The vocabulary has 2 scores for 3 pieces; there must be one for each. Check the model file."
            ),
            (
                .specialOutside(role: "eos", token: 9, pieces: 3),
                "The eos token is 9, but the vocabulary's 3 pieces end at 2. Check the model file."
            ),
        ])
    func words(error: VocabularyError, text: String) { #expect(error.description == text) }

    @Test("counts that do not fit and special tokens outside are refused")
    func refused() throws {
        #expect(throws: VocabularyError.empty) { try vocabulary([]) }
        #expect(throws: VocabularyError.kindsMiscounted(kinds: 1, pieces: 2)) {
            try vocabulary(["a", "b"], kinds: [.normal])
        }
        #expect(throws: VocabularyError.specialOutside(role: "bos", token: 2, pieces: 2)) {
            try vocabulary(["a", "b"], special: SpecialTokens(bos: 2))
        }
        #expect(throws: VocabularyError.scoresMiscounted(scores: 1, pieces: 2)) {
            try Vocabulary(pieces: [[1], [2]], kinds: [], scores: [0], special: SpecialTokens())
        }
    }
}
