import HearthInference
import HearthJSON
import HearthKernelTypes
import HearthLocal

/// `hearth embed`: texts in, a vector each out.
struct EmbedVerb {
    let arguments: Arguments

    /// Texts whose vectors are computed before the first is written: some passes' worth, so that lines come as they are made.
    static let batch = 64
    /// The model where none is named.
    static let model = "all-minilm-l6-v2"

    init(_ arguments: Arguments) { self.arguments = arguments }

    func run() async throws {
        let texts = try EmbedTexts(arguments).read()
        let comparing = arguments.flag("--similarity")
        if comparing, texts.count < 2 { throw CommandError.tooFewTexts(count: texts.count) }
        let file = try ModelArgument.file(arguments.text("--model") ?? Self.model)
        let options = ModelOptions(
            context: arguments.integer("--context"), threads: arguments.integer("--threads"),
            kernels: try KernelChoice.current(option: arguments.text("--kernels")).set,
            // A BLAS is chosen by the size of a batch, and its sums have other bits.
            backend: .native,
            quantize: arguments.text("--quantize").flatMap(EngineArguments.type(named:)))
        let request = EmbeddingRequest(
            dimensions: arguments.integer("--dimensions"), normalises: !arguments.flag("--no-normalise"),
            truncates: arguments.flag("--truncate"))
        let (pooling, asArray) = (arguments.text("--pooling").flatMap(Self.pooling), arguments.flag("--json"))

        try await Signals.shared.stoppable {
            let engine = try await EmbeddingEngine(file: file, options: options, pooling: pooling)
            EngineArguments.warn(arguments, quantised: engine.embedder.weights.quantised)
            var lines = JSONLines(asArray: asArray)
            var vectors: [[Float]] = []
            var first = 0
            while first < texts.count {
                let part = Array(texts[first..<min(first + Self.batch, texts.count)])
                let embeddings = try await engine.embed(part, request, countingFrom: first)
                for (index, embedding) in embeddings.enumerated() {
                    if embedding.isTruncated {
                        StandardError.line("hearth: text \(first + index + 1) was cut to \(embedding.tokens) tokens")
                    }
                    if comparing {
                        vectors.append(embedding.vector)
                    } else {
                        try lines.write(Self.object(embedding, index: first + index, text: part[index]))
                    }
                }
                first += part.count
            }
            for a in vectors.indices {
                for b in vectors.indices where b > a {
                    try lines.write(Self.object(a, b, cosine: EmbeddingVector.cosine(vectors[a], vectors[b])))
                }
            }
            try lines.finish()
        }
    }

    static func pooling(_ word: String) -> Pooling? {
        switch word {
        case "mean": .mean
        case "cls": .first
        case "last": .last
        default: nil
        }
    }

    static func object(_ embedding: Embedding, index: Int, text: String) -> JSON {
        [
            "index": .integer(Int64(index)), "text": .string(text), "tokens": .integer(Int64(embedding.tokens)),
            // The shortest decimal that is this Float32.
            "embedding": .array(embedding.vector.map { .number(Double("\($0)") ?? Double($0)) }),
        ]
    }

    static func object(_ a: Int, _ b: Int, cosine: Double) -> JSON {
        ["a": .integer(Int64(a)), "b": .integer(Int64(b)), "cosine": .number(cosine)]
    }
}

/// Objects on standard output: a line each as they come, or one array at the end.
struct JSONLines {
    private let asArray: Bool
    private var held: [JSON] = []

    init(asArray: Bool) { self.asArray = asArray }

    mutating func write(_ object: JSON) throws {
        if asArray {
            held.append(object)
        } else {
            try StandardOutput.write(try object.text(.compact) + "\n")
        }
    }

    /// Nothing of an array was written before: what fails on the way leaves an error object and no half of one.
    func finish() throws {
        if asArray { try StandardOutput.write(try JSON.array(held).text(.compact) + "\n") }
    }
}

/// The texts of `hearth embed`: TEXTs, else the lines of `--file`, else those of standard input.
struct EmbedTexts {
    let arguments: Arguments
    let input: StandardInput

    init(_ arguments: Arguments, input: StandardInput = StandardInput()) {
        self.arguments = arguments
        self.input = input
    }

    func read() throws(CommandError) -> [String] {
        let path = arguments.text("--file")
        if !arguments.operands.isEmpty {
            if path != nil {
                throw .notTogether(
                    verb: "embed", "TEXT", "--file", why: "texts come from the command line or from a file's lines")
            }
            return arguments.operands
        }
        let texts: [String]
        if let path {
            texts = Self.lines(try TextFile.text(try TextFile.bytes(path), source: "`\(path)`"))
        } else {
            // A person at the keyboard without a text is told how to give one.
            if input.isTerminal { throw .noTexts }
            guard case .text(let bytes) = try input.read(waiting: true) else { throw .noTexts }
            texts = Self.lines(try TextFile.text(bytes, source: "Standard input"))
        }
        if texts.isEmpty { throw .noTexts }
        return texts
    }

    /// A text for each line, empty ones too, so that line n of the output belongs to line n of the input; a line end closes a line
    /// and begins none.
    static func lines(_ text: String) -> [String] {
        var lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
            line.last == UInt8(ascii: "\r") ? line.dropLast() : line
        }
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines.map { String(Substring($0)) }
    }
}
