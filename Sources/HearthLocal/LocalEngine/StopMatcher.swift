/// Finds the first of several stop sequences in a text that comes in pieces, and holds back what may begin one.
///
/// Bytes go in and come out: those that no stop sequence can still begin with. The sequence that ends first counts; of
/// those that end at the same byte, the longest. Matching is Knuth, Morris and Pratt's for each sequence side by side: a
/// byte costs the same wherever it stands in a stop sequence.
package struct StopMatcher: Sendable {
    private struct Pattern: Sendable {
        let bytes: [UInt8]
        /// Length of the longest proper beginning of `bytes` that ends at each of its places.
        let borders: [Int]
        /// Bytes of the pattern that the text ends with.
        var matched = 0

        init(_ bytes: [UInt8]) {
            self.bytes = bytes
            var borders = [0]
            var length = 0
            for index in bytes.indices.dropFirst() {
                while length > 0, bytes[index] != bytes[length] { length = borders[length - 1] }
                if bytes[index] == bytes[length] { length += 1 }
                borders.append(length)
            }
            self.borders = borders
        }

        /// Whether the pattern ends with this byte.
        mutating func push(_ byte: UInt8) -> Bool {
            while matched > 0, bytes[matched] != byte { matched = borders[matched - 1] }
            if bytes[matched] == byte { matched += 1 }
            return matched == bytes.count
        }
    }

    private var patterns: [Pattern]
    /// Bytes that came in and have not come out.
    private var held: [UInt8] = []
    /// Whether a stop sequence was found; nothing comes out any more.
    package private(set) var isStopped = false

    /// - Parameter stops: none of them empty.
    package init(_ stops: [[UInt8]]) { patterns = stops.map(Pattern.init) }

    /// Takes bytes and appends what may be shown to `output`.
    package mutating func push(_ bytes: some Sequence<UInt8>, to output: inout [UInt8]) {
        guard !isStopped else { return }
        guard !patterns.isEmpty else {
            output.append(contentsOf: bytes)
            return
        }
        for byte in bytes {
            held.append(byte)
            var found = 0
            var open = 0
            for index in patterns.indices {
                if patterns[index].push(byte) { found = max(found, patterns[index].bytes.count) }
                open = max(open, patterns[index].matched)
            }
            if found > 0 {
                // All of it is held: each of its bytes was, from the first one on.
                output.append(contentsOf: held.dropLast(found))
                held.removeAll()
                isStopped = true
                return
            }
            let free = held.count - open
            if free > 0 {
                output.append(contentsOf: held.prefix(free))
                held.removeFirst(free)
            }
        }
    }

    /// What is still held, when the reply ends for another reason.
    package mutating func finish() -> [UInt8] {
        defer { held.removeAll() }
        return held
    }
}
