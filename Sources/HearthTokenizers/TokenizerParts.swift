import HearthTokens

/// The algorithm that a file names, made from its facts, with what holds where the file says nothing.
struct TokenizerParts {
    let vocabulary: Vocabulary
    let algorithm: Tokenizer.Algorithm
    var addsSpacePrefix = false
    var dropsFirstSpace = false
    var cleansSpaces = false
    let normalizer: TextNormalizer

    /// What `tokenizer.ggml.model` may be.
    static let models = ["bert", "gemma4", "gpt2", "llama", "t5"]

    init(_ facts: TokenizerFacts) throws(TokenizerError) {
        // Where steps name the map, it has its place among them.
        let hasSteps = !facts.normalizers.isEmpty
        normalizer = try TextNormalizer(facts.normalizers, map: facts.charactersMap)
        switch facts.model {
        case "gpt2":
            guard let name = facts.preTokenizer else { throw .missing(key: "tokenizer.ggml.pre") }
            // Gemma 4's converters write either of two model names.
            if name == "gemma4" {
                (vocabulary, algorithm) = try Self.lines(facts)
                return
            }
            var preTokenizer = try PreTokenizer.named(name)
            if let ignoresMerges = facts.ignoresMerges { preTokenizer.ignoresMerges = ignoresMerges }
            vocabulary = try facts.vocabulary(spelled: .byteAlphabet, addsBOS: preTokenizer.addsBOS)
            algorithm = .bytePair(
                try BytePairEncoder(
                    vocabulary: vocabulary, merges: facts.merges, preTokenizer: preTokenizer, unit: .byte,
                    decode: { spelled, output in ByteAlphabet.decode(spelled, into: &output) }))
        case "gemma4":
            (vocabulary, algorithm) = try Self.lines(facts)
        case "llama":
            vocabulary = try facts.sentencePieceDefaults().vocabulary(spelled: .metaspace, addsBOS: true)
            addsSpacePrefix = facts.addSpacePrefix ?? true
            dropsFirstSpace = addsSpacePrefix
            algorithm = .sentencePiece(
                SentencePieceEncoder(
                    vocabulary: vocabulary, addsSpacePrefix: addsSpacePrefix,
                    prefixUnlessThere: facts.prefixUnlessThere ?? false, splitsWords: facts.splitsWords ?? false))
        case "t5":
            vocabulary = try facts.vocabulary(spelled: .metaspace, addsEOS: true)
            addsSpacePrefix = facts.addSpacePrefix ?? false
            dropsFirstSpace = addsSpacePrefix
            let beginsWithSpace = addsSpacePrefix && facts.prefixUnlessThere == true
            let normalizer = UnigramNormalizer(
                map: facts.charactersMap.isEmpty || hasSteps ? nil : try CharactersMap(facts.charactersMap),
                addsSpacePrefix: addsSpacePrefix && !beginsWithSpace,
                removesExtraSpaces: facts.removeExtraSpaces ?? false)
            algorithm = .unigram(
                UnigramEncoder(
                    vocabulary: vocabulary, normalizer: normalizer, splitsWords: facts.splitsWords ?? false,
                    beginsWithSpace: beginsWithSpace))
        case "bert":
            vocabulary = try facts.vocabulary(spelled: .metaspace, addsBOS: true, addsSeparator: true)
            guard let unknown = facts.unknown else { throw .missing(key: "tokenizer.ggml.unknown_token_id") }
            cleansSpaces = true
            let lowercases = facts.lowercases ?? true
            algorithm = .wordPiece(
                WordPieceEncoder(
                    vocabulary: vocabulary, unknown: unknown, lowercases: lowercases,
                    stripsAccents: facts.stripsAccents ?? lowercases))
        default:
            throw .unknownModel(facts.model, known: Self.models)
        }
    }

    /// Byte-pair encoding as Gemma 4 has it: SentencePiece's spelling, merges over whole lines, bytes where no piece is.
    private static func lines(_ facts: TokenizerFacts) throws(TokenizerError) -> (Vocabulary, Tokenizer.Algorithm) {
        var facts = facts
        // Its first converters wrote that no beginning token is wanted; the model wants one.
        facts.addBOS = true
        let vocabulary = try facts.vocabulary(spelled: .metaspace)
        let encoder = try BytePairEncoder(
            vocabulary: vocabulary, merges: facts.merges, preTokenizer: PreTokenizer(passes: [.lines]), unit: .scalar,
            decode: { spelled, output in output.append(contentsOf: Metaspace.toSpaces(spelled)) })
        return (vocabulary, .bytePair(encoder))
    }
}

extension TokenizerFacts {
    /// SentencePiece's own numbers for the roles that old files do not name: 0 unknown, 1 beginning, 2 end.
    fileprivate func sentencePieceDefaults() -> TokenizerFacts {
        func has(_ index: Int, _ kind: TokenKind) -> Bool { kinds.indices.contains(index) && kinds[index] == kind }
        var facts = self
        if unknown == nil, has(0, .unknown) { facts.unknown = 0 }
        if bos == nil, has(1, .control) { facts.bos = 1 }
        if eos == nil, has(2, .control) { facts.eos = 2 }
        return facts
    }

    /// Whether an added piece takes the blanks before or after it along. `tokenizer.json` says so; no key of GGUF does: Phi-3's tokenizer
    /// does it for all but three of its pieces, and a few encoders for their mask.
    func swallowing() -> (Token) -> (before: Bool, after: Bool) {
        if let before = takesSpaceBefore, let after = takesSpaceAfter {
            let (before, after) = (Set(before), Set(after))
            return { (before.contains($0), after.contains($0)) }
        }
        let name = modelName?.lowercased() ?? ""
        let isPhi = name.contains("phi-3") || name.contains("phi3")
        let masks: Bool =
            ["jina-v2-de", "jina-v2-es", "jina-v2-code"].contains(preTokenizer)
            || ["nomic-bert-moe", "jina-bert-v3"].contains(architecture) || name.contains("modern-bert")
        guard isPhi || masks else { return { _ in (false, false) } }
        return { token in
            let text = String(decoding: pieces[Int(token)], as: UTF8.self)
            if isPhi { return (false, !["<unk>", "<s>", "<|endoftext|>"].contains(text)) }
            return (text == "<mask>" || text == "[MASK]", false)
        }
    }
}
