import HearthInference
import HearthJSON
import HearthLocal
import HearthTokens

/// A reply as it grows, and its report.
struct Reply: Sendable {
    private(set) var text = ""
    /// Without an end token.
    private(set) var tokens: [Token] = []
    private(set) var finishReason = FinishReason.cancelled
    private(set) var seed: UInt64 = 0
    private(set) var usage = TokenUsage()
    private(set) var timing = GenerationTiming()

    /// Notes an event and returns the text that it brings.
    mutating func take(_ event: GenerationEvent) -> String {
        switch event {
        case .started(let input, let cached):
            usage.input = input
            usage.cached = cached
            return ""
        case .piece(let token, _, let shown, _, _):
            tokens.append(token)
            text += shown
            return shown
        case .rest(let shown, _):
            text += shown
            return shown
        case .finished(let reason, let seed, let usage, let timing):
            finishReason = reason
            self.seed = seed
            self.usage = usage
            self.timing = timing
            return ""
        }
    }

    /// What cut the reply: the limit that was asked for, or the context. Null where it came to its own end.
    private func cut(context: Int) -> JSON {
        guard let cut = finishReason.cut else { return .null }
        return ["by": .string(cut), "tokens": .integer(Int64(finishReason == .contextFull ? context : usage.output))]
    }

    /// The object of `--json`. A speed that cannot be measured is null.
    /// - Parameter context: tokens that the model's context holds.
    func report(loadTime: Duration, context: Int) -> JSON {
        [
            "text": .string(text),
            "tokens": .array(tokens.map { .integer(Int64($0)) }),
            "finish_reason": .string(finishReason.word),
            "cut": cut(context: context),
            // Seeds are 64 bits without a sign: those that no signed number holds are written as text, not rounded.
            "seed": Int64(exactly: seed).map { .integer($0) } ?? .string("\(seed)"),
            "usage": [
                "input": .integer(Int64(usage.input)),
                "cached": .integer(Int64(usage.cached)),
                "output": .integer(Int64(tokens.count)),
            ],
            "timing": [
                "load_seconds": .number(loadTime / .seconds(1)),
                "time_to_first_token_seconds": tokens.isEmpty ? .null : .number(timing.timeToFirstToken / .seconds(1)),
                "prefill_tokens_per_second": timing.prefillTokensPerSecond(usage).map { .number($0) } ?? .null,
                "decode_tokens_per_second": timing.decodeTokensPerSecond(usage).map { .number($0) } ?? .null,
            ],
        ]
    }
}
