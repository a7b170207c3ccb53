import HearthTokens

/// The pieces that are matched as a whole before any merge: user-defined ones in all text, control pieces and the
/// unknown piece only where a template wrote them.
///
/// The leftmost match wins, and the longest of those that begin at the same place.
struct AddedTokens: Sendable {
    private var table = PieceTable(capacity: 64)
    private var tokens: [Token] = []
    private var isControl: [Bool] = []
    /// Lengths of the pieces that begin with each byte, longest first.
    private var lengths: [[Int]] = Array(repeating: [], count: 256)
    /// Whether a piece with control begins with the byte at all: one look for most bytes of a text.
    private var begins: [Bool] = Array(repeating: false, count: 256)
    /// By number of match: whether blanks and line ends after it, or before it, belong to it.
    private var swallowsAfter: [Bool] = []
    private var swallowsBefore: [Bool] = []

    struct Match {
        var token: Token
        var length: Int
        var swallowsAfter: Bool
        var swallowsBefore: Bool
    }

    init(_ vocabulary: Vocabulary, swallowing: (Token) -> (before: Bool, after: Bool)) {
        for token in 0..<Token(vocabulary.count) {
            let kind = vocabulary.kind(of: token)
            guard kind == .control || kind == .userDefined || kind == .unknown else { continue }
            let bytes = vocabulary.bytes(of: token)
            guard let first = bytes.first, table.find(bytes.span) == nil else { continue }
            table.append(bytes)
            table.makeFindable(table.count - 1)
            tokens.append(token)
            isControl.append(kind != .userDefined)
            let swallow = swallowing(token)
            swallowsBefore.append(swallow.before)
            swallowsAfter.append(swallow.after)
            begins[Int(first)] = true
            if !lengths[Int(first)].contains(bytes.count) { lengths[Int(first)].append(bytes.count) }
        }
        for byte in lengths.indices { lengths[byte].sort(by: >) }
    }

    var isEmpty: Bool { tokens.isEmpty }

    /// The longest piece at `place`; one with control must end by `controlEnd`.
    func match(_ text: Span<UInt8>, at place: Int, controlEnd: Int) -> Match? {
        let first = Int(text[place])
        guard begins[first] else { return nil }
        for length in lengths[first] where place + length <= text.count {
            guard let index = table.find(text.extracting(place..<place + length)) else { continue }
            if isControl[index], place + length > controlEnd { continue }
            return Match(
                token: tokens[index], length: length, swallowsAfter: swallowsAfter[index],
                swallowsBefore: swallowsBefore[index])
        }
        return nil
    }
}
