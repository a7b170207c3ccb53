/// Canonical decomposition without non-spacing marks: `é` is `e`.
enum BaseLetters {
    /// What is left of the scalar; nil where it does not decompose.
    static func of(_ scalar: UInt32) -> [UInt32]? {
        if let jamo = hangul(scalar) { return jamo }
        var low = 0
        var high = baseLetterTable.count / 4
        while low < high {
            let middle = (low + high) / 2
            if baseLetterTable[middle * 4] < scalar { low = middle + 1 } else { high = middle }
        }
        guard low * 4 < baseLetterTable.count, baseLetterTable[low * 4] == scalar else { return nil }
        return baseLetterTable[low * 4 + 1...low * 4 + 3].filter { $0 != 0 }
    }

    /// The jamo of a Hangul syllable (Unicode 16, section 3.12).
    private static func hangul(_ scalar: UInt32) -> [UInt32]? {
        guard (0xAC00...0xD7A3).contains(scalar) else { return nil }
        let index = scalar - 0xAC00
        let tail = index % 28
        let jamo = [0x1100 + index / 588, 0x1161 + index % 588 / 28]
        return tail == 0 ? jamo : jamo + [0x11A7 + tail]
    }
}
