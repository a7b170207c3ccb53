import HearthKernels
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

/// Candidates of one draw in buffers that are made once for a vocabulary.
///
/// Nothing here sorts: the best k come from a heap of k, and what stands before a share of the weights is found by parting the
/// candidates around one of them again and again (Hoare's selection with weights), in time that is linear on average.
struct Candidates {
    private var storage: [Candidate]
    /// Weight of each, by the same index; written by `weigh`.
    private var weights: [Float]
    /// Values side by side, for the exponentials.
    private var values: [Float]
    private(set) var count = 0

    init(capacity: Int) {
        storage = Array(repeating: Candidate(value: 0, id: 0), count: capacity)
        weights = Array(repeating: 0, count: capacity)
        values = Array(repeating: 0, count: capacity)
    }

    /// All logits of at least `threshold`, in the order of ids.
    mutating func collect(_ logits: UnsafeBufferPointer<Float>, atLeast threshold: Float, _ compute: Compute) {
        count = 0
        let (x, end) = (logits.baseAddress!, logits.count)
        var id = unsafe compute.firstAtLeast(threshold, in: x, from: 0, count: end)
        while id < end {
            storage[count] = unsafe Candidate(value: x[id], id: Token(truncatingIfNeeded: id))
            count += 1
            id += 1
            // Most of a flat distribution are candidates: neighbours need no call.
            if unsafe id < end && !(x[id] >= threshold) {
                id = unsafe compute.firstAtLeast(threshold, in: x, from: id, count: end)
            }
        }
    }

    /// The best `k` logits above minus infinity (fewer where there are fewer): a heap of k whose root is the worst kept.
    mutating func collect(_ logits: UnsafeBufferPointer<Float>, best k: Int, _ compute: Compute) {
        count = 0
        let (x, end) = (logits.baseAddress!, logits.count)
        var id = 0
        while id < end, count < k {
            let candidate = unsafe Candidate(value: x[id], id: Token(truncatingIfNeeded: id))
            if candidate.value > -.infinity {
                storage[count] = candidate
                count += 1
                rise(count - 1)
            }
            id += 1
        }
        // Equals of the root have higher ids and never enter, but they are looked at.
        while id < end {
            id = unsafe compute.firstAtLeast(storage[0].value, in: x, from: id, count: end)
            guard id < end else { break }
            let candidate = unsafe Candidate(value: x[id], id: Token(truncatingIfNeeded: id))
            if candidate.precedes(storage[0]) {
                storage[0] = candidate
                sink()
            }
            id += 1
        }
    }

    /// Gives each candidate the weight `exp((value - largest) * scale)`. Returns their sum.
    @discardableResult
    mutating func weigh(below largest: Float, scale: Float, _ compute: Compute) -> Double {
        for index in 0..<count { values[index] = storage[index].value }
        unsafe values.withUnsafeBufferPointer { values in
            unsafe weights.withUnsafeMutableBufferPointer { weights in
                unsafe compute.drawWeights(
                    values.baseAddress!, largest: largest, scale: scale, count: count, into: weights.baseAddress!)
            }
        }
        var sum = 0.0
        for index in 0..<count { sum += Double(weights[index]) }
        return sum
    }

    /// Drops those with a weight below `least`.
    mutating func drop(below least: Float) {
        var kept = 0
        for index in 0..<count where weights[index] >= least {
            storage[kept] = storage[index]
            weights[kept] = weights[index]
            kept += 1
        }
        count = kept
    }

    /// Keeps the first ones in the chain's order, as few as reach `share` of weight and at least one.
    mutating func keep(reaching share: Double) {
        count = part { $0 >= share }
    }

    /// The first candidate in the chain's order at which the weights up to it pass `share`; the last where rounding left their sum
    /// short of it.
    mutating func first(passing share: Double) -> Token {
        count = part { $0 > share }
        var last = storage[0]
        for index in 1..<max(count, 1) where last.precedes(storage[index]) { last = storage[index] }
        return last.id
    }

    /// Brings those that come first to the front, as few as have weights whose sum is enough; returns how many those are.
    private mutating func part(_ isEnough: (Double) -> Bool) -> Int {
        var (low, high) = (0, count)
        var before = 0.0
        while low < high {
            // Around the middle one: `low ..< place` precede it.
            exchange((low + high) / 2, high - 1)
            let pivot = storage[high - 1]
            var place = low
            var sum = 0.0
            for index in low..<high - 1 where storage[index].precedes(pivot) {
                sum += Double(weights[index])
                exchange(index, place)
                place += 1
            }
            exchange(place, high - 1)
            if place > low, isEnough(before + sum) {
                high = place
                continue
            }
            before += sum + Double(weights[place])
            low = place + 1
            if isEnough(before) { return low }
        }
        return low
    }

    @inline(__always)
    private mutating func exchange(_ a: Int, _ b: Int) {
        storage.swapAt(a, b)
        weights.swapAt(a, b)
    }

    /// Restores the heap after the root was replaced: the worst at the root.
    private mutating func sink() {
        var parent = 0
        let moving = storage[0]
        while true {
            var child = 2 * parent + 1
            guard child < count else { break }
            if child + 1 < count, storage[child].precedes(storage[child + 1]) { child += 1 }
            guard moving.precedes(storage[child]) else { break }
            storage[parent] = storage[child]
            parent = child
        }
        storage[parent] = moving
    }

    private mutating func rise(_ start: Int) {
        var child = start
        let moving = storage[child]
        while child > 0 {
            let parent = (child - 1) / 2
            guard storage[parent].precedes(moving) else { break }
            storage[child] = storage[parent]
            child = parent
        }
        storage[child] = moving
    }
}
