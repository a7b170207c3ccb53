extension PreTokenizer {
    /// The pre-tokenizer that a file calls `name` (`tokenizer.ggml.pre`).
    package static func named(_ name: String) throws(TokenizerError) -> PreTokenizer {
        if name.hasPrefix(passesPrefix) { return PreTokenizer(passes: try passes(String(name.dropFirst(passesPrefix.count)))) }
        guard let found = table.first(where: { $0.names.contains(name) }) else {
            throw .unknownPreTokenizer(name, known: known)
        }
        return found.value
    }

    package static var known: [String] { table.flatMap(\.names).sorted() }

    /// Names as the converters to GGUF write them, and what each stands for.
    private static let table: [(names: [String], value: PreTokenizer)] = [
        (
            [
                "gpt-2", "phi-2", "jina-es", "jina-de", "gigachat", "jina-v1-en", "jina-v2-es", "jina-v2-de",
                "jina-v2-code", "roberta-bpe", "a.x-4.0", "mellum", "modern-bert", "mpt", "olmo", "jais", "trillion",
                "granite-docling", "exaone4",
            ],
            PreTokenizer(passes: [.gpt2])
        ),
        (
            ["smollm", "starcoder", "refact", "command-r", "codeshell", "exaone", "minerva-7b", "mellum2"],
            PreTokenizer(passes: [.numbers(upTo: 1), .gpt2])
        ),
        (
            ["default"],
            PreTokenizer(passes: [
                .run(ScalarSet(.punctuation, of: "$+<=>^~|")), .gpt2, .numbers(upTo: .max), .digitTriples,
            ])
        ),
        (["falcon"], PreTokenizer(passes: [.run(ScalarSet(.punctuation, of: "$+<=>^~|`")), .gpt2, .digitTriples])),
        (
            [
                "qwen2", "deepseek-r1-qwen", "kormo", "f2llmv2", "megrez", "stablelm2", "hunyuan", "solar-open",
                "grok-2",
                "bailingmoe", "bailingmoe2", "llada-moe",
            ],
            PreTokenizer(passes: [.words(WordPattern(numbers: 1))])
        ),
        (["qwen35"], PreTokenizer(passes: [.words(WordPattern(words: .lettersAndMarks, numbers: 1))])),
        (["seed-coder"], PreTokenizer(passes: [.words(WordPattern(numbers: 1, tail: .none))])),
        (["ufakzeka"], PreTokenizer(passes: [.words(WordPattern(contractions: .none, numbers: 1))])),
        (["laguna"], PreTokenizer(passes: [.lines, .words(WordPattern(numbers: 1))])),
        (
            [
                "llama-bpe", "llama3", "llama-v3", "falcon3", "falcon-h1", "pixtral", "midm-2.0", "lfm2",
                "jina-v5-nano",
            ],
            PreTokenizer(passes: [.words(WordPattern())], ignoresMerges: true, addsBOS: true)
        ),
        (["dbrx", "smaug-bpe", "chatglm-bpe"], PreTokenizer(passes: [.words(WordPattern())])),
        (["glm4", "glm5"], PreTokenizer(passes: [.words(WordPattern())], ignoresMerges: true)),
        (
            ["minicpm5"],
            PreTokenizer(passes: [.numbers(upTo: 3), .words(WordPattern(numbers: .max))], ignoresMerges: true)
        ),
        (
            ["gpt-4o", "llama4", "kanana2", "talkie", "minimax-m2"],
            PreTokenizer(passes: [.words(.gpt4o)])
        ),
        (["granite-embed-multi-97m"], PreTokenizer(passes: [.words(.gpt4o)], ignoresMerges: true)),
        (
            ["tekken"],
            PreTokenizer(
                passes: [
                    .words(WordPattern(words: .cased, contractions: .none, numbers: 1, tail: .newlinesAndSlashes))
                ], ignoresMerges: true, addsBOS: true)
        ),
        (
            ["deepseek-llm"],
            PreTokenizer(passes: [
                .one(PreTokenizerSets.lineEnds), .run(PreTokenizerSets.deepSeekLetters, after: .anySpace),
                .run(PreTokenizerSets.deepSeekPunctuation, after: .anySpace), .finalSpace,
                .run(PreTokenizerSets.deepSeekCJK), .numbers(upTo: .max),
            ])
        ),
        (
            ["deepseek-coder"],
            PreTokenizer(passes: [
                .one(PreTokenizerSets.lineEnds), .run(ScalarSet(.letter), after: .anySpace),
                .run(ScalarSet(.punctuation), after: .anySpace), .run(PreTokenizerSets.deepSeekCJK), .numbers(upTo: 1),
            ])
        ),
        (
            ["deepseek-v3", "hunyuan-dense", "joyai-llm", "hy_v4"],
            PreTokenizer(passes: [
                .numbers(upTo: 3), .run(PreTokenizerSets.cjk),
                .words(WordPattern(words: .marked, contractions: .none, numbers: nil)),
            ])
        ),
        (["poro-chat", "bloom", "gpt3-finnish"], PreTokenizer(passes: [.run(PreTokenizerSets.bloom, after: .blank)])),
        (["viking"], PreTokenizer(passes: [.run(PreTokenizerSets.bloom, after: .blank), .numbers(upTo: 1)])),
    ]
}

extension WordPattern {
    static let gpt4o = WordPattern(words: .cased, contractions: .afterWords, numbers: 3, tail: .newlinesAndSlashes)
}
