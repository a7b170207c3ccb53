/// Byte strings, numbered from 0 and found by their bytes.
///
/// One flat buffer and one table with open addressing: no allocation per piece, and no `String`, whose equality
/// would merge pieces that Unicode calls equal. Finding costs one pass over the bytes asked for.
package struct PieceTable: Sendable {
    private var bytes: [UInt8] = []
    /// Piece i is `bytes[starts[i] ..< starts[i + 1]]`.
    private var starts: [Int] = [0]
    /// Numbers of pieces, −1 where free; a power of two, at most half full.
    private var slots: [Int32]
    private var findable = 0
    /// Bytes of the longest piece: a longer text is not looked up at all.
    package private(set) var longest = 0

    package init(capacity: Int) {
        starts.reserveCapacity(capacity + 1)
        slots = Array(repeating: -1, count: Self.slotCount(for: capacity))
    }

    package var count: Int { starts.count - 1 }

    /// Stores a piece under the next number. It is not found before `makeFindable`.
    package mutating func append(_ piece: some Sequence<UInt8>) {
        bytes.append(contentsOf: piece)
        starts.append(bytes.count)
    }

    /// Lets `find` answer with `index`, unless an equal piece already does.
    package mutating func makeFindable(_ index: Int) {
        if (findable + 1) * 2 > slots.count { grow() }
        let range = range(of: index)
        var slot = Int(truncatingIfNeeded: hash(bytes.span.extracting(range))) & (slots.count - 1)
        while slots[slot] >= 0 {
            if isEqual(Int(slots[slot]), bytes.span.extracting(range)) { return }
            slot = (slot + 1) & (slots.count - 1)
        }
        slots[slot] = Int32(index)
        findable += 1
        longest = max(longest, range.count)
    }

    /// The number of the piece with exactly these bytes.
    package func find(_ piece: Span<UInt8>) -> Int? {
        guard piece.count <= longest else { return nil }
        var slot = Int(truncatingIfNeeded: hash(piece)) & (slots.count - 1)
        while slots[slot] >= 0 {
            if isEqual(Int(slots[slot]), piece) { return Int(slots[slot]) }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    package func length(of index: Int) -> Int { starts[index + 1] - starts[index] }

    package func append(_ index: Int, to output: inout [UInt8]) {
        output.append(contentsOf: bytes[range(of: index)])
    }

    package func withBytes<R>(of index: Int, _ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        let range = range(of: index)
        return try unsafe bytes.withUnsafeBytes { try unsafe body(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    private func range(of index: Int) -> Range<Int> { starts[index]..<starts[index + 1] }

    private func isEqual(_ index: Int, _ piece: Span<UInt8>) -> Bool {
        let start = starts[index]
        guard starts[index + 1] - start == piece.count else { return false }
        for offset in 0..<piece.count where bytes[start + offset] != piece[offset] { return false }
        return true
    }

    private mutating func grow() {
        let old = slots
        slots = Array(repeating: -1, count: slots.count * 2)
        for index in old where index >= 0 {
            var slot = Int(truncatingIfNeeded: hash(bytes.span.extracting(range(of: Int(index))))) & (slots.count - 1)
            while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = index
        }
    }

    private static func slotCount(for capacity: Int) -> Int {
        var count = 16
        while count < capacity * 2 { count *= 2 }
        return count
    }
}

/// FNV-1a in 64 bits (offset basis and prime of its definition), high half folded in because slots use the low bits.
private func hash(_ bytes: Span<UInt8>) -> UInt64 {
    var value: UInt64 = 0xCBF2_9CE4_8422_2325
    for index in 0..<bytes.count {
        value = (value ^ UInt64(bytes[index])) &* 0x0000_0100_0000_01B3
    }
    return value ^ (value >> 32)
}
