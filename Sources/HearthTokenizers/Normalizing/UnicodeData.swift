/// What normal forms ask of Unicode's tables, looked up in steps that do not depend on the text.
struct UnicodeData: Sendable {
    static let shared = UnicodeData()

    /// Scalars that decompose, in rising order, and where each one's parts are in the table.
    private var scalars: [UInt32] = []
    private var parts: [Range<Int32>] = []
    private var isCompatible: [Bool] = []
    /// Two scalars side by side to the one that they compose.
    private var compositions: [UInt64: UInt32] = [:]

    private init() {
        var place = 0
        while place < decompositionTable.count {
            let entry = decompositionTable[place]
            let (scalar, count) = (entry & 0x1F_FFFF, Int(entry >> 24))
            scalars.append(scalar)
            parts.append(Int32(place + 1)..<Int32(place + 1 + count))
            isCompatible.append(entry & 1 << 21 != 0)
            if entry & 1 << 22 != 0 {
                compositions[Self.pair(decompositionTable[place + 1], decompositionTable[place + 2])] = scalar
            }
            place += 1 + count
        }
    }

    /// Where in the table the scalar's parts are; nil where it has none in this kind of form.
    func decomposition(_ scalar: UInt32, compatible: Bool) -> Range<Int>? {
        var (low, high) = (0, scalars.count)
        while low < high {
            let middle = (low + high) / 2
            if scalars[middle] < scalar { low = middle + 1 } else { high = middle }
        }
        guard low < scalars.count, scalars[low] == scalar, compatible || !isCompatible[low] else { return nil }
        return Int(parts[low].lowerBound)..<Int(parts[low].upperBound)
    }

    /// 0 for a scalar that begins a new cluster, and for a byte that is not UTF-8.
    func combiningClass(_ scalar: UInt32) -> UInt8 {
        guard scalar >= 0x300 else { return 0 }
        var (low, high) = (0, combiningClassRanges.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if combiningClassRanges[middle] >> 8 <= scalar { low = middle } else { high = middle }
        }
        return UInt8(truncatingIfNeeded: combiningClassRanges[low])
    }

    func composition(_ first: UInt32, _ second: UInt32) -> UInt32? {
        // No scalar below is the second of a pair.
        guard second >= 0x300 else { return nil }
        return Hangul.composition(first, second) ?? compositions[Self.pair(first, second)]
    }

    private static func pair(_ first: UInt32, _ second: UInt32) -> UInt64 { UInt64(first) << 32 | UInt64(second) }
}
