#if arch(x86_64)
internal import CIntrinsics

/// Quantises `tokens` rows of `values` (`stride` floats apart) into one tile of `width` tokens (1 or 4; rows that are not
/// there become zeros): the first 52 T bytes of each block of `MatrixLayout`, one after another; the numbers of `portablePackTile`.
package func ssse3PackTile(
    _ values: UnsafePointer<Float>, stride: Int, columns: Int, tokens: Int, width: Int, into tile: UnsafeMutableRawPointer
) {
    for t in 0..<width {
        let row = unsafe values + (t < tokens ? t : 0) * stride
        for b in 0..<columns / 32 {
            unsafe packBlock(UnsafeRawPointer(row + 32 * b), isThere: t < tokens, tile + (52 * width * b + 4 * t), width)
        }
    }
}

@inline(__always)
private func packBlock(_ x: UnsafeRawPointer, isThere: Bool, _ tile: UnsafeMutableRawPointer, _ width: Int) {
    if !isThere {
        for i in 0..<13 { unsafe (tile + 4 * width * i).storeBytes(of: 0, as: Int32.self) }
        return
    }
    var most = _mm_setzero_ps(), poison = most
    let (sign, zero) = (_mm_set1_ps(-0.0), most)
    for i in 0..<8 {
        let v = unsafe floats(x, 16 * i)
        // The second operand where one is a NaN: such a block's scale is NaN in any case.
        most = _mm_max_ps(_mm_andnot_ps(sign, v), most)
        poison = _mm_add_ps(poison, _mm_mul_ps(v, zero))
    }
    most = _mm_max_ps(most, _mm_movehl_ps(most, most))
    poison = _mm_add_ps(poison, _mm_movehl_ps(poison, poison))
    let (even, odd) = (_mm_cvtss_f32(most), secondLane(most))
    let greatest = even > odd ? even : odd
    let isZero = greatest < 0x1p-100
    // 0 where all is finite, NaN otherwise.
    let d = (isZero ? 0 : greatest / 127) + (_mm_cvtss_f32(poison) + secondLane(poison))
    let inverse = _mm_set1_ps(isZero ? 0 : 127 / greatest)
    // Rounded to the nearest, halves to even.
    @inline(__always) func words(_ i: Int) -> __m128i {
        unsafe _mm_packs_epi32(
            _mm_cvtps_epi32(_mm_mul_ps(floats(x, 32 * i), inverse)),
            _mm_cvtps_epi32(_mm_mul_ps(floats(x, 32 * i + 16), inverse)))
    }
    let low = _mm_packs_epi16(words(0), words(1)), high = _mm_packs_epi16(words(2), words(3))
    unsafe putFour(low, tile, 4 * width)
    unsafe putFour(high, tile + 16 * width, 4 * width)

    // Sums over byte pairs (0, 1) and (2, 3) of the quads of each half.
    let (first, last) = (pairSums(low), pairSums(high))
    let sums = (first.0 &+ first.1, last.0 &+ last.1)
    unsafe (tile + 32 * width).storeBytes(of: d, as: Float.self)
    unsafe (tile + 36 * width).storeBytes(of: d * Float(sums.0 &+ sums.1), as: Float.self)
    unsafe (tile + 40 * width).storeBytes(of: word(sums.0, sums.1), as: Int32.self)
    unsafe (tile + 44 * width).storeBytes(of: word(first.0 &* -32, first.1 &* -32), as: Int32.self)
    unsafe (tile + 48 * width).storeBytes(of: word(last.0 &* -32, last.1 &* -32), as: Int32.self)
}

@inline(__always)
private func secondLane(_ v: __m128) -> Float {
    let twice = _mm_unpacklo_ps(v, v)
    return _mm_cvtss_f32(_mm_movehl_ps(twice, twice))
}

/// Four words, `step` bytes apart.
@inline(__always)
private func putFour(_ v: __m128i, _ to: UnsafeMutableRawPointer, _ step: Int) {
    let high = _mm_unpackhi_epi64(v, v)
    unsafe to.storeBytes(of: _mm_cvtsi128_si32(v), as: Int32.self)
    unsafe (to + step).storeBytes(of: _mm_cvtsi128_si32(_mm_srli_epi64(v, 32)), as: Int32.self)
    unsafe (to + 2 * step).storeBytes(of: _mm_cvtsi128_si32(high), as: Int32.self)
    unsafe (to + 3 * step).storeBytes(of: _mm_cvtsi128_si32(_mm_srli_epi64(high, 32)), as: Int32.self)
}

@inline(__always)
private func pairSums(_ bytes: __m128i) -> (Int32, Int32) {
    let pairs = _mm_maddubs_epi16(_mm_set1_epi8(1), bytes)
    let two = _mm_add_epi16(pairs, _mm_unpackhi_epi64(pairs, pairs))
    let lanes = _mm_cvtsi128_si32(_mm_add_epi16(two, _mm_srli_epi64(two, 32)))
    return ((lanes << 16) >> 16, lanes >> 16)
}

@inline(__always)
private func word(_ low: Int32, _ high: Int32) -> Int32 { high << 16 | low & 0xffff }
#endif
