package import HearthTokens

/// One reply to make: prompt tokens in, sampled tokens out.
package struct GenerationRequest: Sendable {
    /// At least one token; the beginning token is the caller's business.
    package var prompt: [Token]
    package var sampling: SamplingOptions
    /// Most tokens of the reply, the end token not counted; nil goes to the end of the context.
    package var limit: Int?
    /// Tokens that end the reply. None of them is part of it.
    package var ends: Set<Token>
    /// Narrows each choice; the reply ends where it is finished.
    package var constraint: (any TokenConstraint)?
    /// Most tokens that are guessed from earlier text and evaluated at once with the last one, where the choice is greedy and
    /// nothing else narrows it. The reply is the same with any number; 0 guesses none.
    package var guesses: Int

    package init(
        prompt: [Token], sampling: SamplingOptions = SamplingOptions(), limit: Int? = nil, ends: Set<Token> = [],
        constraint: (any TokenConstraint)? = nil, guesses: Int = 0
    ) {
        self.prompt = prompt
        self.sampling = sampling
        self.limit = limit
        self.ends = ends
        self.constraint = constraint
        self.guesses = guesses
    }
}

/// What a generator tells while it works.
package enum GenerationStep: Sendable {
    /// The prompt was accepted: its length, and how many of its tokens come from the cache.
    case started(input: Int, cached: Int)
    /// A token of the reply with the logarithm of its probability before sampling.
    case token(Token, logProbability: Float)
}

/// The listener's answer to a step.
package enum GenerationAnswer: Sendable {
    case goOn
    /// End the reply here with `stop`; the token just told is still part of it.
    case stop
}
