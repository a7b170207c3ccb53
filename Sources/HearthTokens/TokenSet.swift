/// A mask over a vocabulary: bit i of word i / 64 allows token i.
package struct TokenSet: Sendable, Equatable {
    /// How many tokens the set speaks of; bits past it are 0.
    package let count: Int
    package private(set) var words: [UInt64]

    /// A set that allows all of `count` tokens, or none.
    package init(count: Int, allowingAll: Bool = false) {
        precondition(count >= 0, "a token set over \(count) tokens")
        self.count = count
        words = Array(repeating: 0, count: (count + 63) / 64)
        if allowingAll { allowAll() }
    }

    package func contains(_ token: Token) -> Bool {
        guard token >= 0, Int(token) < count else { return false }
        return words[Int(token) / 64] & bit(token) != 0
    }

    package mutating func insert(_ token: Token) {
        precondition(token >= 0 && Int(token) < count, "token \(token) of \(count)")
        words[Int(token) / 64] |= bit(token)
    }

    package mutating func remove(_ token: Token) {
        precondition(token >= 0 && Int(token) < count, "token \(token) of \(count)")
        words[Int(token) / 64] &= ~bit(token)
    }

    package mutating func allowAll() {
        for index in words.indices { words[index] = .max }
        let used = count % 64
        if used != 0 { words[words.count - 1] = (1 << UInt64(used)) - 1 }
    }

    package mutating func allowNone() {
        for index in words.indices { words[index] = 0 }
    }

    package mutating func formUnion(_ other: TokenSet) {
        precondition(other.count == count, "sets over \(count) and \(other.count) tokens")
        for index in words.indices { words[index] |= other.words[index] }
    }

    package mutating func formIntersection(_ other: TokenSet) {
        precondition(other.count == count, "sets over \(count) and \(other.count) tokens")
        for index in words.indices { words[index] &= other.words[index] }
    }

    package var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

    /// How many tokens are allowed.
    package var population: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

    /// The allowed tokens in rising order.
    package func forEach(_ body: (Token) throws -> Void) rethrows {
        for index in words.indices {
            var word = words[index]
            while word != 0 {
                try body(Token(index * 64 + word.trailingZeroBitCount))
                word &= word - 1
            }
        }
    }

    private func bit(_ token: Token) -> UInt64 { 1 << UInt64(Int(token) % 64) }
}
