internal import CIntrinsics

// What a sampler asks of a vocabulary. Every function gives the bits of its portable twin, so that a seed gives the same token on
// every machine: no fused products here, and sums in the twin's lanes.

/// The largest number, NaN where one is NaN or plus infinity; minus infinity of none.
package func avx2Largest(_ x: UnsafePointer<Float>, count: Int) -> Float {
    let low = _mm256_set1_ps(-Float.infinity)
    var a = low, b = low, c = low, d = low
    let magnitude = _mm256_set1_epi32(0x7FFF_FFFF)
    let infinity = _mm256_set1_epi32(0x7F80_0000)
    var bad = _mm256_setzero_si256()
    var i = 0
    while i &+ 32 <= count {
        let v0 = _mm256_loadu_ps(x + i), v1 = _mm256_loadu_ps(x + i + 8)
        let v2 = _mm256_loadu_ps(x + i + 16), v3 = _mm256_loadu_ps(x + i + 24)
        // The running maximum stands second: it is kept where a number is NaN.
        a = _mm256_max_ps(v0, a)
        b = _mm256_max_ps(v1, b)
        c = _mm256_max_ps(v2, c)
        d = _mm256_max_ps(v3, d)
        // A magnitude above infinity's bits is a NaN.
        let m0 = _mm256_and_si256(_mm256_castps_si256(v0), magnitude), m1 = _mm256_and_si256(_mm256_castps_si256(v1), magnitude)
        let m2 = _mm256_and_si256(_mm256_castps_si256(v2), magnitude), m3 = _mm256_and_si256(_mm256_castps_si256(v3), magnitude)
        let most = _mm256_max_epi32(_mm256_max_epi32(m0, m1), _mm256_max_epi32(m2, m3))
        bad = _mm256_or_si256(bad, _mm256_cmpgt_epi32(most, infinity))
        i = i &+ 32
    }
    var largest = largestLane(_mm256_max_ps(_mm256_max_ps(a, b), _mm256_max_ps(c, d)))
    var isBad = _mm256_movemask_epi8(bad) != 0
    while i < count {
        if x[i] > largest { largest = x[i] }
        if x[i] != x[i] { isBad = true }
        i = i &+ 1
    }
    return isBad || largest == Float.infinity ? Float.nan : largest
}

/// The first index from `first` on whose number is at least `threshold`, which is finite; `count` where there is none.
package func avx2FirstAtLeast(_ x: UnsafePointer<Float>, from first: Int, count: Int, threshold: Float) -> Int {
    // The sign of the difference tells; minus zero in place of zero, since (-0) - 0 would have a sign.
    let t = _mm256_set1_ps(threshold == 0 ? -0.0 : threshold)
    var i = first
    while i &+ 32 <= count {
        let d0 = _mm256_sub_ps(_mm256_loadu_ps(x + i), t), d1 = _mm256_sub_ps(_mm256_loadu_ps(x + i + 8), t)
        let d2 = _mm256_sub_ps(_mm256_loadu_ps(x + i + 16), t), d3 = _mm256_sub_ps(_mm256_loadu_ps(x + i + 24), t)
        let all = _mm256_and_ps(_mm256_and_ps(d0, d1), _mm256_and_ps(d2, d3))
        if _mm256_movemask_ps(all) != 0xFF { break }
        i = i &+ 32
    }
    while i < count {
        if x[i] >= threshold { return i }
        i = i &+ 1
    }
    return count
}

/// Sum of `exp((x[i] - largest) * scale)` in 8 running sums, as `portableSumScaledExp`.
package func avx2SumScaledExp(_ x: UnsafePointer<Float>, largest: Float, scale: Float, count: Int) -> Float {
    let m = _mm256_set1_ps(largest), s = _mm256_set1_ps(scale)
    var a = _mm256_setzero_ps()
    var i = 0
    while i &+ 8 <= count {
        a = _mm256_add_ps(a, plainExp8(_mm256_mul_ps(_mm256_sub_ps(_mm256_loadu_ps(x + i), m), s)))
        i = i &+ 8
    }
    var rest: Float = 0
    while i < count {
        rest = rest + plainExp8(_mm256_set1_ps((x[i] - largest) * scale))[0]
        i = i &+ 1
    }
    return sumOfLanes(a) + rest
}

/// `out[i] = exp((x[i] - largest) * scale)`, as `portableExp`.
package func avx2PlainExp(
    _ x: UnsafePointer<Float>, largest: Float, scale: Float, count: Int, into out: UnsafeMutablePointer<Float>
) {
    let m = _mm256_set1_ps(largest), s = _mm256_set1_ps(scale)
    var i = 0
    while i &+ 8 <= count {
        _mm256_storeu_ps(out + i, plainExp8(_mm256_mul_ps(_mm256_sub_ps(_mm256_loadu_ps(x + i), m), s)))
        i = i &+ 8
    }
    while i < count {
        out[i] = plainExp8(_mm256_set1_ps((x[i] - largest) * scale))[0]
        i = i &+ 1
    }
}

/// `lanesExp` of the portable set, operation for operation (see there for the reasons).
@inline(__always)
private func plainExp8(_ x: __m256) -> __m256 {
    let low = _mm256_set1_ps(-87.33654)
    // The second operand wins where one is NaN.
    let y = _mm256_min_ps(_mm256_set1_ps(88.37626), _mm256_max_ps(low, x))
    let magic = _mm256_set1_ps(12582912)
    let shifted = _mm256_add_ps(_mm256_mul_ps(y, _mm256_set1_ps(1.4426950408889634)), magic)
    let k = _mm256_sub_ps(shifted, magic)
    let high = _mm256_sub_ps(y, _mm256_mul_ps(k, _mm256_set1_ps(0.693359375)))
    let r = _mm256_sub_ps(high, _mm256_mul_ps(k, _mm256_set1_ps(-2.12194440e-4)))
    var p = _mm256_add_ps(_mm256_mul_ps(r, _mm256_set1_ps(1.0 / 5040)), _mm256_set1_ps(1.0 / 720))
    p = _mm256_add_ps(_mm256_mul_ps(p, r), _mm256_set1_ps(1.0 / 120))
    p = _mm256_add_ps(_mm256_mul_ps(p, r), _mm256_set1_ps(1.0 / 24))
    p = _mm256_add_ps(_mm256_mul_ps(p, r), _mm256_set1_ps(1.0 / 6))
    p = _mm256_add_ps(_mm256_mul_ps(p, r), _mm256_set1_ps(0.5))
    p = _mm256_add_ps(_mm256_add_ps(_mm256_mul_ps(_mm256_mul_ps(p, r), r), r), _mm256_set1_ps(1))
    let scaled = _mm256_add_epi32(_mm256_castps_si256(p), _mm256_slli_epi32(_mm256_castps_si256(shifted), 23))
    // The sign of x - low chooses zero.
    return _mm256_blendv_ps(_mm256_castsi256_ps(scaled), _mm256_setzero_ps(), _mm256_sub_ps(x, low))
}
