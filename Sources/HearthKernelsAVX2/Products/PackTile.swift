#if arch(x86_64)
internal import CIntrinsics
internal import HearthKernelTypes

/// Quantises `tokens` rows of `values` (`stride` floats apart) into one tile of `width` tokens (1 or 4; rows that are not
/// there become zeros). Layout and formula: `MatrixLayout`.
///
/// A block whose greatest value is below 2^-100 counts as zeros: 127 divided by it could overflow. A NaN or an infinity makes
/// the block's scale NaN, and so every product that reads it.
package func avx2PackTile(
    _ values: UnsafePointer<Float>, stride: Int, columns: Int, tokens: Int, width: Int, into tile: UnsafeMutableRawPointer
) {
    let sink = unsafe Sink(tile)
    if tokens == 4, width == 4 {
        let x = unsafe Stream(UnsafeRawPointer(values))
        for b in 0..<columns / 32 { packFour(x + 128 * b, 4 * stride, sink + 256 * b) }
        return
    }
    for t in 0..<width {
        let row = unsafe Stream(UnsafeRawPointer(values + (t < tokens ? t : 0) * stride))
        for b in 0..<columns / 32 {
            packBlock(row + 128 * b, isThere: t < tokens, sink + (64 * width * b + 4 * t), width)
        }
    }
}

@inline(__always)
private func packBlock(_ x: Stream, isThere: Bool, _ tile: Sink, _ width: Int) {
    if !isThere {
        for i in 0..<16 { tile.store(Int32(0), 4 * width * i) }
        return
    }
    let (x0, x1, x2, x3) = (x.floats(0), x.floats(32), x.floats(64), x.floats(96))
    let sign = _mm256_set1_ps(-0.0)
    let m01 = _mm256_max_ps(_mm256_andnot_ps(sign, x0), _mm256_andnot_ps(sign, x1))
    let m23 = _mm256_max_ps(_mm256_andnot_ps(sign, x2), _mm256_andnot_ps(sign, x3))
    let greatest = greatest(_mm256_max_ps(m01, m23))
    // 0 where all is finite, NaN otherwise.
    let zero = _mm256_setzero_ps()
    let poison = sum(_mm256_fmadd_ps(x0, zero, _mm256_fmadd_ps(x1, zero, _mm256_fmadd_ps(x2, zero, _mm256_mul_ps(x3, zero)))))
    let isZero = greatest < 0x1p-100
    let d = (isZero ? 0 : greatest / 127) + poison
    let inverse = _mm256_set1_ps(isZero ? 0 : 127 / greatest)
    let q0 = _mm256_cvtps_epi32(_mm256_mul_ps(x0, inverse))
    let q1 = _mm256_cvtps_epi32(_mm256_mul_ps(x1, inverse))
    let q2 = _mm256_cvtps_epi32(_mm256_mul_ps(x2, inverse))
    let q3 = _mm256_cvtps_epi32(_mm256_mul_ps(x3, inverse))
    // Packing works on halves of registers: 4 bytes of q0, q1, q2, q3 from the low halves, then from the high ones.
    let bytes = _mm256_packs_epi16(_mm256_packs_epi32(q0, q1), _mm256_packs_epi32(q2, q3))
    let quads = unsafe unsafeBitCast(bytes, to: SIMD8<Int32>.self)
    tile.store(quads[0], 0)
    tile.store(quads[4], 4 * width)
    tile.store(quads[1], 8 * width)
    tile.store(quads[5], 12 * width)
    tile.store(quads[2], 16 * width)
    tile.store(quads[6], 20 * width)
    tile.store(quads[3], 24 * width)
    tile.store(quads[7], 28 * width)

    // Sums over byte pairs (0, 1) and (2, 3) of quads 0...3 (lanes 0, 1, 4, 5) and 4...7 (lanes 2, 3, 6, 7).
    let pairs = unsafe unsafeBitCast(_mm256_maddubs_epi16(_mm256_set1_epi8(1), bytes), to: SIMD16<Int16>.self)
    let lanes = pairs.lowHalf &+ pairs.highHalf
    let (first, second) = (lanes.lowHalf, lanes.highHalf)
    let (low, high) = (first.lowHalf &+ first.highHalf, second.lowHalf &+ second.highHalf)
    let (sumLow, sumHigh) = (low[0] &+ low[1], high[0] &+ high[1])
    tile.store(d, 32 * width)
    tile.store(d * Float(Int32(sumLow) + Int32(sumHigh)), 36 * width)
    tile.store(word(sumLow, sumHigh), 40 * width)
    tile.store(word(low[0] &* -32, low[1] &* -32), 44 * width)
    tile.store(word(high[0] &* -32, high[1] &* -32), 48 * width)
    tile.store(Int32(sumLow) &* -32, 52 * width)
    tile.store(Int32(sumHigh) &* -32, 56 * width)
    tile.store((Int32(sumLow) &+ Int32(sumHigh)) &* -128, 60 * width)
}

/// A block of four tokens, `stride` bytes apart, at once: `packBlock`'s numbers, without a sum or a greatest across a register.
@inline(__always)
private func packFour(_ x: Stream, _ stride: Int, _ tile: Sink) {
    let (x1, x2, x3) = (x + stride, x + 2 * stride, x + 3 * stride)
    // Without their sign, numbers order as integers do, infinities and NaNs above all others.
    let (m0, m1, m2, m3) = (greatestSize(x), greatestSize(x1), greatestSize(x2), greatestSize(x3))
    let (a, b) = (
        _mm_max_epi32(_mm_unpacklo_epi32(m0, m1), _mm_unpackhi_epi32(m0, m1)),
        _mm_max_epi32(_mm_unpacklo_epi32(m2, m3), _mm_unpackhi_epi32(m2, m3))
    )
    let bits = _mm_max_epi32(_mm_unpacklo_epi64(a, b), _mm_unpackhi_epi64(a, b))
    let greatest = unsafe unsafeBitCast(bits, to: __m128.self)
    let poison = unsafe unsafeBitCast(_mm_cmpgt_epi32(bits, _mm_set1_epi32(0x7f7f_ffff)), to: __m128.self)
    let isZero = _mm_cmplt_ps(greatest, _mm_set1_ps(0x1p-100))
    let most = _mm_set1_ps(127)
    let d = _mm_or_ps(_mm_andnot_ps(isZero, _mm_div_ps(greatest, most)), poison)
    let inverse = _mm_andnot_ps(isZero, _mm_div_ps(most, greatest))
    let (q0, q1) = (codes(x, inverse[0]), codes(x1, inverse[1]))
    let (q2, q3) = (codes(x2, inverse[2]), codes(x3, inverse[3]))

    // Quads of the four tokens side by side: 0 and 1, 2 and 3 ...
    let (low01, high01) = (_mm256_unpacklo_epi32(q0, q1), _mm256_unpackhi_epi32(q0, q1))
    let (low23, high23) = (_mm256_unpacklo_epi32(q2, q3), _mm256_unpackhi_epi32(q2, q3))
    let (r0, r1) = (_mm256_unpacklo_epi64(low01, low23), _mm256_unpackhi_epi64(low01, low23))
    let (r2, r3) = (_mm256_unpacklo_epi64(high01, high23), _mm256_unpackhi_epi64(high01, high23))
    tile.store(r0, 0)
    tile.store(r1, 32)
    tile.store(r2, 64)
    tile.store(r3, 96)

    // Per token the sums over byte pairs (0, 1) and (2, 3) of quads 0...3 and 4...7.
    let (low, high) = (pairSums(r0, r1), pairSums(r2, r3))
    let ones = _mm_set1_epi16(1)
    let (sumLow, sumHigh) = (_mm_madd_epi16(low, ones), _mm_madd_epi16(high, ones))
    let total = _mm_add_epi32(sumLow, sumHigh)
    let zero = _mm_setzero_si128()
    tile.store(d, 128)
    tile.store(_mm_mul_ps(d, _mm_cvtepi32_ps(total)), 144)
    tile.store(_mm_or_si128(_mm_and_si128(sumLow, _mm_set1_epi32(0xffff)), _mm_slli_epi32(sumHigh, 16)), 160)
    tile.store(_mm_sub_epi16(zero, _mm_slli_epi16(low, 5)), 176)
    tile.store(_mm_sub_epi16(zero, _mm_slli_epi16(high, 5)), 192)
    tile.store(_mm_sub_epi32(zero, _mm_slli_epi32(sumLow, 5)), 208)
    tile.store(_mm_sub_epi32(zero, _mm_slli_epi32(sumHigh, 5)), 224)
    tile.store(_mm_sub_epi32(zero, _mm_slli_epi32(total, 7)), 240)
}

/// The greatest |x| of 32, in four parts.
@inline(__always)
private func greatestSize(_ x: Stream) -> __m128i {
    let mask = _mm256_set1_epi32(0x7fff_ffff)
    let v = _mm256_max_epi32(
        _mm256_max_epi32(_mm256_and_si256(x.vector(0), mask), _mm256_and_si256(x.vector(32), mask)),
        _mm256_max_epi32(_mm256_and_si256(x.vector(64), mask), _mm256_and_si256(x.vector(96), mask)))
    return _mm_max_epi32(v.lowHalf, v.highHalf)
}

/// 32 bytes: quads 0, 2, 4, 6 and then 1, 3, 5, 7.
@inline(__always)
private func codes(_ x: Stream, _ inverse: Float) -> __m256i {
    let f = _mm256_set1_ps(inverse)
    let q0 = _mm256_cvtps_epi32(_mm256_mul_ps(x.floats(0), f))
    let q1 = _mm256_cvtps_epi32(_mm256_mul_ps(x.floats(32), f))
    let q2 = _mm256_cvtps_epi32(_mm256_mul_ps(x.floats(64), f))
    let q3 = _mm256_cvtps_epi32(_mm256_mul_ps(x.floats(96), f))
    return _mm256_packs_epi16(_mm256_packs_epi32(q0, q1), _mm256_packs_epi32(q2, q3))
}

@inline(__always)
private func pairSums(_ a: __m256i, _ b: __m256i) -> __m128i {
    let ones = _mm256_set1_epi8(1)
    let v = _mm256_add_epi16(_mm256_maddubs_epi16(ones, a), _mm256_maddubs_epi16(ones, b))
    return _mm_add_epi16(v.lowHalf, v.highHalf)
}

@inline(__always)
private func word(_ low: Int16, _ high: Int16) -> Int32 {
    Int32(high) << 16 | Int32(UInt16(bitPattern: low))
}

@inline(__always)
private func greatest(_ v: __m256) -> Float {
    let four = _mm_max_ps(v.lowHalf, v.highHalf)
    let two = _mm_max_ps(four, _mm_movehl_ps(four, four))
    return two[0] > two[1] ? two[0] : two[1]
}

@inline(__always)
private func sum(_ v: __m256) -> Float {
    let four = _mm_add_ps(v.lowHalf, v.highHalf)
    let two = _mm_add_ps(four, _mm_movehl_ps(four, four))
    return two[0] + two[1]
}
#endif
