import HearthTokens

/// Pieces in the order of their bytes, for finding all that begin at a place: each byte more narrows the stretch of
/// pieces that still fit, and the search ends with the first byte that none has.
struct SortedPieces: Sendable {
    private var bytes: [UInt8] = []
    /// Piece i in order is `bytes[starts[i] ..< starts[i + 1]]`.
    private var starts: [Int] = [0]
    private var tokens: [Token] = []

    /// - Parameter isIn: which tokens take part. Of pieces with the same bytes the one that is found by them does.
    init(_ vocabulary: Vocabulary, _ isIn: (Token) -> Bool) {
        var pieces: [(bytes: [UInt8], token: Token)] = []
        pieces.reserveCapacity(vocabulary.count)
        for token in 0..<Token(vocabulary.count) where isIn(token) {
            let bytes = vocabulary.bytes(of: token)
            if !bytes.isEmpty, vocabulary.token(of: bytes.span) == token { pieces.append((bytes, token)) }
        }
        pieces.sort { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        for piece in pieces {
            bytes.append(contentsOf: piece.bytes)
            starts.append(bytes.count)
            tokens.append(piece.token)
        }
    }

    var all: Search { Search(range: 0..<tokens.count, depth: 0) }

    /// The pieces that begin with the first `depth` bytes of some text.
    struct Search {
        fileprivate var range: Range<Int>
        fileprivate var depth: Int

        var isEmpty: Bool { range.isEmpty }

        /// The piece that is these bytes and no more; it sorts before all that go on.
        func match(_ pieces: SortedPieces) -> Token? {
            guard let first = range.first, pieces.starts[first + 1] - pieces.starts[first] == depth else { return nil }
            return pieces.tokens[first]
        }

        /// Goes on with the text's bytes after `start`, up to `length` of them.
        mutating func narrow(_ pieces: SortedPieces, _ text: Span<UInt8>, to length: Int, from start: Int) {
            while depth < length, !range.isEmpty {
                let byte = text[start + depth]
                let low = pieces.firstIndex(in: range, depth) { $0 >= Int(byte) }
                let high = pieces.firstIndex(in: low..<range.upperBound, depth) { $0 > Int(byte) }
                range = low..<high
                depth += 1
            }
        }
    }

    /// Where the bytes at `depth` begin to be `enough`; a piece that ends there counts as −1.
    private func firstIndex(in range: Range<Int>, _ depth: Int, where enough: (Int) -> Bool) -> Int {
        var low = range.lowerBound
        var high = range.upperBound
        while low < high {
            let middle = (low + high) / 2
            let place = starts[middle] + depth
            if enough(place < starts[middle + 1] ? Int(bytes[place]) : -1) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
