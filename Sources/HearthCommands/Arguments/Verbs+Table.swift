/// The verbs of `hearth` and what each takes.
package enum Verbs {
    package static let run = VerbTable(
        "run", "Answer a prompt",
        operand: .optional("PROMPT"),
        options: [model] + [
            Option(
                "--system", kind: .text("TEXT"), help: "instructions for the model, before the prompt",
                elsewhere: ["-sys", "--system-prompt"]),
            Option("--file", kind: .text("F"), help: "add the text of a file to the prompt", elsewhere: ["-f"]),
            Option("--raw", kind: .flag, help: "no chat template: the text goes on as it stands"),
            Option(
                "--max-tokens", kind: .integer("N", 1...Int.max), help: "stop after N tokens",
                elsewhere: ["-n", "--n-predict", "--predict"]),
            Option(
                "--temperature", kind: .number("T", 0...Double.infinity), help: "0 takes the likeliest token each time",
                elsewhere: ["--temp"]),
            Option("--top-k", kind: .integer("K", 0...Int.max), help: "draw from the K likeliest tokens; 0 is off"),
            Option("--top-p", kind: .number("P", 0...1), help: "draw from the fewest tokens whose chances sum to P"),
            Option("--min-p", kind: .number("P", 0...1), help: "drop tokens less likely than P times the likeliest"),
            Option(
                "--repeat-penalty", kind: .number("R", 0.01...100),
                help: "make the last 64 tokens less likely; 1 is off"),
            Option(
                "--draft", kind: .integer("N", 0...15),
                help: "with temperature 0: guess up to N tokens at once from earlier text; the answer stays the same (0)"),
            Option("--seed", kind: .seed, help: "the same seed gives the same answer", elsewhere: ["-s"]),
            Option(
                "--stop", kind: .text("TEXT"), help: "stop before this text; may be given several times", repeats: true,
                elsewhere: ["-r", "--reverse-prompt"]),
        ] + engine + [
            json,
            Option("--stats", kind: .flag, help: "counts, speeds and kernels on standard error"),
        ],
        notes: """
            Without PROMPT the prompt is read from standard input, unless that is a terminal. With a PROMPT (or --file), standard input is added after
            it when it is a file, or when a first byte or its end comes within a second. Parts are joined by an empty line.
            Without --raw, one line end at the end of standard input or the file is dropped.
            With --raw the beginning token is added as the model says, and control tokens are read from the text.
            With --json, `cut` is null, or says what cut the answer: {"by": "max_tokens"|"context", "tokens": N}.
            """,
        operandElsewhere: ["-p", "--prompt"])

    package static let score = VerbTable(
        "score", "How likely a model finds a text; with --json, of each token",
        options: [model] + [
            Option("--tokens", kind: .text("FILE"), help: "a JSON file with an array of token ids, taken as given"),
            Option("--text", kind: .text("T"), help: "the text itself"),
            Option("--file", kind: .text("F"), help: "a file with the text"),
            Option("--batch", kind: .integer("N", 1...4096), help: "tokens evaluated at once (512)"),
            Option(
                "--split", kind: .integer("N", 1...Int.max),
                help: "evaluate the first N tokens first, then all, reusing them"),
            Option(
                "--logits", kind: .text("OUT"), help: "write the logits: little-endian float32, positions by vocabulary"
            ),
        ] + engine + [json],
        notes: "A text gets the beginning token as the model says; control tokens in it are text.")

    package static let embed = VerbTable(
        "embed", "The vectors of texts",
        operand: .any("TEXT"),
        options: [
            Option(
                "--model", "-m", kind: .text("NAME|PATH"),
                help: "a name of the catalogue, a file or a folder (\(EmbedVerb.model))"),
            Option("--file", kind: .text("F"), help: "a text for each line of a file"),
            Option("--pooling", kind: .choice(["mean", "cls", "last"]), help: "how states become one vector (the model's own)"),
            Option("--dimensions", kind: .integer("N", 1...16_777_216), help: "keep the first N numbers, scaled to length 1 again"),
            Option("--no-normalise", kind: .flag, help: "leave vectors as long as they are"),
            Option("--truncate", kind: .flag, help: "leave out the end of a text that does not fit"),
            Option("--similarity", kind: .flag, help: "the cosine of each pair of texts in place of the vectors"),
            Option("--json", kind: .flag, help: "one JSON array in place of an object a line; errors are an object"),
        ] + held,
        notes: """
            Without TEXT each line of the file or of standard input is a text, an empty one too. Out comes an object a line:
            {"index": 0, "text": "...", "tokens": 9, "embedding": [...]}, with --similarity {"a": 0, "b": 1, "cosine": 0.66}.
            Some models want a word before each text: nomic-embed-text `search_query: ` or `search_document: `.
            --dimensions is for models that were trained for it, as nomic-embed-text-v1.5.
            """)

    package static let tokenize = VerbTable(
        "tokenize", "The token ids of a text", operand: .required("TEXT"),
        options: [
            model,
            Option("--special", kind: .flag, help: "read control tokens, add the beginning token as the model says"),
            json,
        ])

    package static let show = VerbTable(
        "show", "What is in a model file", operand: .required("MODEL"), options: [json])

    package static let quantize = VerbTable(
        "quantize", "Write a model with smaller weights", operand: .several(["IN", "OUT", "TYPE"]),
        options: [threads, json],
        notes: """
            IN is a name, a file or a folder of safetensors with float weights, OUT a GGUF file, TYPE one of
            q8_0, q4_0, q4_k, q6_k. Rows that are no multiple of the type's block of 256 become q8_0, norms and
            biases F32.
            """)

    package static let list = VerbTable("list", "The models of the catalogue and what is here", options: [json])

    package static let pull = VerbTable(
        "pull", "Fetch a model of the catalogue into the store", operand: .optional("NAME"),
        options: [Option("--all", kind: .flag, help: "everything in the catalogue"), json])

    package static let doctor = VerbTable(
        "doctor", "What this machine has and what Hearth makes of it", options: [json])

    /// Verbs of other programs that people try.
    package static let notYet: Set = ["chat", "serve"]

    package static let all = [run, score, embed, tokenize, show, quantize, list, pull, doctor]

    private static let model = Option(
        "--model", "-m", kind: .text("NAME|PATH"), help: "a name of the catalogue or a file (smollm2)")
    private static let threads = Option(
        "--threads", kind: .integer("N", 1...256), help: "how many may work at once (physical cores)", elsewhere: ["-t"])
    private static let json = Option("--json", kind: .flag, help: "one JSON object on standard output, errors too")
    /// How any model is held and computed.
    private static let held = [
        Option("--quantize", kind: .choice(["q8_0", "q4_0", "q4_k", "q6_k"]), help: "bring float weights into this type"),
        threads,
        Option(
            "--context", kind: .integer("N", 1...16_777_216), help: "room for N tokens (the model's own)",
            elsewhere: ["-c", "--ctx-size", "--num-ctx"]),
        Option("--kernels", kind: .choice(["reference", "portable", "avx2"]), help: "force a set of kernels"),
    ]
    private static let engine = held + [
        Option("--kv", kind: .choice(["f32", "f16", "q8_0"]), help: "how keys and values are kept (f16)"),
        Option("--backend", kind: .choice(["auto", "native", "blas"]), help: "who computes batched products (auto)"),
    ]
}
