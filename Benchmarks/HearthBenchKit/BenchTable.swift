package import HearthCommands
import HearthInference

/// What `hearth-bench` takes; letters as llama-bench has them.
package enum BenchTable {
    /// More tokens than any model's context.
    private static let tokens = Option.Kind.integer("N", 0...1_048_576)
    private static func pair(_ kind: Option.Kind) -> Option.Kind { .list(kind, count: 2) }

    package static let table = VerbTable(
        "hearth-bench", "How many tokens a second a model reads and writes here",
        options: [
            Option(
                "-m", "--model", kind: .list(.text("MODEL")), help: "names of the catalogue or files (smollm2)",
                repeats: true),
            Option(
                "-p", "--n-prompt", kind: .list(tokens), help: "tokens to read at once (512); 0 leaves it out",
                repeats: true),
            Option(
                "-n", "--n-gen", kind: .list(tokens), help: "tokens to make one by one (128); 0 leaves it out",
                repeats: true),
            Option(
                "-pg", kind: pair(.integer("N", 1...1_048_576)),
                help: "a prompt of so many tokens, then so many made, in one run", repeats: true),
            Option(
                "-d", "--n-depth", kind: .list(tokens), help: "tokens that are in the cache before (0)", repeats: true),
            Option(
                "-b", "--batch-size", kind: .list(.integer("N", 1...4096)),
                help: "tokens in one forward pass of reading (\(Generator.prefillChunk))", repeats: true),
            Option(
                "-t", "--threads", kind: .list(.integer("N", 1...256)),
                help: "how many may work at once (physical cores)", repeats: true),
            Option(
                "-r", "--repetitions", kind: .integer("R", 1...1000),
                help: "how often each is measured, after one warm-up (5)"),
            Option(
                "--request", kind: pair(.integer("N", 1...1_048_576)),
                help: "a request: prompt, tokens made; time to first token, time per token after it", repeats: true),
            Option(
                "--prefix", kind: pair(.integer("N", 1...1_048_576)),
                help: "a prompt and how many of its tokens are cached: time to first token with and without",
                repeats: true),
            Option("--sampling", kind: .flag, help: "time of choosing a token, as a share of a decode step"),
            Option(
                "--bandwidth", kind: .integer("MIB", 0...65_536),
                help: "memory read to find the ceiling (16 times the last cache, at most 2048); 0 leaves it out"),
            Option(
                "--loop", kind: .integer("MS", 0...1000),
                help: "length of each pass that times an inner loop, the ceiling of a prompt (\(LoopRates.milliseconds)); 0 leaves it out"),
            Option(
                "-o", "--output", kind: .choice(["md", "json", "jsonl", "csv"]),
                help: "a table, or llama-bench's formats (md)"),
            Option("--save", kind: .text("FILE"), help: "also write the rows as JSON to FILE"),
            Option("--plot", kind: .text("FILE"), help: "also draw the speeds as SVG into FILE"),
            Option(
                "--read", kind: .list(.text("FILE")), help: "take the rows from these JSON files, measure nothing",
                repeats: true),
            Option("--compare", kind: .text("FILE"), help: "a verdict for each row against this JSON file"),
            Option(
                "--fail-if-slower", kind: .number("PERCENT", 0...100),
                help: "with --compare: status 6 where a row is slower by more"),
            Option("--peer", kind: .text("PATH"), help: "run this llama-bench in turn with us, and give ratios; status 6 where a row has none"),
            Option("--rounds", kind: .integer("R", 1...1000), help: "turns with the peer, each of -r repetitions (5)"),
            Option(
                "--peer-fa", kind: .list(.choice(["0", "1", "auto"])),
                help: "the peer's -fa, a row for each (its own default)", repeats: true),
            Option(
                "--quantize", kind: .choice(["q8_0", "q4_0", "q4_k", "q6_k"]),
                help: "bring float weights into this type"),
            Option(
                "--kv", kind: .list(.choice(["f32", "f16", "q8_0"])), help: "how keys and values are kept (f16)",
                repeats: true),
            Option(
                "--kernels", kind: .list(.choice(["reference", "portable", "avx2"])), help: "force a set of kernels",
                repeats: true),
            Option(
                "--backend", kind: .list(.choice(["auto", "native", "blas"])),
                help: "who computes batched products (auto)", repeats: true),
            Option("--context", kind: .integer("N", 1...16_777_216), help: "room for N tokens (the model's own)"),
        ],
        notes: """
            Lists are separated by commas, or the option is repeated; every combination is a row. pp N reads N random tokens, in
            batches; tg N evaluates N random tokens one at a time; `@ d N` does so behind N tokens that are in the cache already.
            Tokenising and sampling take no part, except in --request and --prefix, which sample. Benchmarks/README.md has the
            method.
            """)
}
