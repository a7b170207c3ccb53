import HearthTokens

/// What this room asks of a file's metadata: typed values by key, nil where the key is absent, an error where its value
/// has another type. The reader of the file format conforms to it from above.
package protocol TokenizerMetadata {
    func text(at key: String) throws -> String?
    func texts(at key: String) throws -> [[UInt8]]?
    func number(at key: String) throws -> Int?
    func numbers(at key: String) throws -> [Int]?
    func reals(at key: String) throws -> [Float]?
    func flag(at key: String) throws -> Bool?
}

extension TokenizerFacts {
    /// The facts under GGUF's keys (`tokenizer.ggml.…`).
    package init(metadata: some TokenizerMetadata) throws {
        func key(_ name: String) -> String { "tokenizer.ggml.\(name)" }
        // Of models that were no GGUF file before.
        func ours(_ name: String) -> String { "tokenizer.hearth.\(name)" }
        guard let model = try metadata.text(at: key("model")) else { throw TokenizerError.missing(key: key("model")) }
        guard let pieces = try metadata.texts(at: key("tokens")) else {
            throw TokenizerError.missing(key: key("tokens"))
        }
        func token(_ name: String) throws -> Token? {
            guard let number = try metadata.number(at: key(name)) else { return nil }
            // Converters write −1, or 4294967295, for a role that nobody has.
            if number == -1 || number == Int(UInt32.max) { return nil }
            guard pieces.indices.contains(number), let token = Token(exactly: number) else {
                throw TokenizerError.unusable(
                    key: key(name), value: "\(number)", expected: "the vocabulary has \(pieces.count) pieces")
            }
            return token
        }
        self.init(
            model: model,
            preTokenizer: try metadata.text(at: key("pre")),
            pieces: pieces,
            kinds: try Self.kinds(metadata, key("token_type")),
            scores: try metadata.reals(at: key("scores")) ?? [],
            merges: try metadata.texts(at: key("merges")) ?? [],
            bos: try token("bos_token_id") ?? token("cls_token_id"),
            eos: try token("eos_token_id"),
            endOfTurn: try token("eot_token_id"),
            endOfMessage: try token("eom_token_id"),
            unknown: try token("unknown_token_id"),
            separator: try token("seperator_token_id"),  // sic
            padding: try token("padding_token_id"),
            mask: try token("mask_token_id"),
            addBOS: try metadata.flag(at: key("add_bos_token")),
            addEOS: try metadata.flag(at: key("add_eos_token")),
            addSeparator: try metadata.flag(at: key("add_sep_token")),
            addSpacePrefix: try metadata.flag(at: key("add_space_prefix")),
            removeExtraSpaces: try metadata.flag(at: key("remove_extra_whitespaces")),
            modelName: try metadata.text(at: "general.name"),
            architecture: try metadata.text(at: "general.architecture"),
            charactersMap: try metadata.numbers(at: key("precompiled_charsmap"))?.map { UInt8(truncatingIfNeeded: $0) }
                ?? [],
            lowercases: try metadata.flag(at: key("normalizer.lowercase")),
            stripsAccents: try metadata.flag(at: key("normalizer.strip_accents")),
            normalizers: try metadata.texts(at: ours("normalizers")) ?? [],
            ignoresMerges: try metadata.flag(at: ours("ignore_merges")),
            prefixUnlessThere: try metadata.flag(at: ours("space_prefix_unless_there")),
            prefixOnlyFirst: try metadata.flag(at: ours("space_prefix_only_first")),
            splitsWords: try metadata.flag(at: ours("split_words")),
            takesSpaceBefore: try metadata.numbers(at: ours("takes_space_before"))?.compactMap(Token.init(exactly:)),
            takesSpaceAfter: try metadata.numbers(at: ours("takes_space_after"))?.compactMap(Token.init(exactly:)))
    }

    private static func kinds(_ metadata: some TokenizerMetadata, _ key: String) throws -> [TokenKind] {
        guard let numbers = try metadata.numbers(at: key) else { return [] }
        var kinds: [TokenKind] = []
        kinds.reserveCapacity(numbers.count)
        for (index, number) in numbers.enumerated() {
            // 0 is the format's "undefined", which converters write for ordinary pieces.
            guard let kind = number == 0 ? .normal : UInt8(exactly: number).flatMap(TokenKind.init(rawValue:)) else {
                throw TokenizerError.unusable(
                    key: "\(key)[\(index)]", value: "\(number)", expected: "token types are 1 to 6")
            }
            kinds.append(kind)
        }
        return kinds
    }
}
