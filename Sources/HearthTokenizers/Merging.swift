/// A stretch of text on its way to becoming a token.
struct Symbol {
    /// Number of the symbol; below 0 for a text that has none.
    var id: Int32
    /// Where its bytes are.
    var start: Int32
    var length: Int32

    var range: Range<Int> { Int(start)..<Int(start) + Int(length) }
}

/// Which neighbours merge: lower ranks first, and the leftmost of equal ranks.
protocol MergeRules {
    /// `Merging.none` where the two do not merge.
    func rank(_ left: Symbol, _ right: Symbol, _ text: Span<UInt8>) -> UInt32
    /// The symbol that a merge of this rank makes of the bytes `start ..< start + length`.
    func result(_ rank: UInt32, _ merged: Symbol, _ text: Span<UInt8>) -> Int32
}

/// The merging of byte-pair encoding: as long as any neighbours merge, the pair of the lowest rank does.
///
/// Short words look through all pairs each time; long ones keep them in a queue, so that the time stays close to
/// linear in the length whatever the text. Both give the same symbols.
struct Merging {
    static let none = UInt32.max
    /// Up to this length looking through all pairs costs less than keeping the queue.
    static let shortWord = 24

    private var ranks: [UInt32] = []
    private var next: [Int32] = []
    private var previous: [Int32] = []
    private var queue = MergeQueue()

    /// Merges `symbols` in place.
    mutating func merge(_ symbols: inout [Symbol], _ text: Span<UInt8>, _ rules: some MergeRules) {
        if symbols.count <= Self.shortWord {
            mergeShort(&symbols, text, rules)
        } else {
            mergeLong(&symbols, text, rules)
        }
    }

    mutating func mergeShort(_ symbols: inout [Symbol], _ text: Span<UInt8>, _ rules: some MergeRules) {
        guard symbols.count > 1 else { return }
        ranks.removeAll(keepingCapacity: true)
        for index in 0..<symbols.count - 1 { ranks.append(rules.rank(symbols[index], symbols[index + 1], text)) }
        while true {
            var best = 0
            var rank = Self.none
            for index in ranks.indices where ranks[index] < rank { (best, rank) = (index, ranks[index]) }
            guard rank != Self.none else { return }
            symbols[best].length += symbols[best + 1].length
            symbols[best].id = rules.result(rank, symbols[best], text)
            symbols.remove(at: best + 1)
            ranks.remove(at: best)
            if best > 0 { ranks[best - 1] = rules.rank(symbols[best - 1], symbols[best], text) }
            if best < ranks.count { ranks[best] = rules.rank(symbols[best], symbols[best + 1], text) }
        }
    }

    mutating func mergeLong(_ symbols: inout [Symbol], _ text: Span<UInt8>, _ rules: some MergeRules) {
        link(symbols.count)
        queue.removeAll()
        for index in 0..<symbols.count - 1 {
            ranks[index] = rules.rank(symbols[index], symbols[index + 1], text)
            if ranks[index] != Self.none { queue.push(rank: ranks[index], position: Int32(index)) }
        }
        while let (rank, place) = queue.pop() {
            let left = Int(place)
            guard ranks[left] == rank else { continue }  // the pair has changed since
            let right = Int(next[left])
            symbols[left].length += symbols[right].length
            symbols[left].id = rules.result(rank, symbols[left], text)
            symbols[right].length = 0
            ranks[right] = Self.none
            next[left] = next[right]
            if next[left] >= 0 { previous[Int(next[left])] = place }
            if previous[left] >= 0 { rerank(Int(previous[left]), symbols, text, rules) }
            rerank(left, symbols, text, rules)
        }
        symbols.removeAll { $0.length == 0 }
    }

    private mutating func rerank(_ left: Int, _ symbols: [Symbol], _ text: Span<UInt8>, _ rules: some MergeRules) {
        let right = Int(next[left])
        ranks[left] = right < 0 ? Self.none : rules.rank(symbols[left], symbols[right], text)
        if ranks[left] != Self.none { queue.push(rank: ranks[left], position: Int32(left)) }
    }

    /// Every symbol before the next one; no ranks yet.
    private mutating func link(_ count: Int) {
        ranks.removeAll(keepingCapacity: true)
        next.removeAll(keepingCapacity: true)
        previous.removeAll(keepingCapacity: true)
        for index in 0..<count {
            ranks.append(Self.none)
            next.append(index + 1 < count ? Int32(index + 1) : -1)
            previous.append(Int32(index) - 1)
        }
    }
}
