package import HearthTokens

/// Prompts with the replies that followed them, as text and as tokens, so that the next turn uses the tokens that were
/// sampled, also where encoding the reply's text again would give others (design D10).
package struct ReplyMemory: Sendable {
    private struct Turn: Sendable {
        let prompt: PromptParts
        let reply: [UInt8]
        /// Of prompt and reply together.
        let tokens: [Token]
    }

    /// Turns of conversations that go on side by side; each costs the bytes of its prompt.
    static let capacity = 64
    /// Latest last.
    private var turns: [Turn] = []

    package init() {}

    /// - Parameter reply: the text that `tokens` stand for after the prompt; nothing else may be remembered.
    package mutating func remember(_ prompt: PromptParts, reply: [UInt8], tokens: [Token]) {
        guard !reply.isEmpty else { return }
        if turns.count == Self.capacity { turns.removeFirst() }
        turns.append(Turn(prompt: prompt, reply: reply, tokens: tokens))
    }

    /// The longest remembered beginning of a prompt: its tokens, and what of the prompt is to be encoded behind them.
    package func beginning(of prompt: PromptParts) -> (tokens: [Token], rest: PromptParts)? {
        var best: (tokens: [Token], rest: PromptParts)?
        for turn in turns.reversed() where turn.tokens.count > best?.tokens.count ?? 0 {
            if let rest = prompt.rest(after: turn.prompt, reply: turn.reply) { best = (turn.tokens, rest) }
        }
        return best
    }
}
