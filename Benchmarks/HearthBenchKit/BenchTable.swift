package import HearthCommands

/// What `hearth-bench` takes; letters as llama-bench has them.
package enum BenchTable {
    package static let table = VerbTable(
        "hearth-bench", "How many tokens a second a model reads and writes here",
        options: [
            Option("-m", "--model", kind: .text("MODEL"), help: "a name of the catalogue or a file (smollm2)"),
            Option(
                "-p", "--n-prompt", kind: .integer("N", 0...1_048_576),
                help: "tokens to read at once (512); 0 leaves it out"),
            Option(
                "-n", "--n-gen", kind: .integer("N", 0...1_048_576),
                help: "tokens to make one by one (128); 0 leaves it out"),
            Option("-b", "--batch-size", kind: .integer("N", 1...4096), help: "tokens in one forward pass of reading"),
            Option(
                "-t", "--threads", kind: .integer("N", 1...256), help: "how many may work at once (physical cores)"),
            Option(
                "-r", "--repetitions", kind: .integer("R", 1...1000),
                help: "how often each is measured, after one warm-up (5)"),
            Option("-o", "--output", kind: .choice(["md", "json"]), help: "a table or llama-bench's JSON (md)"),
            Option(
                "--quantize", kind: .choice(["q8_0", "q4_0", "q4_k", "q6_k"]),
                help: "bring float weights into this type"),
            Option("--kv", kind: .choice(["f32", "f16", "q8_0"]), help: "how keys and values are kept (f16)"),
            Option("--kernels", kind: .choice(["reference", "portable", "avx2"]), help: "force a set of kernels"),
            Option(
                "--backend", kind: .choice(["auto", "native", "blas"]), help: "who computes batched products (auto)"),
            Option("--context", kind: .integer("N", 1...16_777_216), help: "room for N tokens (the model's own)"),
        ],
        notes: """
            pp N reads N random tokens into an empty cache, in batches; tg N evaluates N random tokens one at a time from an
            empty cache. Tokenising and sampling take no part. Benchmarks/README.md has the method.
            """)
}
