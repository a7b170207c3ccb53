import HearthTokenizers
import HearthTokens

/// Vocabularies written for a test.
enum Small {
    /// GPT-2's spelling of bytes.
    static func spelled(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var next: UInt32 = 256
        var alphabet: [Unicode.Scalar] = []
        for byte in 0...255 as ClosedRange<UInt8> {
            let prints = (0x21...0x7E).contains(byte) || (0xA1...0xAC).contains(byte) || byte >= 0xAE
            alphabet.append(Unicode.Scalar(prints ? UInt32(byte) : next)!)
            if !prints { next += 1 }
        }
        return bytes.flatMap { Array(UTF8.encode(alphabet[Int($0)])!) }
    }

    /// Tokens 0 to 255 are the bytes, then one piece per merge, then the added pieces.
    static func bytePair(
        pre: String = "gpt-2", merges: [(String, String)] = [], added: [(String, TokenKind)] = [],
        bos: Token? = nil, addBOS: Bool? = nil
    ) -> TokenizerFacts {
        var pieces = (0...255).map { (byte: UInt8) in spelled([byte]) }
        var spelledMerges: [[UInt8]] = []
        for (left, right) in merges {
            pieces.append(spelled(left.utf8) + spelled(right.utf8))
            spelledMerges.append(spelled(left.utf8) + [0x20] + spelled(right.utf8))
        }
        let kinds = pieces.map { _ in TokenKind.normal } + added.map(\.1)
        return TokenizerFacts(
            model: "gpt2", preTokenizer: pre, pieces: pieces + added.map { Array($0.0.utf8) }, kinds: kinds,
            merges: spelledMerges, bos: bos, addBOS: addBOS)
    }

    /// SentencePiece with the pieces as given and scores that fall from the first.
    static func sentencePiece(
        _ pieces: [String], kinds: [TokenKind] = [], scores: [Float]? = nil, addSpacePrefix: Bool = false,
        unknown: Token? = nil
    ) -> TokenizerFacts {
        TokenizerFacts(
            model: "llama", pieces: pieces.map { Array($0.utf8) }, kinds: kinds,
            scores: scores ?? pieces.indices.map { -Float($0) }, unknown: unknown, addBOS: false,
            addSpacePrefix: addSpacePrefix)
    }
}

/// SplitMix64: the same numbers for the same seed, on every machine.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64
    init(seed: UInt64) { state = seed }
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
