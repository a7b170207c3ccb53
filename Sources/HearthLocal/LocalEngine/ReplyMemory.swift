package import HearthTokens

/// Prompts with the replies that followed them, as text and as tokens, so that the next turn uses the tokens that were
/// sampled, also where encoding the reply's text again would give others (design D10).
///
/// A turn is found by its text, whoever asks: a conversation that was saved and read again goes on where it was. Where two
/// replies have one text and different tokens, the one of the asker's own transcript entry counts, so that what another
/// session generated changes nothing.
package struct ReplyMemory: Sendable {
    private struct Turn: Sendable {
        let prompt: PromptParts
        let reply: [UInt8]
        /// Of prompt and reply together.
        let tokens: [Token]
        /// The transcript entry that the reply became, if it became one.
        let entry: String?

        /// Bytes of a prompt that this turn stands for.
        var length: Int { prompt.byteCount + reply.count }
    }

    /// Turns of conversations that go on side by side; each costs the bytes of its prompt.
    static let capacity = 64
    /// Latest last.
    private var turns: [Turn] = []

    package init() {}

    /// - Parameters:
    ///   - reply: the text that `tokens` stand for after the prompt; nothing else may be remembered.
    ///   - entry: the id of the transcript entry that it becomes.
    package mutating func remember(_ prompt: PromptParts, reply: [UInt8], tokens: [Token], entry: String? = nil) {
        guard !reply.isEmpty else { return }
        if turns.count == Self.capacity { turns.removeFirst() }
        turns.append(Turn(prompt: prompt, reply: reply, tokens: tokens, entry: entry))
    }

    /// The longest remembered beginning of a prompt: its tokens, and what of the prompt is to be encoded behind them. Of
    /// equally long ones that of an entry in `entries`, and the latest.
    package func beginning(
        of prompt: PromptParts, entries: Set<String> = []
    ) -> (tokens: [Token], rest: PromptParts)? {
        var best: (turn: Turn, isOwn: Bool, rest: PromptParts)?
        for turn in turns.reversed() {
            let isOwn = turn.entry.map(entries.contains) ?? false
            if let best, (turn.length, isOwn ? 1 : 0) <= (best.turn.length, best.isOwn ? 1 : 0) { continue }
            if let rest = prompt.rest(after: turn.prompt, reply: turn.reply) { best = (turn, isOwn, rest) }
        }
        return best.map { ($0.turn.tokens, $0.rest) }
    }
}
