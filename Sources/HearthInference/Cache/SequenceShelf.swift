import HearthTokens

/// The sequences that no request holds, kept for the next one that starts with the same tokens.
///
/// A request takes the sequence with the longest common prefix, the latest of equals. It continues that sequence in place
/// where at least half of it is shared; otherwise it copies the shared cells and leaves the other conversation as it was.
/// The most recent `capacity` sequences are kept. (A tree of pages, shared by all, takes this place later.)
struct SequenceShelf {
    /// A conversation, the one before it, and two requests on the side: each is a whole KV cache in memory.
    static let capacity = 4

    /// Longest unused first.
    private(set) var kept: [KVSequence] = []
    private let make: () throws(InferenceError) -> KVSequence

    init(make: @escaping () throws(InferenceError) -> KVSequence) {
        self.make = make
    }

    /// A sequence that holds the reusable start of `prompt` and nothing after it.
    mutating func take(for prompt: [Token]) throws(InferenceError) -> KVSequence {
        var best: Int?
        var longest = 0
        for index in kept.indices {
            let reusable = kept[index].reusable(for: prompt)
            if reusable >= max(longest, 1) { (best, longest) = (index, reusable) }
        }
        guard let best else { return try fresh(sparing: nil) }
        let found = kept[best]
        if 2 * found.commonPrefix(with: prompt) >= found.count {
            kept.remove(at: best)
            found.rewind(to: longest)
            return found
        }
        let sequence = try fresh(sparing: found)
        sequence.copy(longest, of: found)
        return sequence
    }

    /// Keeps a sequence for later requests, as the most recent one.
    mutating func put(back sequence: KVSequence) {
        guard sequence.count > 0 else { return }
        kept.append(sequence)
        if kept.count > Self.capacity { kept.removeFirst() }
    }

    mutating func removeAll() { kept.removeAll() }

    /// An empty sequence: where the shelf is full, the memory of the longest unused one.
    private mutating func fresh(sparing spared: KVSequence?) throws(InferenceError) -> KVSequence {
        guard kept.count >= Self.capacity, let oldest = kept.firstIndex(where: { $0 !== spared }) else {
            return try make()
        }
        let sequence = kept.remove(at: oldest)
        sequence.rewind(to: 0)
        return sequence
    }
}
