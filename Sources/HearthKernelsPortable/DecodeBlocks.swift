package import HearthKernelTypes

// The definition of every block format: bytes of a file to Float32, in plain arithmetic.
// Source: the block structures and `dequantize_row_*` formulas of the GGUF/ggml format (type numbers as in `ElementType`).

/// Decodes `count` values (whole blocks of `type`) to Float32.
package func decodeBlocks(
    _ type: ElementType, _ source: UnsafeRawPointer, _ count: Int, into target: UnsafeMutablePointer<Float>
) {
    let (bytes, out) = unsafe (Bytes(source), Floats(target))
    let blocks = count / type.blockLength
    let size = type.blockBytes
    switch type {
    case .f32:
        for i in 0..<count { out[i] = bytes.load(4 * i, as: Float.self) }
    case .f16:
        for i in 0..<count { out[i] = bytes.half(2 * i) }
    case .bf16:
        for i in 0..<count {
            out[i] = Float(bitPattern: UInt32(bytes.load(2 * i, as: UInt16.self)) << 16)
        }
    case .q4_0: for b in 0..<blocks { decodeQ4_0(bytes + b * size, out + b * 32) }
    case .q4_1: for b in 0..<blocks { decodeQ4_1(bytes + b * size, out + b * 32) }
    case .q5_0: for b in 0..<blocks { decodeQ5_0(bytes + b * size, out + b * 32) }
    case .q5_1: for b in 0..<blocks { decodeQ5_1(bytes + b * size, out + b * 32) }
    case .q8_0: for b in 0..<blocks { decodeQ8_0(bytes + b * size, out + b * 32) }
    case .iq4_nl: for b in 0..<blocks { decodeIQ4_NL(bytes + b * size, out + b * 32) }
    case .iq4_xs: for b in 0..<blocks { decodeIQ4_XS(bytes + b * size, out + b * 256) }
    case .mxfp4: for b in 0..<blocks { decodeMXFP4(bytes + b * size, out + b * 32) }
    case .q2_k: for b in 0..<blocks { decodeQ2_K(bytes + b * size, out + b * 256) }
    case .q3_k: for b in 0..<blocks { decodeQ3_K(bytes + b * size, out + b * 256) }
    case .q4_k: for b in 0..<blocks { decodeQ4_K(bytes + b * size, out + b * 256) }
    case .q5_k: for b in 0..<blocks { decodeQ5_K(bytes + b * size, out + b * 256) }
    case .q6_k: for b in 0..<blocks { decodeQ6_K(bytes + b * size, out + b * 256) }
    }
}

/// IEEE half to single, exact, by integer arithmetic (no F16C below AVX2).
@inline(__always) func halfToFloat(_ h: UInt16) -> Float {
    let sign = UInt32(h & 0x8000) << 16
    let rest = UInt32(h & 0x7fff)
    if rest >= 0x7c00 { return Float(bitPattern: sign | 0x7f80_0000 | (rest & 0x3ff) << 13) }
    if rest < 0x400 {  // subnormal: rest x 2^-24, exact
        let magnitude = Float(Int32(bitPattern: rest)) * 0x1p-24
        return Float(bitPattern: sign | magnitude.bitPattern)
    }
    return Float(bitPattern: sign | (rest << 13) + 0x3800_0000)  // exponent bias 15 to 127
}

/// 16 bytes of nibbles: low ones are values 0...15, high ones 16...31. y = d (q - 8).
private func decodeQ4_0(_ p: Bytes, _ y: Floats) {
    let d = p.half(0)
    for i in 0..<16 {
        let q = p[2 + i]
        y[i] = Float(q & 15 - 8) * d
        y[i + 16] = Float(q >> 4 - 8) * d
    }
}

/// y = d q + m.
private func decodeQ4_1(_ p: Bytes, _ y: Floats) {
    let (d, m) = (p.half(0), p.half(2))
    for i in 0..<16 {
        let q = p[4 + i]
        y[i] = Float(q & 15) * d + m
        y[i + 16] = Float(q >> 4) * d + m
    }
}

/// As Q4_0 with a fifth bit: bit i of a 32-bit word belongs to value i. y = d (q - 16).
private func decodeQ5_0(_ p: Bytes, _ y: Floats) {
    let d = p.half(0)
    let high = Int(p.load(2, as: UInt32.self))
    for i in 0..<16 {
        let q = p[6 + i]
        y[i] = Float((q & 15 | (high >> i & 1) << 4) - 16) * d
        y[i + 16] = Float((q >> 4 | (high >> (i + 16) & 1) << 4) - 16) * d
    }
}

/// y = d q + m, q of five bits.
private func decodeQ5_1(_ p: Bytes, _ y: Floats) {
    let (d, m) = (p.half(0), p.half(2))
    let high = Int(p.load(4, as: UInt32.self))
    for i in 0..<16 {
        let q = p[8 + i]
        y[i] = Float(q & 15 | (high >> i & 1) << 4) * d + m
        y[i + 16] = Float(q >> 4 | (high >> (i + 16) & 1) << 4) * d + m
    }
}

/// y = d q, q signed.
private func decodeQ8_0(_ p: Bytes, _ y: Floats) {
    let d = p.half(0)
    for i in 0..<32 { y[i] = Float(p.signed(2 + i)) * d }
}

/// 16 sub-blocks of 16: low nibble of their byte is the scale, high one the minimum. Values are 2 bits: value
/// 128 h + 32 s + l is bits 2s of byte 32 h + l. y = d sc q - dmin m.
private func decodeQ2_K(_ p: Bytes, _ y: Floats) {
    let (d, dmin) = (p.half(80), p.half(82))
    for i in 0..<256 {
        let scale = p[i / 16]
        let q = p[16 + i / 128 * 32 + i % 32] >> (i % 128 / 32 * 2) & 3
        y[i] = d * Float(scale & 15) * Float(q) - dmin * Float(scale >> 4)
    }
}

/// 16 sub-blocks of 16 with 6-bit scales (offset 32); low two bits as in Q2_K; bit i / 32 of byte i % 32 of the mask,
/// when absent, takes 4 away. y = d (sc - 32) (q - 4).
private func decodeQ3_K(_ p: Bytes, _ y: Floats) {
    let d = p.half(108)
    for i in 0..<256 {
        let j = i / 16
        let low = p[96 + j % 8] >> (j / 8 * 4) & 15
        let high = p[104 + j % 4] >> (j / 4 * 2) & 3
        let scale = (low | high << 4) - 32
        let q = p[32 + i / 128 * 32 + i % 32] >> (i % 128 / 32 * 2) & 3
        let bit = p[i % 32] >> (i / 32) & 1
        y[i] = d * Float(scale) * Float(q + bit * 4 - 4)
    }
}

/// Scale and minimum of sub-block j of 8 in Q4_K and Q5_K: 6 bits each in 12 bytes, the first four whole in the low
/// bits of bytes 0...7, the other four split between nibbles of bytes 8...11 and the top pairs of bytes 0...7.
@inline(__always) func scaleAndMinimum(_ p: Bytes, _ j: Int) -> (scale: Int, minimum: Int) {
    if j < 4 { return (p[j] & 63, p[j + 4] & 63) }
    return (
        p[j + 4] & 15 | (p[j - 4] >> 6) << 4,
        p[j + 4] >> 4 | (p[j] >> 6) << 4
    )
}

/// 8 sub-blocks of 32; bytes 32 c ... hold sub-block 2 c in low nibbles, 2 c + 1 in high ones. y = d sc q - dmin m.
private func decodeQ4_K(_ p: Bytes, _ y: Floats) {
    let (d, dmin) = (p.half(0), p.half(2))
    for j in 0..<8 {
        let (scale, minimum) = scaleAndMinimum(p + 4, j)
        let (ds, dm) = (d * Float(scale), dmin * Float(minimum))
        for l in 0..<32 {
            let q = p[16 + j / 2 * 32 + l] >> (j % 2 * 4) & 15
            y[32 * j + l] = ds * Float(q) - dm
        }
    }
}

/// As Q4_K; bit j of byte l of the 32 is the fifth bit of value l of sub-block j.
private func decodeQ5_K(_ p: Bytes, _ y: Floats) {
    let (d, dmin) = (p.half(0), p.half(2))
    for j in 0..<8 {
        let (scale, minimum) = scaleAndMinimum(p + 4, j)
        let (ds, dm) = (d * Float(scale), dmin * Float(minimum))
        for l in 0..<32 {
            let q = p[48 + j / 2 * 32 + l] >> (j % 2 * 4) & 15 | (p[16 + l] >> j & 1) << 4
            y[32 * j + l] = ds * Float(q) - dm
        }
    }
}

/// Two halves of 128 values: value 32 s + l of a half has its low nibble in byte 32 (s % 2) + l of 64 (low for s < 2) and
/// its high pair in bits 2 s of byte l of 32. 16 signed scales. y = d sc (q - 32).
private func decodeQ6_K(_ p: Bytes, _ y: Floats) {
    let d = p.half(208)
    for i in 0..<256 {
        let (h, s, l) = (i / 128, i % 128 / 32, i % 32)
        let low = p[64 * h + 32 * (s % 2) + l] >> (s / 2 * 4) & 15
        let high = p[128 + 32 * h + l] >> (2 * s) & 3
        let scale = Float(p.signed(192 + i / 16))
        y[i] = d * scale * Float((low | high << 4) - 32)
    }
}

/// As Q4_0 with codes in place of q - 8. y = d code.
private func decodeIQ4_NL(_ p: Bytes, _ y: Floats) {
    decodeCodes(CodeBook.nonlinear, p.half(0), p + 2, y)
}

/// 8 sub-blocks of 32, laid out as IQ4_NL's nibbles, each with a scale of six bits. y = d (sc - 32) code.
private func decodeIQ4_XS(_ p: Bytes, _ y: Floats) {
    let d = p.half(0)
    for j in 0..<8 {
        decodeCodes(CodeBook.nonlinear, d * Float(splitScale(p, j) - 32), p + (8 + 16 * j), y + 32 * j)
    }
}

/// y = d code, d half of the power of two.
private func decodeMXFP4(_ p: Bytes, _ y: Floats) {
    decodeCodes(CodeBook.halves, halfPower(p[0]), p + 1, y)
}

/// 16 bytes of nibbles: low ones are codes of values 0...15, high ones of 16...31.
@inline(__always)
private func decodeCodes(_ book: SIMD16<Int8>, _ d: Float, _ q: Bytes, _ y: Floats) {
    for i in 0..<16 {
        y[i] = Float(book[q[i] & 15]) * d
        y[i + 16] = Float(book[q[i] >> 4]) * d
    }
}

/// Scale j of 8 in IQ4_XS, without its offset of 32: a nibble of bytes 4...7, and two bits of the word in bytes 2 and 3.
@inline(__always)
func splitScale(_ p: Bytes, _ j: Int) -> Int {
    p[4 + j / 2] >> (j % 2 * 4) & 15 | (Int(p.load(2, as: UInt16.self)) >> (2 * j) & 3) << 4
}

/// 2^(e - 128): E8M0's power of two, halved. The two smallest are subnormal.
@inline(__always)
func halfPower(_ e: Int) -> Float {
    Float(bitPattern: e < 2 ? 0x0020_0000 << UInt32(e) : UInt32(e - 1) << 23)
}
