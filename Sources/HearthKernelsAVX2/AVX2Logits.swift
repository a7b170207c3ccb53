internal import CIntrinsics

/// Index of the largest number, the lowest index of equals; -1 where nothing is above minus infinity.
package func avx2ArgMax(_ x: UnsafePointer<Float>, count: Int) -> Int {
    // The largest number first, then where it is: two passes of loads beat carrying indices.
    var a = _mm256_set1_ps(-Float.infinity), b = a
    var i = 0
    while i &+ 16 <= count {
        // The first operand is dropped where it is NaN, the second kept: the running maximum stays second.
        a = _mm256_max_ps(_mm256_loadu_ps(x + i), a)
        b = _mm256_max_ps(_mm256_loadu_ps(x + i + 8), b)
        i = i &+ 16
    }
    var largest = largestLane(_mm256_max_ps(a, b))
    while i < count {
        if x[i] > largest { largest = x[i] }
        i = i &+ 1
    }
    guard largest > -Float.infinity else { return -1 }
    i = 0
    let wanted = _mm256_castps_si256(_mm256_set1_ps(largest))
    // Bits are compared, except that the two zeros are equal numbers.
    if largest != 0 {
        while i &+ 8 <= count {
            let same = _mm256_cmpeq_epi32(_mm256_castps_si256(_mm256_loadu_ps(x + i)), wanted)
            if _mm256_movemask_epi8(same) != 0 { break }
            i = i &+ 8
        }
    }
    while i < count {
        if x[i] == largest { return i }
        i = i &+ 1
    }
    return -1
}

/// Sum of `exp(x[i] - largest)` over at most some thousands of numbers, in 16 running sums.
package func avx2SumExp(_ x: UnsafePointer<Float>, largest: Float, count: Int) -> Float {
    let m = _mm256_set1_ps(largest)
    var a = _mm256_setzero_ps(), b = a
    var i = 0
    while i &+ 16 <= count {
        a = _mm256_add_ps(a, exp8(_mm256_sub_ps(_mm256_loadu_ps(x + i), m)))
        b = _mm256_add_ps(b, exp8(_mm256_sub_ps(_mm256_loadu_ps(x + i + 8), m)))
        i = i &+ 16
    }
    while i < count {
        let left = count &- i
        let lanes = firstLanes(left)
        let e = exp8(_mm256_sub_ps(_mm256_maskload_ps(x + i, lanes), m))
        a = _mm256_add_ps(a, _mm256_and_ps(e, _mm256_castsi256_ps(lanes)))
        i = i &+ 8
    }
    return sumOfLanes(_mm256_add_ps(a, b))
}
