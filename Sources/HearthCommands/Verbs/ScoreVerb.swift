import Foundation
import HearthHash
import HearthInference
import HearthJSON
import HearthKernelTypes
import HearthKernels
import HearthLocks
import HearthTokens
import HearthWeights

/// `hearth score`: how likely a model holds given tokens, position by position.
///
/// Nothing but the weights is loaded for `--tokens`, so that a file without a tokenizer can be measured too.
struct ScoreVerb {
    let arguments: Arguments

    init(_ arguments: Arguments) { self.arguments = arguments }

    /// Tokens in one forward pass when nothing is asked.
    static let defaultBatch = 512

    func run() async throws {
        let given = ["--tokens", "--text", "--file"].filter { !arguments.all($0).isEmpty }
        guard given.count == 1 else {
            throw CommandError.needsOneOf(verb: "score", options: ["--tokens", "--text", "--file"], given: given)
        }
        let file = try ModelArgument.file(arguments.text("--model"))
        let tokens = try tokens(of: file)
        guard tokens.count >= 2 else { throw CommandError.tooFewTokens(count: tokens.count) }
        let split = arguments.integer("--split")
        if let split, split >= tokens.count { throw CommandError.splitOutside(split: split, count: tokens.count) }
        let options = try EngineArguments.options(arguments)
        let batch = arguments.integer("--batch") ?? Self.defaultBatch

        let sink = try LogitsSink(path: arguments.text("--logits"), from: (split ?? 1) - 1)
        let (report, weights) = try await Signals.shared.stoppable {
            let generator = try await Generator.load(options: options) { try Checkpoint.open(file) }
            EngineArguments.warn(arguments, quantised: generator.weights.quantised)
            let report = try await generator.score(tokens, batch: batch, split: split) { position, logits in
                try sink.take(position, logits)
            }
            return (report, generator.weights)
        }
        let digest = try sink.finish()
        let summary = Self.summary(report, digest: digest, weights: weights)
        if arguments.flag("--json") {
            try StandardOutput.write(try summary.text(.compact) + "\n")
        } else {
            try StandardOutput.write(Self.page(summary))
        }
    }

    private func tokens(of file: URL) throws -> [Token] {
        if let path = arguments.text("--tokens") { return try Self.tokens(TextFile.bytes(path), path: path) }
        let bytes =
            try arguments.text("--file").map { path throws(CommandError) in try TextFile.bytes(path) }
            ?? Array((arguments.text("--text") ?? "").utf8)
        _ = try TextFile.text(bytes, source: arguments.text("--file") ?? "The text")
        return try ModelTokenizer(file).text(bytes)
    }

    /// `[1, 2, 3]`, or an object with such an array under `tokens`.
    static func tokens(_ bytes: [UInt8], path: String) throws(CommandError) -> [Token] {
        let json: JSON
        do throws(JSONError) { json = try JSON.parse(bytes) } catch {
            throw .badTokenFile(path: path, reason: error.description)
        }
        guard let items = (json["tokens"] ?? json).arrayValue else {
            throw .badTokenFile(path: path, reason: "it holds no array")
        }
        var tokens: [Token] = []
        tokens.reserveCapacity(items.count)
        for (index, item) in items.enumerated() {
            guard let number = item.intValue, number >= 0, let token = Token(exactly: number) else {
                throw .badTokenFile(path: path, reason: "element \(index) is \(item.description)")
            }
            tokens.append(token)
        }
        return tokens
    }

    static func summary(_ report: ScoreReport, digest: String, weights: LanguageWeights) -> JSON {
        let logs = report.positions.compactMap { $0.logProbability.map(Double.init) }
        // In order, in double precision: the same sum for the same logits.
        let mean = -logs.reduce(0, +) / Double(max(1, logs.count))
        return [
            "count": .integer(Int64(report.positions.count)),
            "mean_nll": .number(mean),
            // Beyond 709 its exponential is no number.
            "perplexity": exp(mean).isFinite ? .number(exp(mean)) : .null,
            "positions": .array(
                report.positions.map { position in
                    [
                        "token": .integer(Int64(position.token)),
                        "logprob": position.logProbability.map { .number(Double($0)) } ?? .null,
                        "first": .integer(Int64(position.first)),
                    ]
                }),
            "logits_sha256": .string(digest),
            "cached": .integer(Int64(report.cached)),
            "evaluated": .integer(Int64(report.evaluated)),
            "threads": .integer(Int64(weights.compute.threads)),
            "kernels": .string(weights.compute.set.rawValue),
            "backend": .string(weights.compute.backend.rawValue),
            "kv": .string(weights.options.kv.rawValue),
            "forward_passes": .integer(Int64(report.forwardPasses)),
            "blas_products": .integer(Int64(report.blasProducts)),
        ]
    }

    /// Everything but the positions, a line each.
    static func page(_ summary: JSON) -> String {
        (summary.objectValue ?? JSONObject()).filter { $0.key != "positions" }
            .map { "\($0.key): \($0.value.stringValue ?? $0.value.description)\n" }.joined()
    }
}

/// Where logits go while they are made: into a digest, and into a file where one is asked for.
///
/// The file is written beside its name and gets it when it is whole.
final class LogitsSink: Sendable {
    private struct State {
        var digest = SHA256()
        var file: PartialFile?
    }
    private let state: Locked<State>
    /// The first position whose logits count.
    private let first: Int

    init(path: String?, from first: Int) throws(CommandError) {
        self.first = first
        let file = try path.map { path throws(CommandError) in try PartialFile(path) }
        state = Locked(State(file: file))
    }

    /// Logits of one position, little-endian float32.
    func take(_ position: Int, _ logits: Span<Float>) throws(CommandError) {
        guard position >= first else { return }
        let failure: CommandError? = unsafe logits.bytes.withUnsafeBytes { bytes in
            state.withLock { state in
                unsafe state.digest.update(bytes)
                do throws(CommandError) { try unsafe state.file?.write(bytes) } catch { return error }
                return nil
            }
        }
        if let failure { throw failure }
    }

    func finish() throws(CommandError) -> String {
        let (digest, failure): (String, CommandError?) = state.withLock { state in
            do throws(CommandError) { try state.file?.finish() } catch { return ("", error) }
            return (state.digest.finish().hex, nil)
        }
        if let failure { throw failure }
        return digest
    }
}
