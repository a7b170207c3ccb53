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

/// As the weights of `PortableMass` (see there for the reasons). Functions only: a type would bring weak ones of its own.
@inline(__always)
private func weights(_ x: __m256, _ largest: __m256, _ factor: __m256) -> __m256 {
    // The second operand wins where one is NaN.
    let t = _mm256_max_ps(_mm256_mul_ps(_mm256_sub_ps(x, largest), factor), _mm256_set1_ps(-60))
    let magic = _mm256_set1_ps(12582912)
    let shifted = _mm256_add_ps(t, magic)
    let f = _mm256_sub_ps(t, _mm256_sub_ps(shifted, magic))
    let square = _mm256_mul_ps(f, f)
    let first = _mm256_add_ps(_mm256_mul_ps(f, _mm256_set1_ps(0.6931472)), _mm256_set1_ps(1))
    let second = _mm256_add_ps(_mm256_mul_ps(f, _mm256_set1_ps(0.055503325)), _mm256_set1_ps(0.24022648))
    let third = _mm256_add_ps(
        _mm256_add_ps(_mm256_mul_ps(f, _mm256_set1_ps(0.0013398874)), _mm256_set1_ps(0.0096184375)),
        _mm256_mul_ps(square, _mm256_set1_ps(0.00015353326)))
    let p = _mm256_add_ps(first, _mm256_mul_ps(square, _mm256_add_ps(second, _mm256_mul_ps(square, third))))
    return _mm256_castsi256_ps(
        _mm256_add_epi32(_mm256_castps_si256(p), _mm256_slli_epi32(_mm256_castps_si256(shifted), 23)))
}

package func avx2SumOfMasses(_ x: UnsafePointer<Float>, count: Int, below largest: Float, factor: Float) -> UInt64 {
    let largest = _mm256_set1_ps(largest), factor = _mm256_set1_ps(factor)
    var a = _mm256_setzero_si256(), b = a
    var i = 0
    // Two at a time: one chain of products leaves the units idle.
    while i &+ 16 <= count {
        let v = weights(_mm256_loadu_ps(x + i), largest, factor), w = weights(_mm256_loadu_ps(x + i + 8), largest, factor)
        a = _mm256_add_epi64(a, masses(v))
        b = _mm256_add_epi64(b, masses(w))
        i = i &+ 16
    }
    if i &+ 8 <= count {
        a = _mm256_add_epi64(a, masses(weights(_mm256_loadu_ps(x + i), largest, factor)))
        i = i &+ 8
    }
    return total(_mm256_add_epi64(a, b), vectors: i / 8) &+ rest(x + i, count: count &- i, from: -.infinity, largest, factor)
}

package func avx2Weights(
    _ x: UnsafePointer<Float>, count: Int, below largest: Float, factor: Float, into out: UnsafeMutablePointer<Float>
) {
    let largest = _mm256_set1_ps(largest), factor = _mm256_set1_ps(factor)
    var i = 0
    while i &+ 8 <= count {
        _mm256_storeu_ps(out + i, weights(_mm256_loadu_ps(x + i), largest, factor))
        i = i &+ 8
    }
    while i < count {
        out[i] = weights(_mm256_set1_ps(x[i]), largest, factor)[0]
        i = i &+ 1
    }
}

package func avx2CutMasses(
    _ x: UnsafePointer<Float>, ids: UnsafePointer<Int32>?, first: Int32, count: Int, below largest: Float, factor: Float,
    lower: Float, upper: Float,
    into values: UnsafeMutablePointer<Float>, _ outIDs: UnsafeMutablePointer<Int32>
) -> (above: UInt64, collected: Int) {
    let largest = _mm256_set1_ps(largest), factor = _mm256_set1_ps(factor)
    // The sign of the difference tells; minus zero in place of zero, since (-0) - 0 would have a sign.
    let low = _mm256_set1_ps(lower == 0 ? -0.0 : lower), high = _mm256_set1_ps(upper == 0 ? -0.0 : upper)
    let table = places
    var sum = _mm256_setzero_si256()
    var vectors = 0, collected = 0, i = 0
    var id = _mm256_add_epi32(_mm256_set1_epi32(first), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7))
    while i &+ 8 <= count {
        let v = _mm256_loadu_ps(x + i)
        let below = _mm256_sub_ps(v, high)
        let belowMask = _mm256_movemask_ps(below)
        if belowMask != 0xFF {
            sum = _mm256_add_epi64(sum, masses(_mm256_blendv_ps(weights(v, largest, factor), _mm256_setzero_ps(), below)))
            vectors = vectors &+ 1
        }
        let wanted = belowMask & ~_mm256_movemask_ps(_mm256_sub_ps(v, low))
        if wanted != 0 {
            // The wanted lanes to the front; what the others leave behind is written over.
            let order = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(Int64(bitPattern: table[Int(wanted)])))
            let vectorIDs = ids.map { _mm256_loadu_si256(UnsafeRawPointer($0 + i).assumingMemoryBound(to: __m256i.self)) } ?? id
            _mm256_storeu_ps(values + collected, _mm256_permutevar8x32_ps(v, order))
            _mm256_storeu_si256(
                UnsafeMutableRawPointer(outIDs + collected).assumingMemoryBound(to: __m256i.self),
                _mm256_permutevar8x32_epi32(vectorIDs, order))
            collected = collected &+ wanted.nonzeroBitCount
        }
        id = _mm256_add_epi32(id, _mm256_set1_epi32(8))
        i = i &+ 8
    }
    let above = total(sum, vectors: vectors) &+ rest(x + i, count: count &- i, from: upper, largest, factor)
    while i < count {
        if x[i] >= lower && x[i] < upper {
            values[collected] = x[i]
            outIDs[collected] = ids?[i] ?? first &+ Int32(truncatingIfNeeded: i)
            collected = collected &+ 1
        }
        i = i &+ 1
    }
    return (above, collected)
}

/// Masses of eight weights, pairs added.
@inline(__always)
private func masses(_ w: __m256) -> __m256i {
    let units = _mm256_set1_pd(1536)
    let low = _mm256_add_pd(_mm256_cvtps_pd(w.lowHalf), units), high = _mm256_add_pd(_mm256_cvtps_pd(w.highHalf), units)
    return _mm256_add_epi64(_mm256_castpd_si256(low), _mm256_castpd_si256(high))
}

@inline(__always)
private func total(_ sum: __m256i, vectors: Int) -> UInt64 {
    unsafeBitCast(sum, to: SIMD4<UInt64>.self).wrappedSum() &- UInt64(truncatingIfNeeded: 8 &* vectors) &* (1536.0).bitPattern
}

/// The masses of the last few numbers, those of at least `least`.
@inline(__always)
private func rest(_ x: UnsafePointer<Float>, count: Int, from least: Float, _ largest: __m256, _ factor: __m256) -> UInt64 {
    var sum: UInt64 = 0
    for i in 0..<count where x[i] >= least {
        sum = sum &+ (Double(weights(_mm256_set1_ps(x[i]), largest, factor)[0]) + 1536).bitPattern &- (1536.0).bitPattern
    }
    return sum
}

/// For each of the 256 sets of eight lanes, the lanes in it from the lowest on, a byte each. Made once and kept.
nonisolated(unsafe) private let places: UnsafePointer<UInt64> = {
    let table = UnsafeMutablePointer<UInt64>.allocate(capacity: 256)
    for set in 0..<256 {
        var (places, found) = (UInt64(0), UInt64(0))
        for lane in 0..<8 as Range<UInt64> where set >> Int(lane) & 1 == 1 {
            places |= lane << (8 * found)
            found += 1
        }
        table[set] = places
    }
    return UnsafePointer(table)
}()
