package import HearthKernelTypes

// Re-laying: blocks of the file to groups of 8 rows and back. The offsets are those of `MatrixLayout`. Four columns of a
// row are four bytes in both layouts, so a row is moved by 32-bit words; bits and pairs are gathered with shifts of words.

/// Lays one row of a matrix into place `r` of its group; of float weights, into its place among the `across` rows of its bundle.
package func layRow(
    _ type: ElementType, _ row: UnsafeRawPointer, columns: Int, place r: Int, across: Int = 8, into group: UnsafeMutableRawPointer
) {
    let (source, target) = unsafe (Bytes(row), MutableBytes(group))
    let blocks = columns / type.blockLength
    let size = type.blockBytes
    switch type {
    case .f32: for k in 0..<columns { target.store(source.load(4 * k, as: UInt32.self), 4 * (across * k + r)) }
    case .f16, .bf16: for k in 0..<columns { target.store(source.load(2 * k, as: UInt16.self), 2 * (across * k + r)) }
    case .q4_0: for b in 0..<blocks { laySimple(source + b * size, target + b * size * 8, r, minimum: false, fifth: false) }
    case .q4_1: for b in 0..<blocks { laySimple(source + b * size, target + b * size * 8, r, minimum: true, fifth: false) }
    case .q5_0: for b in 0..<blocks { laySimple(source + b * size, target + b * size * 8, r, minimum: false, fifth: true) }
    case .q5_1: for b in 0..<blocks { laySimple(source + b * size, target + b * size * 8, r, minimum: true, fifth: true) }
    case .q8_0: for b in 0..<blocks { layQ8_0(source + b * size, target + b * size * 8, r) }
    case .iq4_nl: for b in 0..<blocks { laySimple(source + b * size, target + b * size * 8, r, minimum: false, fifth: false) }
    case .iq4_xs: for b in 0..<blocks { layIQ4_XS(source + b * size, target + b * size * 8, r) }
    case .mxfp4: for b in 0..<blocks { layMXFP4(source + b * size, target + b * size * 8, r) }
    case .q4_k: for b in 0..<blocks { layQ4_K(source + b * size, target + b * size * 8, r, fifth: false) }
    case .q5_k: for b in 0..<blocks { layQ4_K(source + b * size, target + b * size * 8, r, fifth: true) }
    case .q6_k: for b in 0..<blocks { layQ6_K(source + b * size, target + b * size * 8, r) }
    case .q3_k: for b in 0..<blocks { layQ3_K(source + b * size, target + b * size * 8, r) }
    case .q2_k: for b in 0..<blocks { layQ2_K(source + b * size, target + b * size * 8, r) }
    }
}

@inline(__always)
private func laySimple(_ p: Bytes, _ t: MutableBytes, _ r: Int, minimum: Bool, fifth: Bool) {
    var (from, to) = (2, 16)
    t.store(p.load(0, as: UInt16.self), 2 * r)
    if minimum {
        t.store(p.load(2, as: UInt16.self), 16 + 2 * r)
        (from, to) = (4, 32)
    }
    if fifth {
        // Bit 4 j + c of the word goes to bit j of byte c.
        let bits = p.load(from, as: UInt32.self)
        var word: UInt32 = 0
        for j in 0..<8 { word |= spreadBits(bits >> UInt32(4 * j) & 15) << UInt32(j) }
        t.store(word, to + 4 * r)
        (from, to) = (from + 4, to + 32)
    }
    for j in 0..<4 { t.store(p.load(from + 4 * j, as: UInt32.self), to + 32 * j + 4 * r) }
}

private func layQ8_0(_ p: Bytes, _ t: MutableBytes, _ r: Int) {
    t.store(p.load(0, as: UInt16.self), 2 * r)
    for j in 0..<8 { t.store(p.load(2 + 4 * j, as: UInt32.self), 16 + 32 * j + 4 * r) }
}

private func layIQ4_XS(_ p: Bytes, _ t: MutableBytes, _ r: Int) {
    t.store(p.load(0, as: UInt16.self), 2 * r)
    t.store(p.load(2, as: UInt16.self), 16 + 2 * r)
    for i in 0..<4 { t.store(p.load(4 + i, as: UInt8.self), 32 + 8 * i + r) }
    for j in 0..<32 { t.store(p.load(8 + 4 * j, as: UInt32.self), 64 + 32 * j + 4 * r) }
}

private func layMXFP4(_ p: Bytes, _ t: MutableBytes, _ r: Int) {
    t.store(p.load(0, as: UInt8.self), r)
    for j in 0..<4 { t.store(p.load(1 + 4 * j, as: UInt32.self), 8 + 32 * j + 4 * r) }
}

@inline(__always)
private func layQ4_K(_ p: Bytes, _ t: MutableBytes, _ r: Int, fifth: Bool) {
    t.store(p.load(0, as: UInt16.self), 2 * r)
    t.store(p.load(2, as: UInt16.self), 16 + 2 * r)
    for j in 0..<8 {
        let (scale, minimum) = scaleAndMinimum(p + 4, j)
        laySixBitPair(scale, minimum, t + 32, j, r)
    }
    let (values, size) = fifth ? (p + 48, 160) : (p + 16, 128)
    for c in 0..<4 {
        for j in 0..<4 {
            let low = values.load(32 * c + 4 * j, as: UInt32.self)
            let high = values.load(32 * c + 16 + 4 * j, as: UInt32.self)
            let to = 128 + 2 * c * size + (fifth ? 32 : 0) + 32 * j + 4 * r
            t.store(low & 0x0f0f_0f0f | (high & 0x0f0f_0f0f) << 4, to)
            t.store(low >> 4 & 0x0f0f_0f0f | high & 0xf0f0_f0f0, to + size)
        }
    }
    if fifth { for b in 0..<8 { t.store(gatherBits(p + 16, b), 128 + b * size + 4 * r) } }
}

private func layQ6_K(_ p: Bytes, _ t: MutableBytes, _ r: Int) {
    t.store(p.load(208, as: UInt16.self), 2 * r)
    for i in 0..<16 { t.store(p.load(192 + i, as: UInt8.self), 16 + 8 * i + r) }
    for b in 0..<8 {
        let low = p + 64 * (b / 4) + 32 * (b % 2)
        let nibble = UInt32(b % 4 / 2 * 4)
        let to = 144 + 192 * b + 4 * r
        for j in 0..<4 {
            let first = low.load(4 * j, as: UInt32.self) >> nibble & 0x0f0f_0f0f
            let second = low.load(16 + 4 * j, as: UInt32.self) >> nibble & 0x0f0f_0f0f
            t.store(first | second << 4, to + 32 * j)
        }
        layPairs(p + 128 + 32 * (b / 4), b % 4, t, to + 128)
    }
}

private func layQ3_K(_ p: Bytes, _ t: MutableBytes, _ r: Int) {
    t.store(p.load(108, as: UInt16.self), 2 * r)
    for b in 0..<8 {
        laySixBitPair(sixBitScale(p + 96, 2 * b), sixBitScale(p + 96, 2 * b + 1), t + 16, b, r)
        layPairs(p + 32 + 32 * (b / 4), b % 4, t, 112 + 96 * b + 4 * r)
        t.store(gatherBits(p, b), 112 + 96 * b + 64 + 4 * r)
    }
}

private func layQ2_K(_ p: Bytes, _ t: MutableBytes, _ r: Int) {
    t.store(p.load(80, as: UInt16.self), 2 * r)
    t.store(p.load(82, as: UInt16.self), 16 + 2 * r)
    for i in 0..<16 { t.store(p.load(i, as: UInt8.self), 32 + 8 * i + r) }
    for b in 0..<8 { layPairs(p + 16 + 32 * (b / 4), b % 4, t, 160 + 64 * b + 4 * r) }
}

/// Pairs `2 s` of 32 bytes to two words whose bits 2 j are quad j of each half.
@inline(__always)
private func layPairs(_ p: Bytes, _ s: Int, _ t: MutableBytes, _ to: Int) {
    for v in 0..<2 {
        var word: UInt32 = 0
        for j in 0..<4 {
            word |= (p.load(16 * v + 4 * j, as: UInt32.self) >> UInt32(2 * s) & 0x0303_0303) << UInt32(2 * j)
        }
        t.store(word, to + 32 * v)
    }
}

/// Bit `b` of 32 bytes to a word whose bit j of byte c is byte 4 j + c.
@inline(__always)
private func gatherBits(_ p: Bytes, _ b: Int) -> UInt32 {
    var word: UInt32 = 0
    for j in 0..<8 { word |= (p.load(4 * j, as: UInt32.self) >> UInt32(b) & 0x0101_0101) << UInt32(j) }
    return word
}

@inline(__always)
private func laySixBitPair(_ first: Int, _ second: Int, _ t: MutableBytes, _ b: Int, _ r: Int) {
    t.store(UInt8(truncatingIfNeeded: first & 15 | (second & 15) << 4), 8 * b + r)
    let pair = UInt8(truncatingIfNeeded: first >> 4 | (second >> 4) << 2)
    let at = 64 + 8 * (b & 3) + r
    t.store(b < 4 ? pair : t.load(at, as: UInt8.self) & 15 | pair << 4, at)
}

/// Scale j of 16 in Q3_K, 6 bits without its offset of 32: nibbles of 8 bytes, then pairs of 4.
@inline(__always)
func sixBitScale(_ p: Bytes, _ j: Int) -> Int {
    p[j % 8] >> (j / 8 * 4) & 15 | (p[8 + j % 4] >> (j / 4 * 2) & 3) << 4
}

/// Bit c of a nibble to bit 0 of byte c: the product puts copies at c, c + 7, c + 14, c + 21.
@inline(__always)
private func spreadBits(_ nibble: UInt32) -> UInt32 { nibble &* 0x0020_4081 & 0x0101_0101 }
