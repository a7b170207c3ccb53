/// The pieces of a model's vocabulary: the bytes each stands for, its kind and its score.
///
/// Lookups go by bytes. Where two pieces stand for the same bytes, `token(of:)` answers with the normal one, then the
/// user-defined one, then the rest, and with the lowest number among equals; all of them keep their numbers.
package struct Vocabulary: Sendable {
    private var table: PieceTable
    package let kinds: [TokenKind]
    package let scores: [Float]
    package let special: SpecialTokens

    /// - Parameters:
    ///   - pieces: what each token stands for in a text, by number.
    ///   - kinds: one for each piece; empty means all normal.
    ///   - scores: one for each piece; empty means all 0.
    ///   - unreachable: pieces that no text becomes, in any order; `token(of:)` never answers with them.
    package init(
        pieces: [[UInt8]], kinds: [TokenKind], scores: [Float], special: SpecialTokens, unreachable: [Int] = []
    ) throws(VocabularyError) {
        guard !pieces.isEmpty else { throw .empty }
        guard pieces.count <= Int(Token.max) else { throw .tooLarge(count: pieces.count) }
        guard kinds.isEmpty || kinds.count == pieces.count else {
            throw .kindsMiscounted(kinds: kinds.count, pieces: pieces.count)
        }
        guard scores.isEmpty || scores.count == pieces.count else {
            throw .scoresMiscounted(scores: scores.count, pieces: pieces.count)
        }
        for (role, token) in special.named where token < 0 || Int(token) >= pieces.count {
            throw .specialOutside(role: role, token: token, pieces: pieces.count)
        }
        self.kinds = kinds.isEmpty ? Array(repeating: .normal, count: pieces.count) : kinds
        self.scores = scores.isEmpty ? Array(repeating: 0, count: pieces.count) : scores
        self.special = special
        table = PieceTable(capacity: pieces.count)
        for piece in pieces { table.append(piece) }
        let hidden = Set(unreachable)
        for rank in 0...3 {
            for index in pieces.indices where self.kinds[index].lookupRank == rank && !pieces[index].isEmpty {
                if !hidden.contains(index) { table.makeFindable(index) }
            }
        }
    }

    package var count: Int { kinds.count }

    /// Bytes of the longest piece that can be found.
    package var longest: Int { table.longest }

    /// The kind of a token; `unused` for a number past the last piece, which a padded output matrix can yield.
    package func kind(of token: Token) -> TokenKind { contains(token) ? kinds[Int(token)] : .unused }

    /// The bytes that the piece stands for in a text; none for a number past the last piece.
    package func withBytes<R>(of token: Token, _ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        guard contains(token) else { return try unsafe body(UnsafeRawBufferPointer(start: nil, count: 0)) }
        return try unsafe table.withBytes(of: Int(token), body)
    }

    /// As `withBytes(of:)`, at the end of `output`.
    package func append(_ token: Token, to output: inout [UInt8]) {
        if contains(token) { table.append(Int(token), to: &output) }
    }

    package func bytes(of token: Token) -> [UInt8] {
        var output: [UInt8] = []
        append(token, to: &output)
        return output
    }

    package func length(of token: Token) -> Int { contains(token) ? table.length(of: Int(token)) : 0 }

    package func token(of bytes: some Sequence<UInt8>) -> Token? {
        let bytes = Array(bytes)
        return token(of: bytes.span)
    }

    package func token(of bytes: Span<UInt8>) -> Token? { table.find(bytes).map { Token($0) } }

    private func contains(_ token: Token) -> Bool { token >= 0 && Int(token) < kinds.count }
}

extension TokenKind {
    /// Who answers first for bytes that several pieces stand for.
    fileprivate var lookupRank: Int {
        switch self {
        case .normal, .unused: 0
        case .userDefined: 1
        case .control, .unknown: 2
        case .byte: 3
        }
    }
}
