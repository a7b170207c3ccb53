#if arch(x86_64)
package import HearthKernelTypes

// Panels of bytes, for the products on SSSE3 (HearthKernelsSSSE3): what PortableUnpack.swift makes, with a byte a weight. A block
// of 32 columns takes 416 bytes: quads 256, d 32, offset or scales of the first half 32, of the second half 32, minima 32, -dmin 32.
// Of types with a code book the nibbles are left; SSSE3 looks sixteen of them up at once.

/// Unpacks `columns` columns of a group of 8 rows, whole blocks from `group` on.
package func portableUnpackBytes(
    _ type: ElementType, _ group: UnsafeRawPointer, columns: Int, into panel: UnsafeMutableRawPointer
) {
    let (p, to) = unsafe (Stream(group), Sink(panel))
    switch type {
    case .q4_0: bytesQ4_0(p, columns, to)
    case .q4_1: bytesQ4_1(p, columns, to)
    case .q5_0: bytesQ5_0(p, columns, to)
    case .q5_1: bytesQ5_1(p, columns, to)
    case .q4_k: bytesQ4_K(p, columns, to)
    case .q5_k: bytesQ5_K(p, columns, to)
    case .q6_k: bytesQ6_K(p, columns, to)
    case .q3_k: bytesQ3_K(p, columns, to)
    case .q2_k: bytesQ2_K(p, columns, to)
    case .iq4_nl: bytesIQ4_NL(p, columns, to)
    case .iq4_xs: bytesIQ4_XS(p, columns, to)
    case .mxfp4: bytesMXFP4(p, columns, to)
    default: bytesQ8_0(p, columns, to)
    }
}

// A function for each format, as in PortableUnpack.swift.
@inline(never) private func bytesQ4_0(_ p: Stream, _ columns: Int, _ to: Sink) { unpackBytes(LayoutKind.q4_0, p, columns, to) }
@inline(never) private func bytesQ4_1(_ p: Stream, _ columns: Int, _ to: Sink) { unpackBytes(LayoutKind.q4_1, p, columns, to) }
@inline(never) private func bytesQ5_0(_ p: Stream, _ columns: Int, _ to: Sink) { unpackBytes(LayoutKind.q5_0, p, columns, to) }
@inline(never) private func bytesQ5_1(_ p: Stream, _ columns: Int, _ to: Sink) { unpackBytes(LayoutKind.q5_1, p, columns, to) }
@inline(never) private func bytesQ4_K(_ p: Stream, _ columns: Int, _ to: Sink) { unpackBytes(LayoutKind.q4_k, p, columns, to) }
@inline(never) private func bytesQ5_K(_ p: Stream, _ columns: Int, _ to: Sink) { unpackBytes(LayoutKind.q5_k, p, columns, to) }
@inline(never) private func bytesQ6_K(_ p: Stream, _ columns: Int, _ to: Sink) { unpackBytes(LayoutKind.q6_k, p, columns, to) }
@inline(never) private func bytesQ3_K(_ p: Stream, _ columns: Int, _ to: Sink) { unpackBytes(LayoutKind.q3_k, p, columns, to) }
@inline(never) private func bytesQ2_K(_ p: Stream, _ columns: Int, _ to: Sink) { unpackBytes(LayoutKind.q2_k, p, columns, to) }
@inline(never) private func bytesQ8_0(_ p: Stream, _ columns: Int, _ to: Sink) { unpackBytes(LayoutKind.q8_0, p, columns, to) }
@inline(never) private func bytesIQ4_NL(_ p: Stream, _ columns: Int, _ to: Sink) { unpackBytes(LayoutKind.iq4_nl, p, columns, to) }
@inline(never) private func bytesIQ4_XS(_ p: Stream, _ columns: Int, _ to: Sink) { unpackBytes(LayoutKind.iq4_xs, p, columns, to) }
@inline(never) private func bytesMXFP4(_ p: Stream, _ columns: Int, _ to: Sink) { unpackBytes(LayoutKind.mxfp4, p, columns, to) }

@inline(__always)
private func unpackBytes(_ kind: Int, _ group: Stream, _ columns: Int, _ panel: Sink) {
    var (p, to) = (group, panel)
    for _ in 0..<columns / (32 * LayoutKind.parts(kind)) {
        let (d, m) = blockScales(kind, p)
        for j in 0..<LayoutKind.parts(kind) {
            bytesPart(kind, p, j, d, m, to)
            to = to + 416
        }
        p = p + LayoutKind.groupBytes(kind)
    }
}

@inline(__always)
private func bytesPart(_ kind: Int, _ p: Stream, _ j: Int, _ d: SIMD8<Float>, _ m: SIMD8<Float>, _ to: Sink) {
    switch kind {
    case LayoutKind.q4_0, LayoutKind.q4_1, LayoutKind.q5_0, LayoutKind.q5_1:
        let minimum = kind == LayoutKind.q4_1 || kind == LayoutKind.q5_1
        let fifth = LayoutKind.hasFifthBit(kind)
        let at = minimum ? 32 : 16
        nibbleBytes(p + (fifth ? at + 32 : at), fifth ? p.lanes(at) : RowWords(), fifth, to)
        to.put(d, 256)
        if minimum { to.put(p.halves(16), 288) }
    case LayoutKind.q4_k, LayoutKind.q5_k:
        let fifth = LayoutKind.hasFifthBit(kind)
        let at = 128 + (fifth ? 160 : 128) * j
        nibbleBytes(p + (fifth ? at + 32 : at), fifth ? p.lanes(at) : RowWords(), fifth, to)
        let pair = sixBitPair(p + 32, j)
        to.put(d * floats(pair.first), 256)
        to.put(-m * floats(pair.second), 288)
    case LayoutKind.q6_k:
        let at = 144 + 192 * j
        for v in 0..<2 {
            var pairs = p.lanes(at + 128 + 32 * v)
            for i in 0..<4 {
                let x = p.lanes(at + 32 * i)
                let low = (v == 0 ? x : x &>> 4) & 0x0f0f_0f0f
                to.put(low | (pairs & 0x0303_0303) &<< 4, 128 * v + 32 * i)
                pairs = pairs &>> 2
            }
            let scale = p.bytes(16 + 16 * j + 8 * v)
            // With the sign: bit 7 of the byte is worth -128, so the upper byte of the 16 bits is all ones where it is set.
            putTwice(scale | (scale &>> 7) &* 0xff00, to, 288 + 32 * v)
        }
        to.put(d, 256)
    case LayoutKind.q3_k:
        let at = 112 + 96 * j
        let pair = sixBitPair(p + 16, j)
        var bits = p.lanes(at + 64)
        for v in 0..<2 {
            var pairs = p.lanes(at + 32 * v)
            for i in 0..<4 {
                to.put((pairs & 0x0303_0303) &<< 3 | (bits & 0x0101_0101) &<< 5, 128 * v + 32 * i)
                (pairs, bits) = (pairs &>> 2, bits &>> 1)
            }
            putTwice(((v == 0 ? pair.first : pair.second) &- 32) & 0xffff, to, 288 + 32 * v)
        }
        to.put(d * 0.125, 256)
    case LayoutKind.q8_0:
        for i in 0..<8 { to.put(p.lanes(16 + 32 * i), 32 * i) }
        to.put(d, 256)
    case LayoutKind.iq4_nl:
        nibbleBytes(p + 16, RowWords(), false, to)
        to.put(d, 256)
    case LayoutKind.mxfp4:
        nibbleBytes(p + 8, RowWords(), false, to)
        to.put(d, 256)
    case LayoutKind.iq4_xs:
        nibbleBytes(p + (64 + 128 * j), RowWords(), false, to)
        to.put(d * splitScales(p, j), 256)
    default:
        for v in 0..<2 {
            var pairs = p.lanes(160 + 64 * j + 32 * v)
            for i in 0..<4 {
                to.put(pairs & 0x0303_0303, 128 * v + 32 * i)
                pairs = pairs &>> 2
            }
            putTwice(p.bytes(32 + 16 * j + 8 * v) & 15, to, 288 + 32 * v)
        }
        to.put(d, 256)
        to.put(p.bytes(32 + 16 * j) &>> 4 | (p.bytes(40 + 16 * j) &>> 4) &<< 16, 352)
        to.put(-m, 384)
    }
}

/// 16 bits a row, in both halves of its lane.
@inline(__always)
private func putTwice(_ scale: RowWords, _ to: Sink, _ at: Int) { to.put(scale | scale &<< 16, at) }

@inline(__always)
private func nibbleBytes(_ p: Stream, _ bits: RowWords, _ fifth: Bool, _ to: Sink) {
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
        to.put(low, 32 * i)
        to.put(high, 32 * i + 128)
    }
}
#endif
