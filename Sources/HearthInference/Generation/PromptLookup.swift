import HearthTokens

/// Guesses what comes next from what came before: where the last tokens stand earlier in prompt and reply, the tokens behind them
/// there are the guess. A forward pass over the guess tells which of it the model would have chosen.
///
/// Source: Saxena, "Prompt Lookup Decoding" (2023). Pays for text that repeats itself (code that is edited, documents that are
/// quoted); elsewhere it rarely finds anything and gives way when its guesses are wrong.
struct PromptLookup {
    /// Tokens that must stand earlier, the longest match first: two come again by chance in any text, four miss too much.
    private static let lengths = [3, 2]
    /// Guesses of a first attempt: with the token before them a tile of four. After one that was right throughout, all that is allowed.
    private static let firstGuess = 3

    /// Most guesses at once.
    let most: Int
    private var history: [Token]
    private var size: Int
    /// Steps to go before the next guess, and how many guesses in a row were wrong from the start.
    private var pause = 0
    private var misses = 0

    /// - Parameter limit: tokens of the reply.
    init(prompt: [Token], limit: Int, most: Int) {
        self.most = most
        size = min(Self.firstGuess, most)
        history = prompt
        // As the reply's own tokens: a longer one grows it a few times in all.
        history.reserveCapacity(prompt.count + min(limit, 4096))
    }

    mutating func note(_ token: Token) { history.append(token) }

    /// Appends at most `room` guesses to `tokens`.
    mutating func guess(into tokens: inout [Token], room: Int) {
        let wanted = min(size, room)
        guard wanted > 0 else { return }
        if pause > 0 {
            pause -= 1
            return
        }
        for length in Self.lengths where history.count > length {
            guard let place = lastPlace(of: length) else { continue }
            tokens.append(contentsOf: history[place..<min(place + wanted, history.count)])
            return
        }
    }

    /// Takes note of how many of a guess's tokens were right.
    mutating func learn(right: Int, of guessed: Int) {
        if right == 0 {
            misses += 1
            size = min(Self.firstGuess, most)
            // 4, 8, 16, 32 steps without a guess: text that does not repeat itself costs a few passes in a hundred.
            pause = 2 << min(misses, 4)
        } else {
            misses = 0
            size = right == guessed ? most : min(Self.firstGuess, most)
        }
    }

    /// Behind the last earlier place of the history's last `length` tokens.
    private func lastPlace(of length: Int) -> Int? {
        let end = history.count
        var place = end - 1
        while place >= length {
            var same = 0
            while same < length, history[place - 1 - same] == history[end - 1 - same] { same += 1 }
            if same == length { return place }
            place -= 1
        }
        return nil
    }
}
