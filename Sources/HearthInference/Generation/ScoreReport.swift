package import HearthTokens

/// Tokens as a model sees them, teacher-forced.
package struct ScoreReport: Sendable {
    package struct Position: Sendable, Equatable {
        package var token: Token
        /// Of this token given those before it, natural logarithm; nil for the first.
        package var logProbability: Float?
        /// The most likely next token, the lowest id of equals.
        package var first: Token
    }
    package var positions: [Position] = []
    /// Of positions `firstLogits` to the end, `[positions, vocabulary]`; empty where they were not kept.
    package var logits: [Float] = []
    /// 0, or `split - 1`.
    package var firstLogits = 0
    package var vocabulary = 0
    /// Of the last request: with a split, how many tokens came from the cache.
    package var cached = 0
    package var evaluated = 0
    package var forwardPasses = 0
    package var blasProducts = 0
}
