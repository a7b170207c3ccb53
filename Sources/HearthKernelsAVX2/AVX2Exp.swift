internal import CIntrinsics

// Elementary functions on 8 numbers. Only intrinsics that are functions: those that are macros (compare, blend by constant,
// round, shuffle) do not reach Swift, so selections go by the sign bit and rounding by a large constant.

/// e^x within 2 units in the last place; 0 below -87.33 (so also for minus infinity), largest finite above 88.37, NaN for NaN.
@inline(__always)
func exp8(_ x: __m256) -> __m256 {
    let low = _mm256_set1_ps(-87.33654)  // ln of the least normal number
    // The second operand wins where one is NaN.
    let y = _mm256_min_ps(_mm256_set1_ps(88.37626), _mm256_max_ps(low, x))
    // k = round(y / ln 2): adding 1.5 * 2^23 leaves it in the low bits of the sum.
    let magic = _mm256_set1_ps(12582912)
    let shifted = _mm256_fmadd_ps(y, _mm256_set1_ps(1.4426950408889634), magic)
    let k = _mm256_sub_ps(shifted, magic)
    // r = y - k ln 2, ln 2 in two parts; |r| <= 0.3466.
    let r = _mm256_fnmadd_ps(k, _mm256_set1_ps(-2.12194440e-4), _mm256_fnmadd_ps(k, _mm256_set1_ps(0.693359375), y))
    // Taylor's series to r^7: the next term is below 0.3466^8 / 8! = 5e-9, a twelfth of a unit.
    var p = _mm256_set1_ps(1.0 / 5040)
    p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(1.0 / 720))
    p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(1.0 / 120))
    p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(1.0 / 24))
    p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(1.0 / 6))
    p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(0.5))
    p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(1))
    p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(1))
    // 2^k by adding k to the exponent: the low 9 bits of `shifted` are k.
    let scaled = _mm256_add_epi32(_mm256_castps_si256(p), _mm256_slli_epi32(_mm256_castps_si256(shifted), 23))
    // The sign of x - low chooses zero.
    return _mm256_blendv_ps(_mm256_castsi256_ps(scaled), _mm256_setzero_ps(), _mm256_sub_ps(x, low))
}

/// tanh x = 1 - 2 / (e^2x + 1), within 2^-22 of 1.
@inline(__always)
func tanh8(_ x: __m256) -> __m256 {
    let e = exp8(_mm256_add_ps(x, x))
    let one = _mm256_set1_ps(1)
    return _mm256_sub_ps(one, _mm256_div_ps(_mm256_set1_ps(2), _mm256_add_ps(e, one)))
}

/// All bits of the first `count` lanes.
@inline(__always)
func firstLanes(_ count: Int) -> __m256i {
    _mm256_cmpgt_epi32(_mm256_set1_epi32(Int32(truncatingIfNeeded: count)), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7))
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
