/// What a pre-tokenizer asks about a Unicode scalar. No bit at all means category C (control, format, unassigned),
/// or a byte that is not UTF-8.
struct ScalarClass: OptionSet, Sendable {
    let rawValue: UInt8

    /// `\p{L}`
    static let letter = ScalarClass(rawValue: 1)
    /// `\p{Lu}` and `\p{Lt}`; letters too
    static let upper = ScalarClass(rawValue: 2)
    /// `\p{Ll}`; letters too
    static let lower = ScalarClass(rawValue: 4)
    /// `\p{M}`
    static let mark = ScalarClass(rawValue: 8)
    /// `\p{N}`
    static let number = ScalarClass(rawValue: 16)
    /// `\p{P}`
    static let punctuation = ScalarClass(rawValue: 32)
    /// `\p{S}`
    static let symbol = ScalarClass(rawValue: 64)
    /// `\s`: the White_Space property
    static let space = ScalarClass(rawValue: 128)

    init(rawValue: UInt8) { self.rawValue = rawValue }

    init(of scalar: UInt32) {
        rawValue = scalar < UInt32(Self.low.count) ? Self.low[Int(scalar)] : Self.search(scalar)
    }

    /// Planes 0 and 1 laid out flat (128 KB, made at first use): nearly all text is there.
    private static let low: [UInt8] = {
        var flat = Array(repeating: UInt8(0), count: 0x20000)
        for (index, entry) in scalarClassRanges.enumerated() {
            let end = index + 1 < scalarClassRanges.count ? Int(scalarClassRanges[index + 1] >> 8) : 0x110000
            let range = min(Int(entry >> 8), flat.count)..<min(end, flat.count)
            for scalar in range { flat[scalar] = UInt8(truncatingIfNeeded: entry) }
        }
        return flat
    }()

    /// The class of any scalar, from the ranges.
    private static func search(_ scalar: UInt32) -> UInt8 {
        var low = 0
        var high = scalarClassRanges.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if scalarClassRanges[middle] >> 8 <= scalar { low = middle } else { high = middle }
        }
        return UInt8(truncatingIfNeeded: scalarClassRanges[low])
    }
}
