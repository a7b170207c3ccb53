package import HearthTokens

/// How long the parts of a request took.
package struct GenerationTiming: Sendable, Equatable {
    /// From the request's arrival, waiting for its turns included.
    package var timeToFirstToken: Duration = .zero
    /// Evaluating the prompt.
    package var prefill: Duration = .zero
    /// From the first token to the last.
    package var decode: Duration = .zero
    package init() {}
}

/// What a request cost, as the engine counted it.
package struct GenerationReport: Sendable {
    package var finishReason: FinishReason
    /// The seed that was used, asked for or drawn.
    package var seed: UInt64
    /// The reply, without an end token.
    package var tokens: [Token] = []
    /// Prompt tokens.
    package var input = 0
    /// Prompt tokens that were not evaluated again.
    package var cached = 0
    /// Prompt tokens that were evaluated: `input - cached` for a request that was not cancelled.
    package var evaluated = 0
    /// Tokens of the reply; the end token is not one.
    package var output: Int { tokens.count }
    package var forwardPasses = 0
    package var blasProducts = 0
    /// Tokens that were guessed from earlier text, and how many of them the model chose too.
    package var guessed = 0
    package var guessedRight = 0
    /// Logits that were NaN or plus infinity and were given probability 0.
    package var unusableLogits = 0
    package var timing = GenerationTiming()
}
