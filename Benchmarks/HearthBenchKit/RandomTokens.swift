import HearthTokens

/// Token ids to measure with: no text, any id of the vocabulary, other ones in each repetition.
struct RandomTokens {
    /// SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, 2014), so that a run can be repeated.
    private var state: UInt64
    private let vocabulary: UInt64

    init(seed: UInt64, vocabulary: Int) {
        state = seed
        self.vocabulary = UInt64(max(1, vocabulary))
    }

    mutating func next() -> Token {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return Token((z ^ (z >> 31)) % vocabulary)
    }

    mutating func next(_ count: Int) -> [Token] { (0..<count).map { _ in next() } }
}
