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
    for t in 0..<width {
        let row = unsafe Stream(UnsafeRawPointer(values + (t < tokens ? t : 0) * stride))
        for b in 0..<columns / 32 {
            packBlock(row + 128 * b, isThere: t < tokens, sink + (52 * width * b + 4 * t), width)
        }
    }
}

@inline(__always)
private func packBlock(_ x: Stream, isThere: Bool, _ tile: Sink, _ width: Int) {
    if !isThere {
        for i in 0..<13 { tile.store(Int32(0), 4 * width * i) }
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
