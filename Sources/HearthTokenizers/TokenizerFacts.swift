package import HearthTokens

/// What a model file says about its tokenizer, as the file spells it. A plain value: where the file keeps each fact is
/// the business of whoever fills it in.
package struct TokenizerFacts: Sendable {
    /// `gpt2` (byte-level BPE), `llama` (SentencePiece BPE), ...
    package var model: String
    package var preTokenizer: String?
    /// Pieces as the file spells them: `Ġthe`, `▁the`, `<0x0A>`.
    package var pieces: [[UInt8]]
    /// One for each piece, or empty: all normal.
    package var kinds: [TokenKind]
    /// One for each piece, or empty.
    package var scores: [Float]
    /// Two pieces with a space between them, the first merge first.
    package var merges: [[UInt8]]

    package var bos: Token?
    package var eos: Token?
    package var endOfTurn: Token?
    package var endOfMessage: Token?
    package var unknown: Token?
    package var separator: Token?
    package var padding: Token?
    package var mask: Token?

    /// nil where the file does not say and the model's usual way holds.
    package var addBOS: Bool?
    package var addEOS: Bool?
    package var addSeparator: Bool?
    package var addSpacePrefix: Bool?
    package var removeExtraSpaces: Bool?

    /// The model's name, by which a few tokenizers are told apart that the file has no key for.
    package var modelName: String?
    /// The model's architecture, for the same purpose.
    package var architecture: String?
    /// SentencePiece's compiled normalisation rules.
    package var charactersMap: [UInt8]
    package var lowercases: Bool?
    package var stripsAccents: Bool?

    // What `tokenizer.json` says and GGUF has no key for.
    /// `TextNormalizer`'s steps, each name with its texts behind it.
    package var normalizers: [[UInt8]]
    /// A word that is a piece as a whole becomes that piece; nil where the pre-tokenizer's name says it.
    package var ignoresMerges: Bool?
    /// The space before a text is left out where the text begins with one.
    package var prefixUnlessThere: Bool?
    /// The space goes before the whole text only, not before the text after an added piece.
    package var prefixOnlyFirst: Bool?
    /// No piece of the unigram model crosses the beginning of a word.
    package var splitsWords: Bool?
    /// Added pieces that take the white space before or after them along; nil where nothing is said.
    package var takesSpaceBefore: [Token]?
    package var takesSpaceAfter: [Token]?

    package init(
        model: String, preTokenizer: String? = nil, pieces: [[UInt8]], kinds: [TokenKind] = [], scores: [Float] = [],
        merges: [[UInt8]] = [], bos: Token? = nil, eos: Token? = nil, endOfTurn: Token? = nil,
        endOfMessage: Token? = nil, unknown: Token? = nil, separator: Token? = nil, padding: Token? = nil,
        mask: Token? = nil, addBOS: Bool? = nil, addEOS: Bool? = nil, addSeparator: Bool? = nil,
        addSpacePrefix: Bool? = nil, removeExtraSpaces: Bool? = nil, modelName: String? = nil,
        architecture: String? = nil, charactersMap: [UInt8] = [], lowercases: Bool? = nil, stripsAccents: Bool? = nil,
        normalizers: [[UInt8]] = [], ignoresMerges: Bool? = nil, prefixUnlessThere: Bool? = nil, prefixOnlyFirst: Bool? = nil,
        splitsWords: Bool? = nil, takesSpaceBefore: [Token]? = nil, takesSpaceAfter: [Token]? = nil
    ) {
        self.model = model
        self.preTokenizer = preTokenizer
        self.pieces = pieces
        self.kinds = kinds
        self.scores = scores
        self.merges = merges
        self.bos = bos
        self.eos = eos
        self.endOfTurn = endOfTurn
        self.endOfMessage = endOfMessage
        self.unknown = unknown
        self.separator = separator
        self.padding = padding
        self.mask = mask
        self.addBOS = addBOS
        self.addEOS = addEOS
        self.addSeparator = addSeparator
        self.addSpacePrefix = addSpacePrefix
        self.removeExtraSpaces = removeExtraSpaces
        self.modelName = modelName
        self.architecture = architecture
        self.charactersMap = charactersMap
        self.lowercases = lowercases
        self.stripsAccents = stripsAccents
        self.normalizers = normalizers
        self.ignoresMerges = ignoresMerges
        self.prefixUnlessThere = prefixUnlessThere
        self.prefixOnlyFirst = prefixOnlyFirst
        self.splitsWords = splitsWords
        self.takesSpaceBefore = takesSpaceBefore
        self.takesSpaceAfter = takesSpaceAfter
    }
}
