/// A stretch of text on its way to becoming a token.
struct Symbol: Sendable {
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
struct Merging: Sendable {
    static let none = UInt32.max
    /// Up to this length looking through all pairs costs less than keeping the queue.
    static let shortWord = 24

    /// The pair that begins at a symbol, and the symbol's neighbours.
    private struct Link {
        /// `Merging.none` where the pair does not merge.
        var rank: UInt32
        /// −1 after the last symbol.
        var next: Int32
        /// −1 before the first.
        var previous: Int32
    }

    private var ranks: [UInt32] = []
    private var links: [Link] = []
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
        link(symbols, text, rules)
        while let (rank, place) = queue.pop() {
            let left = Int(place)
            guard links[left].rank == rank else { continue }  // the pair has changed since
            let right = Int(links[left].next)
            symbols[left].length += symbols[right].length
            symbols[left].id = rules.result(rank, symbols[left], text)
            symbols[right].length = 0
            links[right].rank = Self.none
            let next = links[right].next
            links[left].next = next
            if next >= 0 { links[Int(next)].previous = place }
            if links[left].previous >= 0 { rerank(Int(links[left].previous), symbols, text, rules) }
            rerank(left, symbols, text, rules)
        }
        symbols.removeAll { $0.length == 0 }
    }

    /// Every symbol before the next one, and the pairs that merge in the queue.
    private mutating func link(_ symbols: [Symbol], _ text: Span<UInt8>, _ rules: some MergeRules) {
        queue.removeAll()
        links.removeAll(keepingCapacity: true)
        links.reserveCapacity(symbols.count)
        for index in symbols.indices {
            let isLast = index + 1 == symbols.count
            links.append(Link(rank: Self.none, next: isLast ? -1 : Int32(index + 1), previous: Int32(index) - 1))
            rerank(index, symbols, text, rules)
        }
    }

    private mutating func rerank(_ left: Int, _ symbols: [Symbol], _ text: Span<UInt8>, _ rules: some MergeRules) {
        let right = Int(links[left].next)
        links[left].rank = right < 0 ? Self.none : rules.rank(symbols[left], symbols[right], text)
        if links[left].rank != Self.none { queue.push(rank: links[left].rank, position: Int32(left)) }
    }
}
