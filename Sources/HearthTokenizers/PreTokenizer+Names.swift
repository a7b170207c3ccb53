extension PreTokenizer {
    /// The pre-tokenizer that a file calls `name` (`tokenizer.ggml.pre`).
    static func named(_ name: String) throws(TokenizerError) -> PreTokenizer {
        guard let found = table.first(where: { $0.names.contains(name) }) else {
            throw .unknownPreTokenizer(name, known: known)
        }
        return found.value
    }

    static var known: [String] { table.flatMap(\.names).sorted() }

    /// Names as the converters to GGUF write them, and what each stands for.
    private static let table: [(names: [String], value: PreTokenizer)] = [
        (["gpt-2"], PreTokenizer(passes: [.gpt2])),
        (["smollm"], PreTokenizer(passes: [.numbers(upTo: 1), .gpt2])),
        (["qwen2", "deepseek-r1-qwen"], PreTokenizer(passes: [.words(WordPattern(numbers: 1))])),
        (
            ["llama-bpe", "llama3", "llama-v3"],
            PreTokenizer(passes: [.words(WordPattern())], ignoresMerges: true, addsBOS: true)
        ),
    ]
}
