/// What two neighbouring symbols become, and how early: a hash table over pairs of symbol numbers.
struct PairTable: Sendable {
    /// left << 32 | right; `free` where empty. A power of two, at most half full.
    private var keys: [UInt64]
    private var ranks: [UInt32]
    /// The symbol that the merge of rank i makes.
    private(set) var results: [Int32] = []
    private static let free = UInt64.max

    init(capacity: Int) {
        var count = 16
        while count < capacity * 2 { count *= 2 }
        keys = Array(repeating: Self.free, count: count)
        ranks = Array(repeating: 0, count: count)
        results.reserveCapacity(capacity)
    }

    /// Adds the next merge; a pair that is there already keeps its earlier rank. At most `capacity` merges.
    mutating func append(left: Int32, right: Int32, result: Int32) {
        let key = Self.key(left, right)
        var slot = Self.slot(key, keys.count)
        while keys[slot] != Self.free, keys[slot] != key { slot = (slot + 1) & (keys.count - 1) }
        if keys[slot] == Self.free {
            keys[slot] = key
            ranks[slot] = UInt32(results.count)
        }
        results.append(result)
    }

    /// The rank of a pair, `Merging.none` where it does not merge.
    func rank(left: Int32, right: Int32) -> UInt32 {
        guard left >= 0, right >= 0 else { return Merging.none }
        let key = Self.key(left, right)
        var slot = Self.slot(key, keys.count)
        while keys[slot] != Self.free {
            if keys[slot] == key { return ranks[slot] }
            slot = (slot + 1) & (keys.count - 1)
        }
        return Merging.none
    }

    private static func key(_ left: Int32, _ right: Int32) -> UInt64 {
        UInt64(UInt32(bitPattern: left)) << 32 | UInt64(UInt32(bitPattern: right))
    }

    /// Multiplicative hashing with 2^64 / golden ratio; the high bits are the mixed ones.
    private static func slot(_ key: UInt64, _ count: Int) -> Int {
        Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 32) & (count - 1)
    }
}
