extension PreTokenizer {
    /// What begins a name that lists passes: `passes:digits1,gpt2`.
    static let passesPrefix = "passes:"

    /// The passes of a comma-separated list, for tokenizers that GGUF has no name for.
    static func passes(_ list: String) throws(TokenizerError) -> [SplitPattern] {
        var passes: [SplitPattern] = []
        for name in list.split(separator: ",", omittingEmptySubsequences: false) {
            guard let pass = passTable.first(where: { $0.name == name }) else {
                throw .unknownPreTokenizer(passesPrefix + list, known: passTable.map { passesPrefix + $0.name })
            }
            passes.append(pass.value)
        }
        return passes
    }

    /// `HearthWeights/Safetensors/SplitRules` gives expressions these names.
    private static let passTable: [(name: String, value: SplitPattern)] = [
        ("gpt2", .gpt2),
        ("words-1", .words(WordPattern(numbers: 1))),
        ("words-3", .words(WordPattern())),
        ("words-all", .words(WordPattern(numbers: .max))),
        ("words-marks-1", .words(WordPattern(words: .lettersAndMarks, numbers: 1))),
        ("words-plain-1", .words(WordPattern(contractions: .none, numbers: 1))),
        ("words-cased-3", .words(.gpt4o)),
        (
            "words-cased-plain-1",
            .words(WordPattern(words: .cased, contractions: .none, numbers: 1, tail: .newlinesAndSlashes))
        ),
        ("words-marked", .words(WordPattern(words: .marked, contractions: .none, numbers: nil))),
        ("numbers-1", .numbers(upTo: 1)),
        ("numbers-3", .numbers(upTo: 3)),
        ("numbers", .numbers(upTo: .max)),
        ("digit-triples", .digitTriples),
        ("punctuation", .one(ScalarSet(.punctuation, of: "$+<=>^`|~"))),
        ("punctuation-runs", .run(ScalarSet(.punctuation, of: "$+<=>^`|~"))),
        ("line-ends", .one(PreTokenizerSets.lineEnds)),
        ("lines", .lines),
        ("final-space", .finalSpace),
        ("cjk", .run(PreTokenizerSets.cjk)),
        ("deepseek-cjk", .run(PreTokenizerSets.deepSeekCJK)),
        ("deepseek-letters", .run(PreTokenizerSets.deepSeekLetters, after: .anySpace)),
        ("deepseek-punctuation", .run(PreTokenizerSets.deepSeekPunctuation, after: .anySpace)),
        ("letters", .run(ScalarSet(.letter), after: .anySpace)),
        ("unicode-punctuation", .run(ScalarSet(.punctuation), after: .anySpace)),
        ("bloom", .run(PreTokenizerSets.bloom, after: .blank)),
    ]
}
