/// Unicode's normal forms (UAX #15, Unicode 16): one spelling for texts that look the same.
enum NormalForm: String, Sendable, CaseIterable {
    case nfc, nfd, nfkc, nfkd

    private var composes: Bool { self == .nfc || self == .nfkc }
    private var isCompatible: Bool { self == .nfkc || self == .nfkd }

    /// The text in this form. Bytes that are not UTF-8 stay as they are; nothing composes across them.
    func apply(to text: [UInt8]) -> [UInt8] {
        guard let first = text.firstIndex(where: { $0 >= 0x80 }) else { return text }
        // Nothing before the last ASCII byte in front of that changes.
        var output = Array(text[..<max(0, first - 1)])
        output.reserveCapacity(text.count)
        var scalars: [Piece] = []
        var place = max(0, first - 1)
        while place < text.count {
            let (scalar, length) = decodeScalar(text.span, at: place)
            decompose(scalar) {
                let combiningClass = $0 < 0x110000 ? UnicodeData.shared.combiningClass($0) : 0
                scalars.append(Piece(scalar: $0, combiningClass: combiningClass))
            }
            place += length
        }
        Self.order(&scalars)
        if composes { Self.compose(&scalars) }
        for piece in scalars { appendScalar(piece.scalar, to: &output) }
        return output
    }

    /// A scalar, or 0x110000 + byte, with its combining class.
    struct Piece {
        var scalar: UInt32
        var combiningClass: UInt8
    }

    /// Calls `body` with what the scalar decomposes to in the end: itself where it does not.
    func decompose(_ scalar: UInt32, _ body: (UInt32) -> Void) {
        guard scalar >= 0xA0, scalar < 0x110000 else { return body(scalar) }
        if let (lead, vowel, tail) = Hangul.jamo(scalar) {
            body(lead)
            body(vowel)
            if let tail { body(tail) }
            return
        }
        // Each step's parts come earlier in a chain of at most a few steps; the table has no circle.
        guard let parts = UnicodeData.shared.decomposition(scalar, compatible: isCompatible) else { return body(scalar) }
        for index in parts { decompose(decompositionTable[index], body) }
    }

    /// Puts runs of combining marks into the order of their classes; equal ones stay in order.
    private static func order(_ pieces: inout [Piece]) {
        var start = 0
        while start < pieces.count {
            guard pieces[start].combiningClass > 0 else {
                start += 1
                continue
            }
            var end = start + 1
            var isSorted = true
            while end < pieces.count, pieces[end].combiningClass > 0 {
                if pieces[end].combiningClass < pieces[end - 1].combiningClass { isSorted = false }
                end += 1
            }
            if !isSorted {
                // By class, then place: a run may be long, and the standard sort does not promise to be stable.
                let keys = (start..<end).map { UInt64(pieces[$0].combiningClass) << 56 | UInt64($0) }.sorted()
                let sorted = keys.map { pieces[Int($0 & 0xFF_FFFF_FFFF_FFFF)] }
                pieces.replaceSubrange(start..<end, with: sorted)
            }
            start = end
        }
    }

    /// Joins each mark with the starter before it where the two have a character of their own and nothing between blocks it.
    private static func compose(_ pieces: inout [Piece]) {
        var starter = -1
        var lastClass: UInt8 = 0
        var kept = 0
        for index in pieces.indices {
            let piece = pieces[index]
            // Blocked: a mark of the same or a higher class stands between, or any starter does.
            let isNext = starter == kept - 1
            if starter >= 0, isNext || (lastClass != 0 && lastClass < piece.combiningClass),
                let joined = UnicodeData.shared.composition(pieces[starter].scalar, piece.scalar)
            {
                pieces[starter].scalar = joined
                continue
            }
            pieces[kept] = piece
            if piece.combiningClass == 0 { starter = kept }
            lastClass = piece.combiningClass
            kept += 1
        }
        pieces.removeSubrange(kept...)
    }
}

/// Hangul syllables and their jamo (Unicode 16, section 3.12).
enum Hangul {
    static let syllables: ClosedRange<UInt32> = 0xAC00...0xD7A3
    private static let (leads, vowels, tails) = (UInt32(0x1100), UInt32(0x1161), UInt32(0x11A7))

    static func jamo(_ scalar: UInt32) -> (lead: UInt32, vowel: UInt32, tail: UInt32?)? {
        guard syllables.contains(scalar) else { return nil }
        let index = scalar - 0xAC00
        return (leads + index / 588, vowels + index % 588 / 28, index % 28 == 0 ? nil : tails + index % 28)
    }

    /// The syllable of a lead and a vowel, or of a syllable without a tail and a tail.
    static func composition(_ first: UInt32, _ second: UInt32) -> UInt32? {
        if (leads..<leads + 19).contains(first), (vowels..<vowels + 21).contains(second) {
            return 0xAC00 + ((first - leads) * 21 + second - vowels) * 28
        }
        if syllables.contains(first), (first - 0xAC00) % 28 == 0, (tails + 1..<tails + 28).contains(second) {
            return first + second - tails
        }
        return nil
    }
}

/// Adds a scalar as UTF-8, or the byte that 0x110000 + byte stands for.
func appendScalar(_ scalar: UInt32, to output: inout [UInt8]) {
    switch scalar {
    case ..<0x80: output.append(UInt8(scalar))
    case ..<0x800:
        output.append(UInt8(0xC0 | scalar >> 6))
        output.append(UInt8(0x80 | scalar & 0x3F))
    case ..<0x10000:
        output.append(UInt8(0xE0 | scalar >> 12))
        output.append(UInt8(0x80 | scalar >> 6 & 0x3F))
        output.append(UInt8(0x80 | scalar & 0x3F))
    case ..<0x110000:
        output.append(UInt8(0xF0 | scalar >> 18))
        output.append(UInt8(0x80 | scalar >> 12 & 0x3F))
        output.append(UInt8(0x80 | scalar >> 6 & 0x3F))
        output.append(UInt8(0x80 | scalar & 0x3F))
    default: output.append(UInt8(truncatingIfNeeded: scalar))
    }
}
