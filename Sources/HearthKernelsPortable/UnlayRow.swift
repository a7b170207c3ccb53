package import HearthKernelTypes

// The way back from groups of 8 rows to the bytes of the file: row by row, for decoding a row and for tests.

/// Writes the file's bytes of the row at place `r` of a group: the inverse of `layRow`, bit for bit.
package func unlayRow(
    _ type: ElementType, _ group: UnsafeRawPointer, columns: Int, place r: Int, across: Int = 8, into row: UnsafeMutableRawPointer
) {
    let (source, target) = unsafe (Bytes(group), MutableBytes(row))
    let blocks = columns / type.blockLength
    let size = type.blockBytes
    switch type {
    case .f32: for k in 0..<columns { target.store(source.load(4 * (across * k + r), as: UInt32.self), 4 * k) }
    case .f16, .bf16: for k in 0..<columns { target.store(source.load(2 * (across * k + r), as: UInt16.self), 2 * k) }
    case .q4_0: for b in 0..<blocks { unlaySimple(source + b * size * 8, target + b * size, r, minimum: false, fifth: false) }
    case .q4_1: for b in 0..<blocks { unlaySimple(source + b * size * 8, target + b * size, r, minimum: true, fifth: false) }
    case .q5_0: for b in 0..<blocks { unlaySimple(source + b * size * 8, target + b * size, r, minimum: false, fifth: true) }
    case .q5_1: for b in 0..<blocks { unlaySimple(source + b * size * 8, target + b * size, r, minimum: true, fifth: true) }
    case .q8_0: for b in 0..<blocks { unlayQ8_0(source + b * size * 8, target + b * size, r) }
    case .iq4_nl: for b in 0..<blocks { unlaySimple(source + b * size * 8, target + b * size, r, minimum: false, fifth: false) }
    case .iq4_xs: for b in 0..<blocks { unlayIQ4_XS(source + b * size * 8, target + b * size, r) }
    case .mxfp4: for b in 0..<blocks { unlayMXFP4(source + b * size * 8, target + b * size, r) }
    case .q4_k: for b in 0..<blocks { unlayQ4_K(source + b * size * 8, target + b * size, r, fifth: false) }
    case .q5_k: for b in 0..<blocks { unlayQ4_K(source + b * size * 8, target + b * size, r, fifth: true) }
    case .q6_k: for b in 0..<blocks { unlayQ6_K(source + b * size * 8, target + b * size, r) }
    case .q3_k: for b in 0..<blocks { unlayQ3_K(source + b * size * 8, target + b * size, r) }
    case .q2_k: for b in 0..<blocks { unlayQ2_K(source + b * size * 8, target + b * size, r) }
    }
}

private func unlaySimple(_ g: Bytes, _ t: MutableBytes, _ r: Int, minimum: Bool, fifth: Bool) {
    var (from, to) = (16, 2)
    t.store(g.load(2 * r, as: UInt16.self), 0)
    if minimum {
        t.store(g.load(16 + 2 * r, as: UInt16.self), 2)
        (from, to) = (32, 4)
    }
    if fifth {
        let word = g.load(from + 4 * r, as: UInt32.self)
        var bits: UInt32 = 0
        for j in 0..<8 { bits |= collectBits(word >> UInt32(j)) << UInt32(4 * j) }
        t.store(bits, to)
        (from, to) = (from + 32, to + 4)
    }
    for j in 0..<4 { t.store(g.load(from + 32 * j + 4 * r, as: UInt32.self), to + 4 * j) }
}

private func unlayQ8_0(_ g: Bytes, _ t: MutableBytes, _ r: Int) {
    t.store(g.load(2 * r, as: UInt16.self), 0)
    for j in 0..<8 { t.store(g.load(16 + 32 * j + 4 * r, as: UInt32.self), 2 + 4 * j) }
}

private func unlayIQ4_XS(_ g: Bytes, _ t: MutableBytes, _ r: Int) {
    t.store(g.load(2 * r, as: UInt16.self), 0)
    t.store(g.load(16 + 2 * r, as: UInt16.self), 2)
    for i in 0..<4 { t.store(g.load(32 + 8 * i + r, as: UInt8.self), 4 + i) }
    for j in 0..<32 { t.store(g.load(64 + 32 * j + 4 * r, as: UInt32.self), 8 + 4 * j) }
}

private func unlayMXFP4(_ g: Bytes, _ t: MutableBytes, _ r: Int) {
    t.store(g.load(r, as: UInt8.self), 0)
    for j in 0..<4 { t.store(g.load(8 + 32 * j + 4 * r, as: UInt32.self), 1 + 4 * j) }
}

private func unlayQ4_K(_ g: Bytes, _ t: MutableBytes, _ r: Int, fifth: Bool) {
    t.store(g.load(2 * r, as: UInt16.self), 0)
    t.store(g.load(16 + 2 * r, as: UInt16.self), 2)
    // The inverse of `scaleAndMinimum`.
    for j in 0..<4 {
        let (scale, minimum) = sixBitPair(g + 32, j, r)
        let (scale4, minimum4) = sixBitPair(g + 32, j + 4, r)
        t.store(UInt8(scale | (scale4 >> 4) << 6), 4 + j)
        t.store(UInt8(minimum | (minimum4 >> 4) << 6), 8 + j)
        t.store(UInt8(scale4 & 15 | (minimum4 & 15) << 4), 12 + j)
    }
    let (values, size) = fifth ? (48, 160) : (16, 128)
    for c in 0..<4 {
        for j in 0..<4 {
            let from = 128 + 2 * c * size + (fifth ? 32 : 0) + 32 * j + 4 * r
            let even = g.load(from, as: UInt32.self)
            let odd = g.load(from + size, as: UInt32.self)
            t.store(even & 0x0f0f_0f0f | (odd & 0x0f0f_0f0f) << 4, values + 32 * c + 4 * j)
            t.store(even >> 4 & 0x0f0f_0f0f | odd & 0xf0f0_f0f0, values + 32 * c + 16 + 4 * j)
        }
    }
    if fifth {
        for j in 0..<8 { t.store(scatterBits(g, 128, size, j, r), 16 + 4 * j) }
    }
}

private func unlayQ6_K(_ g: Bytes, _ t: MutableBytes, _ r: Int) {
    t.store(g.load(2 * r, as: UInt16.self), 208)
    for i in 0..<16 { t.store(g.load(16 + 8 * i + r, as: UInt8.self), 192 + i) }
    for h in 0..<2 {
        for n in 0..<2 {  // bytes 32 n of the half's 64: block n in low nibbles, block n + 2 in high ones
            for j in 0..<4 {
                let from = 144 + 192 * (4 * h + n) + 32 * j + 4 * r
                let low = g.load(from, as: UInt32.self)
                let high = g.load(from + 384, as: UInt32.self)
                let to = 64 * h + 32 * n + 4 * j
                t.store(low & 0x0f0f_0f0f | (high & 0x0f0f_0f0f) << 4, to)
                t.store(low >> 4 & 0x0f0f_0f0f | high & 0xf0f0_f0f0, to + 16)
            }
        }
        for i in 0..<8 { t.store(scatterPairs(g, 144 + 192 * 4 * h + 128, 192, i, r), 128 + 32 * h + 4 * i) }
    }
}

private func unlayQ3_K(_ g: Bytes, _ t: MutableBytes, _ r: Int) {
    t.store(g.load(2 * r, as: UInt16.self), 108)
    func scale(_ j: Int) -> Int {
        let pair = sixBitPair(g + 16, j / 2, r)
        return j % 2 == 0 ? pair.first : pair.second
    }
    for i in 0..<8 { t.store(UInt8(scale(i) & 15 | (scale(i + 8) & 15) << 4), 96 + i) }
    for i in 0..<4 {
        let low = scale(i) >> 4 | (scale(i + 4) >> 4) << 2
        t.store(UInt8(low | (scale(i + 8) >> 4) << 4 | (scale(i + 12) >> 4) << 6), 104 + i)
    }
    for h in 0..<2 {
        for i in 0..<8 { t.store(scatterPairs(g, 112 + 96 * 4 * h, 96, i, r), 32 + 32 * h + 4 * i) }
    }
    for j in 0..<8 { t.store(scatterBits(g, 112 + 64, 96, j, r), 4 * j) }
}

private func unlayQ2_K(_ g: Bytes, _ t: MutableBytes, _ r: Int) {
    t.store(g.load(2 * r, as: UInt16.self), 80)
    t.store(g.load(16 + 2 * r, as: UInt16.self), 82)
    for i in 0..<16 { t.store(g.load(32 + 8 * i + r, as: UInt8.self), i) }
    for h in 0..<2 {
        for i in 0..<8 { t.store(scatterPairs(g, 160 + 64 * 4 * h, 64, i, r), 16 + 32 * h + 4 * i) }
    }
}

/// Bytes 4 i ... 4 i + 3 of 32 whose pairs 2 s come from block s of four that lie `stride` apart from `base`.
private func scatterPairs(_ g: Bytes, _ base: Int, _ stride: Int, _ i: Int, _ r: Int) -> UInt32 {
    var word: UInt32 = 0
    for s in 0..<4 {
        let pairs = g.load(base + stride * s + 32 * (i / 4) + 4 * r, as: UInt32.self)
        word |= (pairs >> UInt32(2 * (i % 4)) & 0x0303_0303) << UInt32(2 * s)
    }
    return word
}

/// Bytes 4 j ... 4 j + 3 of 32 whose bits b come from block b of eight that lie `stride` apart from `base`.
private func scatterBits(_ g: Bytes, _ base: Int, _ stride: Int, _ j: Int, _ r: Int) -> UInt32 {
    var word: UInt32 = 0
    for b in 0..<8 {
        word |= (g.load(base + stride * b + 4 * r, as: UInt32.self) >> UInt32(j) & 0x0101_0101) << UInt32(b)
    }
    return word
}

private func sixBitPair(_ g: Bytes, _ b: Int, _ r: Int) -> (first: Int, second: Int) {
    let low = g[8 * b + r]
    let high = g[64 + 8 * (b % 4) + r] >> (b / 4 * 4)
    return (low & 15 | (high & 3) << 4, low >> 4 | (high >> 2 & 3) << 4)
}

/// Bits 0 of the four bytes of a word to a nibble.
private func collectBits(_ word: UInt32) -> UInt32 { ((word & 0x0101_0101) &* 0x0102_0408) >> 24 & 15 }

/// Decodes the row at place `r` of a group (of float weights: among the `across` rows of a bundle) to Float32.
package func decodeRow(
    _ type: ElementType, _ group: UnsafeRawPointer, columns: Int, place r: Int, across: Int = 8,
    into out: UnsafeMutablePointer<Float>
) {
    // Block by block, through the file's bytes of one block (at most 210).
    let size = type.blockBytes
    unsafe withUnsafeTemporaryAllocation(byteCount: 256, alignment: 16) { block in
        let bytes = block.baseAddress!
        for b in 0..<columns / type.blockLength {
            unsafe unlayRow(
                type, group + b * size * across, columns: type.blockLength, place: r, across: across, into: bytes)
            unsafe decodeBlocks(type, bytes, type.blockLength, into: out + b * type.blockLength)
        }
    }
}
