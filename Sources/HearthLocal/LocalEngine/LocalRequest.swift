package import HearthInference
package import HearthJSON
package import HearthTokens

/// One reply to make, in the engine's words: every door asks with it.
package struct LocalRequest: Sendable {
    package enum Prompt: Sendable {
        /// The context of the model's own template: `messages`, and what else it reads (`tools`, ...). The engine adds
        /// `add_generation_prompt`, `bos_token` and `eos_token` where they are missing.
        case messages(JSON)
        /// Text as it is, without a template: control pieces in it are read, and a beginning token is added as the file says.
        case raw([UInt8])
        /// Tokens as they are.
        case tokens([Token])
    }

    package var prompt: Prompt
    package var sampling: SamplingOptions
    /// Most tokens of the reply, the end token not counted; nil goes to the end of the context.
    package var limit: Int?
    /// Texts that end the reply and are no part of it.
    package var stops: [String]
    /// Narrows each choice; the reply ends where it is finished.
    package var constraint: (any TokenConstraint)?
    /// Most tokens that are guessed at once from earlier text, for greedy replies; the reply is the same with any number.
    package var guesses: Int
    /// The transcript entry that the reply becomes, and those of earlier replies in the prompt: by these the tokens that
    /// were sampled are told from others of the same text. Nil and none where there is no transcript.
    package var entry: String?
    package var earlierEntries: Set<String> = []

    package init(
        prompt: Prompt, sampling: SamplingOptions = SamplingOptions(), limit: Int? = nil, stops: [String] = [],
        constraint: (any TokenConstraint)? = nil, guesses: Int = 0
    ) {
        self.prompt = prompt
        self.sampling = sampling
        self.limit = limit
        self.stops = stops
        self.constraint = constraint
        self.guesses = guesses
    }
}
