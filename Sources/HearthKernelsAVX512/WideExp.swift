#if arch(x86_64)
internal import CIntrinsics

// The AVX2 set's exp and tanh on 16 numbers: the same steps in each lane, and so the same bits. The reasons stand beside `exp8`
// in HearthKernelsAVX2.

@inline(__always)
func exp16(_ x: __m512) -> __m512 {
    let low = _mm512_set1_ps(-87.33654)
    let y = _mm512_min_ps(_mm512_set1_ps(88.37626), _mm512_max_ps(low, x))
    let magic = _mm512_set1_ps(12582912)
    let shifted = _mm512_fmadd_ps(y, _mm512_set1_ps(1.4426950408889634), magic)
    let k = _mm512_sub_ps(shifted, magic)
    let r = _mm512_fnmadd_ps(k, _mm512_set1_ps(-2.12194440e-4), _mm512_fnmadd_ps(k, _mm512_set1_ps(0.693359375), y))
    var p = _mm512_set1_ps(1.0 / 5040)
    p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(1.0 / 720))
    p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(1.0 / 120))
    p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(1.0 / 24))
    p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(1.0 / 6))
    p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(0.5))
    p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(1))
    p = _mm512_fmadd_ps(p, r, _mm512_set1_ps(1))
    let scaled = _mm512_add_epi32(_mm512_castps_si512(p), _mm512_slli_epi32(_mm512_castps_si512(shifted), 23))
    // The sign of x - low chooses zero.
    let sign = _mm512_castps_si512(_mm512_sub_ps(x, low))
    let below = _mm512_test_epi32_mask(sign, _mm512_set1_epi32(Int32.min))
    return _mm512_mask_blend_ps(below, _mm512_castsi512_ps(scaled), _mm512_setzero_ps())
}

@inline(__always)
func tanh16(_ x: __m512) -> __m512 {
    let e = exp16(_mm512_add_ps(x, x))
    let one = _mm512_set1_ps(1)
    return _mm512_sub_ps(one, _mm512_div_ps(_mm512_set1_ps(2), _mm512_add_ps(e, one)))
}

/// ((0 + 4) + (2 + 6)) + ((1 + 5) + (3 + 7))
@inline(__always)
func sumOfLanes(_ v: __m256) -> Float {
    let four = _mm_add_ps(v.lowHalf, v.highHalf)
    let two = _mm_add_ps(four, _mm_movehl_ps(four, four))
    return two[0] + two[1]
}

@inline(__always)
func largestLane(_ v: __m256) -> Float {
    let four = _mm_max_ps(v.lowHalf, v.highHalf)
    let two = _mm_max_ps(four, _mm_movehl_ps(four, four))
    return two[0] > two[1] ? two[0] : two[1]
}
#endif
