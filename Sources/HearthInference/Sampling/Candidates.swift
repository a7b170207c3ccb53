import HearthTokens

/// A token that may be drawn, with its logit after penalties.
struct Candidate {
    var value: Float
    var id: Token

    /// The order of the chain: higher value first, lower id of equals.
    @inline(__always)
    func precedes(_ other: Candidate) -> Bool {
        value > other.value || (value == other.value && id < other.id)
    }
}

/// Candidates of one draw in a buffer that is made once for a vocabulary.
///
/// Nothing here sorts a vocabulary: the best k come from a heap of k, and everything else takes the best one from a heap
/// until it has enough. Taken candidates stand, best first, at `taken(0)`, `taken(1)`, ...
struct Candidates {
    private var storage: [Candidate]
    /// In the buffer, taken ones included.
    private(set) var count = 0
    /// Not taken yet: a heap in `storage[0 ..< waiting]`, best at the root.
    private(set) var waiting = 0

    init(capacity: Int) {
        storage = Array(repeating: Candidate(value: 0, id: 0), count: capacity)
    }

    /// All usable logits of at least `threshold`. NaN compares false, so it never enters.
    mutating func collect(_ logits: Span<Float>, atLeast threshold: Float) {
        count = 0
        for id in logits.indices where logits[id] >= threshold && logits[id] > -.infinity {
            storage[count] = Candidate(value: logits[id], id: Token(truncatingIfNeeded: id))
            count += 1
        }
        waiting = count
        var root = count / 2
        while root > 0 {
            root -= 1
            sink(root, in: waiting) { $0.precedes($1) }
        }
    }

    /// The best `k` usable logits (fewer where there are fewer), taken already: a heap of k whose root is the worst kept.
    mutating func collect(_ logits: Span<Float>, best k: Int) {
        count = 0
        for id in logits.indices {
            let candidate = Candidate(value: logits[id], id: Token(truncatingIfNeeded: id))
            guard candidate.value > -.infinity else { continue }
            if count < k {
                storage[count] = candidate
                count += 1
                rise(count - 1) { $1.precedes($0) }
            } else if candidate.precedes(storage[0]) {
                storage[0] = candidate
                sink(0, in: count) { $1.precedes($0) }
            }
        }
        // Empty the heap worst first into the front of the taken ones, which are read from the end of the buffer.
        var left = count
        while left > 1 {
            left -= 1
            storage.swapAt(0, left)
            sink(0, in: left) { $1.precedes($0) }
        }
        for rank in 0..<count / 2 { storage.swapAt(rank, count - 1 - rank) }
        waiting = 0
    }

    /// Moves the best waiting candidate to the taken ones.
    mutating func take() -> Candidate? {
        guard waiting > 0 else { return nil }
        waiting -= 1
        storage.swapAt(0, waiting)
        sink(0, in: waiting) { $0.precedes($1) }
        return storage[waiting]
    }

    var takenCount: Int { count - waiting }

    /// The taken candidate of rank `rank`, 0 for the best.
    func taken(_ rank: Int) -> Candidate { storage[count - 1 - rank] }

    @inline(__always)
    private mutating func sink(_ start: Int, in size: Int, _ above: (Candidate, Candidate) -> Bool) {
        var parent = start
        let moving = storage[parent]
        while true {
            var child = 2 * parent + 1
            guard child < size else { break }
            if child + 1 < size, above(storage[child + 1], storage[child]) { child += 1 }
            guard above(storage[child], moving) else { break }
            storage[parent] = storage[child]
            parent = child
        }
        storage[parent] = moving
    }

    @inline(__always)
    private mutating func rise(_ start: Int, _ above: (Candidate, Candidate) -> Bool) {
        var child = start
        let moving = storage[child]
        while child > 0 {
            let parent = (child - 1) / 2
            guard above(moving, storage[parent]) else { break }
            storage[child] = storage[parent]
            child = parent
        }
        storage[child] = moving
    }
}
