internal import HearthKernelTypes

/// Unpacks a group of 8 rows to the portable panel.
func unpackPortable(_ type: ElementType, _ group: Stream, _ columns: Int, _ panel: Sink) {
    switch type {
    case .q4_0: unpack(LayoutKind.q4_0, group, columns, panel)
    case .q4_1: unpack(LayoutKind.q4_1, group, columns, panel)
    case .q5_0: unpack(LayoutKind.q5_0, group, columns, panel)
    case .q5_1: unpack(LayoutKind.q5_1, group, columns, panel)
    case .q4_k: unpack(LayoutKind.q4_k, group, columns, panel)
    case .q5_k: unpack(LayoutKind.q5_k, group, columns, panel)
    case .q6_k: unpack(LayoutKind.q6_k, group, columns, panel)
    case .q3_k: unpack(LayoutKind.q3_k, group, columns, panel)
    case .q2_k: unpack(LayoutKind.q2_k, group, columns, panel)
    default: unpackBytes(group, columns, panel)
    }
}

@inline(__always)
private func unpack(_ kind: Int, _ group: Stream, _ columns: Int, _ panel: Sink) {
    var (p, to) = (group, panel)
    for _ in 0..<columns / (32 * LayoutKind.parts(kind)) {
        for j in 0..<LayoutKind.parts(kind) {
            unpackPart(kind, p, j, to)
            to = to + PortablePanel.block
        }
        p = p + LayoutKind.groupBytes(kind)
    }
}

@inline(__always)
private func unpackPart(_ kind: Int, _ p: Stream, _ j: Int, _ to: Sink) {
    let d = p.halves(0)
    switch kind {
    case LayoutKind.q4_0, LayoutKind.q4_1, LayoutKind.q5_0, LayoutKind.q5_1:
        let minimum = kind == LayoutKind.q4_1 || kind == LayoutKind.q5_1
        let fifth = kind == LayoutKind.q5_0 || kind == LayoutKind.q5_1
        let at = minimum ? 32 : 16
        nibbles(p + (fifth ? at + 32 : at), fifth ? p.lanes(at) : RowWords(), fifth, to)
        to.put(d, PortablePanel.scale)
        to.put(minimum ? p.halves(16) : d * (fifth ? -16 : -8), PortablePanel.offset)
    case LayoutKind.q4_k, LayoutKind.q5_k:
        let fifth = kind == LayoutKind.q5_k
        let at = 128 + (fifth ? 160 : 128) * j
        nibbles(p + (fifth ? at + 32 : at), fifth ? p.lanes(at) : RowWords(), fifth, to)
        let pair = sixBitPair(p + 32, j)
        to.put(d * SIMD8<Float>(pair.first), PortablePanel.scale)
        to.put(-p.halves(16) * SIMD8<Float>(pair.second), PortablePanel.offset)
    case LayoutKind.q6_k:
        let at = 144 + 192 * j
        let scales = p + (16 + 16 * j)
        let signed = (
            SIMD8<Int32>(truncatingIfNeeded: scales.load(0, as: SIMD8<Int8>.self)),
            SIMD8<Int32>(truncatingIfNeeded: scales.load(8, as: SIMD8<Int8>.self))
        )
        for v in 0..<2 {
            let pairs = p.lanes(at + 128 + 32 * v)
            for i in 0..<4 {
                let low = p.lanes(at + 32 * i) &>> UInt32(4 * v) & 0x0f0f_0f0f
                let q = low | (pairs &>> UInt32(2 * i) & 0x0303_0303) &<< 4
                scaled(q, 32, v == 0 ? signed.0 : signed.1, to + (256 * v + 64 * i))
            }
        }
        to.put(d, PortablePanel.scale)
    case LayoutKind.q3_k:
        let at = 112 + 96 * j
        let pair = sixBitPair(p + 16, j)
        let bits = p.lanes(at + 64)
        for v in 0..<2 {
            let pairs = p.lanes(at + 32 * v)
            let scale = SIMD8<Int32>(truncatingIfNeeded: v == 0 ? pair.first : pair.second) &- 32
            for i in 0..<4 {
                let q = (pairs &>> UInt32(2 * i) & 0x0303_0303) &<< 3
                let third = (bits &>> UInt32(4 * v + i) & 0x0101_0101) &<< 5
                scaled(q | third, 32, scale, to + (256 * v + 64 * i))
            }
        }
        to.put(d * 0.125, PortablePanel.scale)
    default:
        let (a, b) = (p.bytes(32 + 16 * j), p.bytes(40 + 16 * j))
        for v in 0..<2 {
            let pairs = p.lanes(160 + 64 * j + 32 * v)
            let scale = SIMD8<Int32>(truncatingIfNeeded: (v == 0 ? a : b) & 15)
            for i in 0..<4 { scaled(pairs &>> UInt32(2 * i) & 0x0303_0303, 0, scale, to + (256 * v + 64 * i)) }
        }
        to.put(d, PortablePanel.scale)
        to.put(a &>> 4 | (b &>> 4) &<< 16, PortablePanel.minima)
        to.put(-p.halves(16), PortablePanel.dmin)
    }
}

@inline(__always)
private func nibbles(_ p: Stream, _ bits: RowWords, _ fifth: Bool, _ to: Sink) {
    for i in 0..<4 {
        let x = p.lanes(32 * i)
        var (low, high) = (x & 0x0f0f_0f0f, x &>> 4 & 0x0f0f_0f0f)
        if fifth {
            low |= (bits &>> UInt32(i) & 0x0101_0101) &<< 4
            high |= (bits &>> UInt32(i + 4) & 0x0101_0101) &<< 4
        }
        put(low, to + 64 * i)
        put(high, to + (256 + 64 * i))
    }
}

/// Q8_0: bytes with their sign turned into an offset of 128.
private func unpackBytes(_ group: Stream, _ columns: Int, _ panel: Sink) {
    var (p, to) = (group, panel)
    for _ in 0..<columns / 32 {
        for i in 0..<8 { scaled(p.lanes(16 + 32 * i) ^ 0x8080_8080, 128, SIMD8(repeating: 1), to + 64 * i) }
        to.put(p.halves(0), PortablePanel.scale)
        (p, to) = (p + 272, to + PortablePanel.block)
    }
}

/// Four bytes a row to two pairs of 16 bits.
@inline(__always)
private func put(_ q: RowWords, _ to: Sink) {
    to.put(q & 0xff | (q & 0xff00) &<< 8, 0)
    to.put(q &>> 16 & 0xff | q &>> 8 & 0xff_0000, 32)
}

/// As `put`, with `offset` taken away and a scale per row multiplied in: at most 128 x 32 = 4,096.
@inline(__always)
private func scaled(_ q: RowWords, _ offset: Int16, _ scale: SIMD8<Int32>, _ to: Sink) {
    let twice = RowWords(truncatingIfNeeded: scale) & 0xffff | RowWords(truncatingIfNeeded: scale) &<< 16
    let s = unsafe unsafeBitCast(twice, to: SIMD16<Int16>.self)
    let first = unsafe unsafeBitCast(q & 0xff | (q & 0xff00) &<< 8, to: SIMD16<Int16>.self)
    let second = unsafe unsafeBitCast(q &>> 16 & 0xff | q &>> 8 & 0xff_0000, to: SIMD16<Int16>.self)
    to.put((first &- offset) &* s, 0)
    to.put((second &- offset) &* s, 32)
}

/// Six-bit pairs of block `j` of eight rows.
@inline(__always)
private func sixBitPair(_ p: Stream, _ j: Int) -> (first: RowWords, second: RowWords) {
    let low = p.bytes(8 * j)
    let high = p.bytes(64 + 8 * (j & 3)) &>> UInt32(j < 4 ? 0 : 4)
    return (low & 15 | (high & 3) &<< 4, low &>> 4 | (high & 12) &<< 2)
}
