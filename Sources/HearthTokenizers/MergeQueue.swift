/// Pairs that wait to be merged: the lowest rank first, the leftmost position among equal ranks.
///
/// One bucket per rank that waits, and a heap of those ranks. A text that repeats itself has few ranks and fills each
/// bucket from left to right, so that adding and taking cost the same however long it is.
struct MergeQueue: Sendable {
    private struct Bucket {
        /// Rising positions; the ones before `head` are taken.
        var inOrder: [Int32] = []
        var head = 0
        /// A heap of the positions that came too late for `inOrder`.
        var late = MinHeap<Int32>()

        var isEmpty: Bool { head == inOrder.count && late.isEmpty }

        mutating func push(_ position: Int32) {
            if let last = inOrder.last, last > position { late.push(position) } else { inOrder.append(position) }
        }

        mutating func pop() -> Int32 {
            if let first = late.first, head == inOrder.count || first < inOrder[head] {
                late.removeFirst()
                return first
            }
            head += 1
            return inOrder[head - 1]
        }

        mutating func removeAll() {
            inOrder.removeAll(keepingCapacity: true)
            head = 0
            late.removeAll()
        }
    }

    private var waiting = MinHeap<UInt32>()
    private var buckets: [Bucket] = []
    private var bucketOfRank: [UInt32: Int] = [:]
    private var spare: [Int] = []
    /// The bucket that was last pushed to: runs push to one rank again and again.
    private var recent: (rank: UInt32, index: Int)?

    mutating func removeAll() {
        while pop() != nil {}
    }

    mutating func push(rank: UInt32, position: Int32) {
        if let recent, recent.rank == rank {
            buckets[recent.index].push(position)
            return
        }
        if let index = bucketOfRank[rank] {
            recent = (rank, index)
            buckets[index].push(position)
            return
        }
        let index = spare.popLast() ?? buckets.count
        if index == buckets.count { buckets.append(Bucket()) }
        bucketOfRank[rank] = index
        buckets[index].push(position)
        waiting.push(rank)
    }

    mutating func pop() -> (rank: UInt32, position: Int32)? {
        guard let rank = waiting.first, let index = bucketOfRank[rank] else { return nil }
        let position = buckets[index].pop()
        if buckets[index].isEmpty {
            buckets[index].removeAll()
            spare.append(index)
            bucketOfRank[rank] = nil
            if recent?.rank == rank { recent = nil }
            waiting.removeFirst()
        }
        return (rank, position)
    }
}

/// A binary heap with the least element first.
struct MinHeap<Element: Comparable & Sendable>: Sendable {
    private var storage: [Element] = []

    var first: Element? { storage.first }
    var isEmpty: Bool { storage.isEmpty }

    mutating func removeAll() { storage.removeAll(keepingCapacity: true) }

    mutating func push(_ element: Element) {
        var hole = storage.count
        storage.append(element)
        while hole > 0 {
            let parent = (hole - 1) / 2
            guard element < storage[parent] else { break }
            storage[hole] = storage[parent]
            hole = parent
        }
        storage[hole] = element
    }

    mutating func removeFirst() {
        guard let last = storage.popLast(), !storage.isEmpty else { return }
        var hole = 0
        while true {
            var child = hole * 2 + 1
            guard child < storage.count else { break }
            if child + 1 < storage.count, storage[child + 1] < storage[child] { child += 1 }
            guard storage[child] < last else { break }
            storage[hole] = storage[child]
            hole = child
        }
        storage[hole] = last
    }
}
