import HearthTokenizers
import HearthTokens
import Testing

/// The encoders against byte-pair encoding as its definition reads: look for the best pair, merge it, begin again.
@Suite("Merging")
struct MergingTests {
    /// Merges the leftmost of the best pairs until none is left; `rank` is lower for better.
    func plain(_ symbols: [String], rank: (String, String) -> Int?) -> [String] {
        var symbols = symbols
        while true {
            var best: (rank: Int, place: Int)?
            for place in symbols.indices.dropLast() {
                guard let rank = rank(symbols[place], symbols[place + 1]) else { continue }
                if best.map({ rank < $0.rank }) ?? true { best = (rank, place) }
            }
            guard let best else { return symbols }
            symbols[best.place] += symbols.remove(at: best.place + 1)
        }
    }

    @Test("short words and long ones merge as the definition says", arguments: 0..<6 as Range<UInt64>)
    func bytePair(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var pieces = ["a", "b", "c"]
        var merges: [(String, String)] = []
        while merges.count < 40 {
            let pair = (pieces.randomElement(using: &random)!, pieces.randomElement(using: &random)!)
            guard (pair.0 + pair.1).count < 12, !pieces.contains(pair.0 + pair.1) else { continue }
            merges.append(pair)
            pieces.append(pair.0 + pair.1)
        }
        let ranks = Dictionary(uniqueKeysWithValues: merges.enumerated().map { ("\($1.0) \($1.1)", $0) })
        let tokenizer = try Tokenizer(Small.bytePair(merges: merges))
        for length in [0, 1, 2, 3, 7, 20, 23, 24, 25, 26, 40, 100, 333] {
            let text = (0..<length).map { _ in ["a", "b", "c"].randomElement(using: &random)! }
            let tokens = try tokenizer.encode(text.joined().utf8, control: .asText)
            let ours = tokens.map { String(decoding: tokenizer.vocabulary.bytes(of: $0), as: UTF8.self) }
            #expect(ours == plain(text) { ranks["\($0) \($1)"] }, "seed \(seed), \(text.joined())")
        }
    }

    @Test("SentencePiece merges by score, the leftmost of equals first", arguments: 0..<6 as Range<UInt64>)
    func scores(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var pieces = ["a", "b", "é"]
        while pieces.count < 50 {
            let piece = pieces.randomElement(using: &random)! + pieces.randomElement(using: &random)!
            if piece.count < 10, !pieces.contains(piece) { pieces.append(piece) }
        }
        // few scores, so that many pieces share one
        let scores = pieces.map { _ in Float(Int.random(in: 0..<8, using: &random)) }
        let score = Dictionary(uniqueKeysWithValues: zip(pieces, scores))
        let tokenizer = try Tokenizer(Small.sentencePiece(pieces, scores: scores))
        for length in [0, 1, 2, 3, 20, 24, 25, 26, 100, 333] {
            let text = (0..<length).map { _ in ["a", "b", "é"].randomElement(using: &random)! }
            let tokens = try tokenizer.encode(text.joined().utf8, control: .asText)
            let ours = tokens.map { String(decoding: tokenizer.vocabulary.bytes(of: $0), as: UTF8.self) }
            #expect(ours == plain(text) { score[$0 + $1].map { -Int($0) } }, "seed \(seed), \(text.joined())")
        }
    }

    @Test("a merge through a text that is no piece happens, and what is left of it is written byte by byte")
    func throughNoPiece() throws {
        var facts = Small.bytePair(merges: [("a", "b"), ("ab", "c")])
        // `ab` is no piece any more: `abc` still is, and a lone `ab` is its bytes.
        facts.pieces[256] = Small.spelled("zz".utf8)
        let tokenizer = try Tokenizer(facts)
        #expect(try tokenizer.encode("abc".utf8, control: .asText) == [257])
        #expect(try tokenizer.encode("ab".utf8, control: .asText) == [97, 98])
    }
}
