import Foundation
import HearthInference
import HearthKernelTypes
import HearthKernels
import HearthLocal

/// The lines of `--stats`: what ran, how much, how fast.
struct RunStatistics {
    let engine: LocalEngine
    let reply: Reply

    init(_ engine: LocalEngine, _ reply: Reply) {
        self.engine = engine
        self.reply = reply
    }

    var text: String {
        let compute = engine.generator.weights.compute
        let usage = reply.usage
        let lines = [
            ("model", "\(engine.facts.modelID), \(engine.facts.architecture), loaded in \(seconds(engine.loadTime))"),
            ("kernels", "\(compute.set.rawValue), \(compute.threads) threads, kv \(engine.options.kv.rawValue)"),
            (
                "backend",
                "\(compute.backend.rawValue), \(BackendPaths(backend: compute.backend, set: compute.set).text)"
            ),
            ("products", "\(usage.blasProducts) on the blas in \(usage.forwardPasses) forward passes"),
            ("prompt", "\(usage.input) tokens, \(usage.cached) cached, \(usage.evaluated) evaluated"),
            ("reply", "\(usage.output) tokens, ended by \(ending), seed \(reply.seed)"),
            ("guesses", "\(usage.guessedRight) of \(usage.guessed) right"),
            ("first token", "after \(seconds(reply.timing.timeToFirstToken))"),
            ("prefill", speed(reply.timing.prefillTokensPerSecond(usage))),
            ("decode", speed(reply.timing.decodeTokensPerSecond(usage))),
        ]
        return lines.map { "\($0.0): \($0.1)\n" }.joined()
    }

    private var ending: String {
        switch reply.finishReason {
        case .stop, .cancelled: reply.finishReason.word
        case .length: "the limit of \(reply.usage.output) tokens that was asked for"
        case .contextFull: "the context of \(engine.context) tokens, which is full"
        }
    }

    private func seconds(_ duration: Duration) -> String { "\(decimals(duration / .seconds(1), 3)) s" }

    private func speed(_ tokensPerSecond: Double?) -> String {
        tokensPerSecond.map { "\(decimals($0, 1)) tokens per second" } ?? "not measured"
    }

    private func decimals(_ value: Double, _ count: Int) -> String {
        value.formatted(
            .number.grouping(.never).precision(.fractionLength(count)).locale(Locale(identifier: "en_US_POSIX")))
    }
}
