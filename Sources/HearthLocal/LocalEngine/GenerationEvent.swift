package import HearthInference
package import HearthTokens

/// What happens while a reply is made, in this order: `started`, any number of `piece`, at most one `rest`, `finished`.
package enum GenerationEvent: Sendable {
    /// The prompt was accepted: its tokens, and how many of them are in the cache already.
    case started(input: Int, cached: Int)
    /// A token of the reply.
    ///
    /// `bytes` are those of its piece. `text` is what may be shown now: whole characters, nothing that may still turn
    /// out to begin a stop sequence; so it can be empty, or hold what earlier tokens left back. Joined, the texts of all
    /// pieces and of `rest` are the reply.
    case piece(Token, bytes: [UInt8], text: String, logProbability: Float, phase: Phase)
    /// Text that was held back when the reply ended, and is part of it (T-48).
    case rest(text: String, phase: Phase)
    /// The end, always last. A cancelled request ends so too.
    case finished(FinishReason, seed: UInt64, usage: TokenUsage, timing: GenerationTiming)
}

/// Which part of a reply a piece belongs to.
package enum Phase: Sendable, Hashable {
    case response
}

/// Tokens as the engine counted them.
package struct TokenUsage: Sendable, Hashable {
    /// Of the prompt.
    package var input = 0
    /// Of the prompt, not evaluated again.
    package var cached = 0
    /// Of the prompt, evaluated: `input - cached` unless the request was cancelled meanwhile.
    package var evaluated = 0
    /// Of the reply; the end token is not one.
    package var output = 0
    package var forwardPasses = 0
    /// Matrix products that OpenBLAS made.
    package var blasProducts = 0
    /// Tokens of the reply that were guessed from earlier text, and how many of the guesses were right.
    package var guessed = 0
    package var guessedRight = 0

    package init() {}

    init(_ report: GenerationReport) {
        input = report.input
        cached = report.cached
        evaluated = report.evaluated
        output = report.output
        forwardPasses = report.forwardPasses
        blasProducts = report.blasProducts
        guessed = report.guessed
        guessedRight = report.guessedRight
    }
}

extension GenerationTiming {
    /// Tokens of the prompt that were evaluated, per second; nil where none were.
    package func prefillTokensPerSecond(_ usage: TokenUsage) -> Double? {
        usage.evaluated > 0 && prefill > .zero ? Double(usage.evaluated) / (prefill / .seconds(1)) : nil
    }

    /// Tokens of the reply per second. The first one comes out of the prompt's last forward pass and is no decode step.
    package func decodeTokensPerSecond(_ usage: TokenUsage) -> Double? {
        usage.output > 1 && decode > .zero ? Double(usage.output - 1) / (decode / .seconds(1)) : nil
    }
}
