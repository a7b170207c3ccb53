internal import HearthKernelTypes

/// Unpacks a group of 8 rows to the portable panel.
func unpackPortable(_ type: ElementType, _ group: Stream, _ columns: Int, _ panel: Sink) {
    switch type {
    case .q4_0: unpackQ4_0(group, columns, panel)
    case .q4_1: unpackQ4_1(group, columns, panel)
    case .q5_0: unpackQ5_0(group, columns, panel)
    case .q5_1: unpackQ5_1(group, columns, panel)
    case .q4_k: unpackQ4_K(group, columns, panel)
    case .q5_k: unpackQ5_K(group, columns, panel)
    case .q6_k: unpackQ6_K(group, columns, panel)
    case .q3_k: unpackQ3_K(group, columns, panel)
    case .q2_k: unpackQ2_K(group, columns, panel)
    case .iq4_nl: unpackIQ4_NL(group, columns, panel)
    case .iq4_xs: unpackIQ4_XS(group, columns, panel)
    case .mxfp4: unpackMXFP4(group, columns, panel)
    default: unpackQ8_0(group, columns, panel)
    }
}

/// One group of 8 rows times one token: unpacked in registers. `block` is scratch for the scales of one block.
func dotPortable(_ type: ElementType, _ group: Stream, _ columns: Int, _ a: Stream, _ block: Sink) -> SIMD8<Float> {
    switch type {
    case .q4_0: dotQ4_0(group, columns, a, block)
    case .q4_1: dotQ4_1(group, columns, a, block)
    case .q5_0: dotQ5_0(group, columns, a, block)
    case .q5_1: dotQ5_1(group, columns, a, block)
    case .q4_k: dotQ4_K(group, columns, a, block)
    case .q5_k: dotQ5_K(group, columns, a, block)
    case .q6_k: dotQ6_K(group, columns, a, block)
    case .q3_k: dotQ3_K(group, columns, a, block)
    case .q2_k: dotQ2_K(group, columns, a, block)
    case .iq4_nl: dotIQ4_NL(group, columns, a, block)
    case .iq4_xs: dotIQ4_XS(group, columns, a, block)
    case .mxfp4: dotMXFP4(group, columns, a, block)
    default: dotQ8_0(group, columns, a, block)
    }
}

// A function for each format: calls that differ in a constant only would be joined before they are inlined, and the
// constant would become a variable.
@inline(never) private func unpackQ4_0(_ p: Stream, _ columns: Int, _ to: Sink) { unpack(LayoutKind.q4_0, p, columns, to) }
@inline(never) private func unpackQ4_1(_ p: Stream, _ columns: Int, _ to: Sink) { unpack(LayoutKind.q4_1, p, columns, to) }
@inline(never) private func unpackQ5_0(_ p: Stream, _ columns: Int, _ to: Sink) { unpack(LayoutKind.q5_0, p, columns, to) }
@inline(never) private func unpackQ5_1(_ p: Stream, _ columns: Int, _ to: Sink) { unpack(LayoutKind.q5_1, p, columns, to) }
@inline(never) private func unpackQ4_K(_ p: Stream, _ columns: Int, _ to: Sink) { unpack(LayoutKind.q4_k, p, columns, to) }
@inline(never) private func unpackQ5_K(_ p: Stream, _ columns: Int, _ to: Sink) { unpack(LayoutKind.q5_k, p, columns, to) }
@inline(never) private func unpackQ6_K(_ p: Stream, _ columns: Int, _ to: Sink) { unpack(LayoutKind.q6_k, p, columns, to) }
@inline(never) private func unpackQ3_K(_ p: Stream, _ columns: Int, _ to: Sink) { unpack(LayoutKind.q3_k, p, columns, to) }
@inline(never) private func unpackQ2_K(_ p: Stream, _ columns: Int, _ to: Sink) { unpack(LayoutKind.q2_k, p, columns, to) }
@inline(never) private func unpackQ8_0(_ p: Stream, _ columns: Int, _ to: Sink) { unpack(LayoutKind.q8_0, p, columns, to) }
@inline(never) private func unpackIQ4_NL(_ p: Stream, _ columns: Int, _ to: Sink) { unpack(LayoutKind.iq4_nl, p, columns, to) }
@inline(never) private func unpackIQ4_XS(_ p: Stream, _ columns: Int, _ to: Sink) { unpack(LayoutKind.iq4_xs, p, columns, to) }
@inline(never) private func unpackMXFP4(_ p: Stream, _ columns: Int, _ to: Sink) { unpack(LayoutKind.mxfp4, p, columns, to) }
@inline(never)
private func dotQ4_0(_ p: Stream, _ columns: Int, _ a: Stream, _ to: Sink) -> SIMD8<Float> { dot(LayoutKind.q4_0, p, columns, a, to) }
@inline(never)
private func dotQ4_1(_ p: Stream, _ columns: Int, _ a: Stream, _ to: Sink) -> SIMD8<Float> { dot(LayoutKind.q4_1, p, columns, a, to) }
@inline(never)
private func dotQ5_0(_ p: Stream, _ columns: Int, _ a: Stream, _ to: Sink) -> SIMD8<Float> { dot(LayoutKind.q5_0, p, columns, a, to) }
@inline(never)
private func dotQ5_1(_ p: Stream, _ columns: Int, _ a: Stream, _ to: Sink) -> SIMD8<Float> { dot(LayoutKind.q5_1, p, columns, a, to) }
@inline(never)
private func dotQ4_K(_ p: Stream, _ columns: Int, _ a: Stream, _ to: Sink) -> SIMD8<Float> { dot(LayoutKind.q4_k, p, columns, a, to) }
@inline(never)
private func dotQ5_K(_ p: Stream, _ columns: Int, _ a: Stream, _ to: Sink) -> SIMD8<Float> { dot(LayoutKind.q5_k, p, columns, a, to) }
@inline(never)
private func dotQ6_K(_ p: Stream, _ columns: Int, _ a: Stream, _ to: Sink) -> SIMD8<Float> { dot(LayoutKind.q6_k, p, columns, a, to) }
@inline(never)
private func dotQ3_K(_ p: Stream, _ columns: Int, _ a: Stream, _ to: Sink) -> SIMD8<Float> { dot(LayoutKind.q3_k, p, columns, a, to) }
@inline(never)
private func dotQ2_K(_ p: Stream, _ columns: Int, _ a: Stream, _ to: Sink) -> SIMD8<Float> { dot(LayoutKind.q2_k, p, columns, a, to) }
@inline(never)
private func dotQ8_0(_ p: Stream, _ columns: Int, _ a: Stream, _ to: Sink) -> SIMD8<Float> { dot(LayoutKind.q8_0, p, columns, a, to) }
@inline(never)
private func dotIQ4_NL(_ p: Stream, _ columns: Int, _ a: Stream, _ to: Sink) -> SIMD8<Float> { dot(LayoutKind.iq4_nl, p, columns, a, to) }
@inline(never)
private func dotIQ4_XS(_ p: Stream, _ columns: Int, _ a: Stream, _ to: Sink) -> SIMD8<Float> { dot(LayoutKind.iq4_xs, p, columns, a, to) }
@inline(never)
private func dotMXFP4(_ p: Stream, _ columns: Int, _ a: Stream, _ to: Sink) -> SIMD8<Float> { dot(LayoutKind.mxfp4, p, columns, a, to) }

@inline(__always)
private func unpack(_ kind: Int, _ group: Stream, _ columns: Int, _ panel: Sink) {
    var (p, to) = (group, panel)
    var none = SIMD8<Int32>()
    for _ in 0..<columns / (32 * LayoutKind.parts(kind)) {
        let (d, m) = blockScales(kind, p)
        for j in 0..<LayoutKind.parts(kind) {
            part(kind, p, j, d, m, to, nil, &none)
            to = to + PortablePanel.block
        }
        p = p + LayoutKind.groupBytes(kind)
    }
}

@inline(__always)
private func dot(_ kind: Int, _ group: Stream, _ columns: Int, _ activations: Stream, _ block: Sink) -> SIMD8<Float> {
    var (p, a) = (group, activations)
    var sum = SIMD8<Float>()
    let scales = unsafe Stream(block.base)
    for _ in 0..<columns / (32 * LayoutKind.parts(kind)) {
        let (d, m) = blockScales(kind, p)
        for j in 0..<LayoutKind.parts(kind) {
            var total = SIMD8<Int32>()
            part(kind, p, j, d, m, block, a, &total)
            let (d, s) = (a.load(64, as: Float.self), a.load(68, as: Float.self))
            addBlock(&sum, total, scales, d, s, a.load(72, as: Int32.self), kind)
            a = a + 76
        }
        p = p + LayoutKind.groupBytes(kind)
    }
    return sum
}

/// d of eight rows of a block, and the minimum of a block of several parts: once for all of them.
@inline(__always)
func blockScales(_ kind: Int, _ p: Stream) -> (d: SIMD8<Float>, m: SIMD8<Float>) {
    let d = kind == LayoutKind.mxfp4 ? halfPowers(p.bytes(0)) : p.halves(0)
    return (d, LayoutKind.hasMinima(kind) ? p.halves(16) : SIMD8<Float>())
}

/// Unpacks part `j` of the block at `p`: to the panel, or, where there are activations, into products that are added to
/// `total`. Scales go to the panel's block in both cases.
@inline(__always)
private func part(
    _ kind: Int, _ p: Stream, _ j: Int, _ d: SIMD8<Float>, _ m: SIMD8<Float>, _ to: Sink, _ a: Stream?,
    _ total: inout SIMD8<Int32>
) {
    switch kind {
    case LayoutKind.q4_0, LayoutKind.q4_1, LayoutKind.q5_0, LayoutKind.q5_1:
        let minimum = kind == LayoutKind.q4_1 || kind == LayoutKind.q5_1
        let fifth = kind == LayoutKind.q5_0 || kind == LayoutKind.q5_1
        let at = minimum ? 32 : 16
        let offset: Int16 = minimum ? 0 : fifth ? 16 : 8
        nibbles(p + (fifth ? at + 32 : at), fifth ? p.lanes(at) : RowWords(), fifth, offset, to, a, &total)
        to.put(d, PortablePanel.scale)
        if minimum { to.put(p.halves(16), PortablePanel.offset) }
    case LayoutKind.q4_k, LayoutKind.q5_k:
        let fifth = kind == LayoutKind.q5_k
        let at = 128 + (fifth ? 160 : 128) * j
        nibbles(p + (fifth ? at + 32 : at), fifth ? p.lanes(at) : RowWords(), fifth, 0, to, a, &total)
        let pair = sixBitPair(p + 32, j)
        to.put(d * floats(pair.first), PortablePanel.scale)
        to.put(-m * floats(pair.second), PortablePanel.offset)
    case LayoutKind.q6_k:
        let at = 144 + 192 * j
        let scales = p + (16 + 16 * j)
        let signed = (
            asSigned(scales.bytes(0) &<< 24), asSigned(scales.bytes(8) &<< 24)
        )
        for v in 0..<2 {
            var pairs = p.lanes(at + 128 + 32 * v)
            for i in 0..<4 {
                let x = p.lanes(at + 32 * i)
                let q = (v == 0 ? x : x &>> 4) & 0x0f0f_0f0f | (pairs & 0x0303_0303) &<< 4
                pairs = pairs &>> 2
                emit(q, 32, (v == 0 ? signed.0 : signed.1) &>> 24, 4 * v + i, to, a, &total)
            }
        }
        to.put(d, PortablePanel.scale)
    case LayoutKind.q3_k:
        let at = 112 + 96 * j
        let pair = sixBitPair(p + 16, j)
        var bits = p.lanes(at + 64)
        for v in 0..<2 {
            var pairs = p.lanes(at + 32 * v)
            let scale = asSigned(v == 0 ? pair.first : pair.second) &- 32
            for i in 0..<4 {
                let q = (pairs & 0x0303_0303) &<< 3 | (bits & 0x0101_0101) &<< 5
                (pairs, bits) = (pairs &>> 2, bits &>> 1)
                emit(q, 32, scale, 4 * v + i, to, a, &total)
            }
        }
        to.put(d * 0.125, PortablePanel.scale)
    case LayoutKind.q8_0:
        // Bytes with their sign turned into an offset of 128.
        for i in 0..<8 { emit(p.lanes(16 + 32 * i) ^ 0x8080_8080, 128, nil, i, to, a, &total) }
        to.put(d, PortablePanel.scale)
    case LayoutKind.iq4_nl:
        codes(CodeBook.nonlinear, p + 16, to, a, &total)
        to.put(d, PortablePanel.scale)
    case LayoutKind.mxfp4:
        codes(CodeBook.halves, p + 8, to, a, &total)
        to.put(d, PortablePanel.scale)
    case LayoutKind.iq4_xs:
        codes(CodeBook.nonlinear, p + (64 + 128 * j), to, a, &total)
        to.put(d * splitScales(p, j), PortablePanel.scale)
    default:
        let (first, second) = (p.bytes(32 + 16 * j), p.bytes(40 + 16 * j))
        for v in 0..<2 {
            var pairs = p.lanes(160 + 64 * j + 32 * v)
            let scale = asSigned((v == 0 ? first : second) & 15)
            for i in 0..<4 {
                emit(pairs & 0x0303_0303, 0, scale, 4 * v + i, to, a, &total)
                pairs = pairs &>> 2
            }
        }
        to.put(d, PortablePanel.scale)
        to.put(first &>> 4 | (second &>> 4) &<< 16, PortablePanel.minima)
        to.put(-m, PortablePanel.dmin)
    }
}

@inline(__always)
private func nibbles(
    _ p: Stream, _ bits: RowWords, _ fifth: Bool, _ offset: Int16, _ to: Sink, _ a: Stream?,
    _ total: inout SIMD8<Int32>
) {
    // One step at a time: a shift by a variable is made one lane after another.
    var bits = bits
    for i in 0..<4 {
        let x = p.lanes(32 * i)
        var (low, high) = (x & 0x0f0f_0f0f, x &>> 4 & 0x0f0f_0f0f)
        if fifth {
            low |= (bits & 0x0101_0101) &<< 4
            high |= bits & 0x1010_1010
            bits = bits &>> 1
        }
        emit(low, offset, nil, i, to, a, &total)
        emit(high, offset, nil, i + 4, to, a, &total)
    }
}

/// Quad `j`, four bytes a row, as two pairs of 16 bits: columns 0 and 2, 1 and 3, with `offset` taken away and a scale per row
/// multiplied in (at most 128 x 32 = 4,096). Stored, or multiplied with the activations' pairs and added.
@inline(__always)
private func emit(
    _ q: RowWords, _ offset: Int16, _ scale: SIMD8<Int32>?, _ j: Int, _ to: Sink, _ a: Stream?,
    _ total: inout SIMD8<Int32>
) {
    var even = unsafe unsafeBitCast(q & 0x00ff_00ff, to: SIMD16<Int16>.self)
    var odd = unsafe unsafeBitCast(q &>> 8 & 0x00ff_00ff, to: SIMD16<Int16>.self)
    if offset != 0 {
        even &-= offset
        odd &-= offset
    }
    if let scale {
        let bits = unsafe unsafeBitCast(scale, to: RowWords.self)
        let s = unsafe unsafeBitCast(bits & 0xffff | bits &<< 16, to: SIMD16<Int16>.self)
        even &*= s
        odd &*= s
    }
    guard let a else {
        to.put(even, 64 * j)
        to.put(odd, 64 * j + 32)
        return
    }
    let (x, y) = (spread(a.load(8 * j, as: Int32.self)), spread(a.load(8 * j + 4, as: Int32.self)))
    total &+= SIMD8(
        lowHalf: pairProducts(even.lowHalf, x) &+ pairProducts(odd.lowHalf, y),
        highHalf: pairProducts(even.highHalf, x) &+ pairProducts(odd.highHalf, y))
}

/// Six-bit pairs of block `j` of eight rows.
@inline(__always)
func sixBitPair(_ p: Stream, _ j: Int) -> (first: RowWords, second: RowWords) {
    let low = p.bytes(8 * j)
    let pairs = p.bytes(64 + 8 * (j & 3))
    let high = j < 4 ? pairs : pairs &>> 4
    return (low & 15 | (high & 3) &<< 4, low &>> 4 | (high & 12) &<< 2)
}

/// Nibbles as the bytes of a code book, their sign turned into an offset of 128.
@inline(__always)
private func codes(_ book: SIMD16<Int8>, _ p: Stream, _ to: Sink, _ a: Stream?, _ total: inout SIMD8<Int32>) {
    for i in 0..<4 {
        let x = p.lanes(32 * i)
        emit(looked(book, x), 128, nil, i, to, a, &total)
        emit(looked(book, x &>> 4), 128, nil, i + 4, to, a, &total)
    }
}

/// The entry (plus 128) for the low nibble of each byte: no instruction that every processor has looks bytes up, so bit by bit
/// from the lowest, every step halves the entries that are left.
@inline(__always)
func looked(_ book: SIMD16<Int8>, _ x: RowWords) -> RowWords {
    // All ones in bytes whose bit is set: 256 times a byte of 0 or 1 minus itself; carries and borrows cancel.
    let bits = (
        x & 0x0101_0101, x &>> 1 & 0x0101_0101, x &>> 2 & 0x0101_0101, x &>> 3 & 0x0101_0101
    )
    let (m0, m1) = (bits.0 &<< 8 &- bits.0, bits.1 &<< 8 &- bits.1)
    let (m2, m3) = (bits.2 &<< 8 &- bits.2, bits.3 &<< 8 &- bits.3)
    @inline(__always) func pair(_ i: Int) -> RowWords {
        let (low, high) = (UInt32(UInt8(bitPattern: book[i]) ^ 128), UInt32(UInt8(bitPattern: book[i + 1]) ^ 128))
        return RowWords(repeating: low &* 0x0101_0101) ^ (m0 & ((low ^ high) &* 0x0101_0101))
    }
    @inline(__always) func chosen(_ low: RowWords, _ high: RowWords, _ mask: RowWords) -> RowWords {
        low ^ (mask & (low ^ high))
    }
    let first = chosen(chosen(pair(0), pair(2), m1), chosen(pair(4), pair(6), m1), m2)
    let second = chosen(chosen(pair(8), pair(10), m1), chosen(pair(12), pair(14), m1), m2)
    return chosen(first, second, m3)
}

/// Scales of block `j` of eight rows of IQ4_XS.
@inline(__always)
func splitScales(_ p: Stream, _ j: Int) -> SIMD8<Float> {
    let both = p.bytes(32 + 8 * (j / 2))
    let low = (j % 2 == 0 ? both : both &>> 4) & 15
    let high = widened(p.load(16, as: SIMD8<UInt16>.self)) &>> UInt32(2 * j) & 3
    return floats(low | high &<< 4) - 32
}

/// 2^(e - 128) of eight rows, as `halfPower`.
@inline(__always)
func halfPowers(_ e: RowWords) -> SIMD8<Float> {
    // All ones from 2 on, where the number is a normal one.
    let isNormal = RowWords() &- ((e &+ 254) &>> 8)
    let bits = (isNormal & (e &- 1) &<< 23) | (~isNormal & (0x0020_0000 &+ (e & 1) &<< 21))
    return unsafe unsafeBitCast(bits, to: SIMD8<Float>.self)
}
