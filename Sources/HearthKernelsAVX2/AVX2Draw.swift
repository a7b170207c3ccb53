internal import CIntrinsics
package import HearthKernelTypes

// What a sampler asks of a vocabulary. Every function gives the bits of its portable twin, so that a seed gives the same token on
// every machine: no fused products here; sums are integers, in any order.

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

package func avx2Weights(
    _ x: UnsafePointer<Float>, count: Int, _ law: DrawLaw, into out: UnsafeMutablePointer<Float>
) {
    let largest = _mm256_set1_ps(law.largest), factor = _mm256_set1_ps(law.factor)
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

package func avx2Cut(_ cut: DrawCut) -> DrawSum {
    let (x, ids, count, values, outIDs) = (cut.x, cut.ids, cut.count, cut.outValues, cut.outIDs)
    let largest = _mm256_set1_ps(cut.law.largest), factor = _mm256_set1_ps(cut.law.factor)
    let least = border(cut.least), low = border(cut.lower), high = border(cut.upper)
    let table = places
    let ascending = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)
    var a = _mm256_setzero_si256(), b = a
    var pairs = 0, collected = 0, i = 0
    // Two at a time: one chain of products leaves the units idle. Where all count and none are collected nothing is compared.
    if cut.least == -Float.greatestFiniteMagnitude, cut.lower == Float.infinity {
        while i &+ 16 <= count {
            a = _mm256_add_epi64(a, masses(weights(_mm256_loadu_ps(x + i), largest, factor)))
            b = _mm256_add_epi64(b, masses(weights(_mm256_loadu_ps(x + i + 8), largest, factor)))
            pairs = pairs &+ 1
            i = i &+ 16
        }
    }
    while i &+ 16 <= count {
        let v = _mm256_loadu_ps(x + i), w = _mm256_loadu_ps(x + i + 8)
        // The sign of the difference tells what is below.
        let vBelow = _mm256_sub_ps(v, least), wBelow = _mm256_sub_ps(w, least)
        if _mm256_movemask_ps(_mm256_and_ps(vBelow, wBelow)) != 0xFF {
            a = _mm256_add_epi64(a, masses(_mm256_blendv_ps(weights(v, largest, factor), _mm256_setzero_ps(), vBelow)))
            b = _mm256_add_epi64(b, masses(_mm256_blendv_ps(weights(w, largest, factor), _mm256_setzero_ps(), wBelow)))
            pairs = pairs &+ 1
        }
        let vLow = _mm256_sub_ps(v, low), wLow = _mm256_sub_ps(w, low)
        if _mm256_movemask_ps(_mm256_and_ps(vLow, wLow)) != 0xFF {
            collect(v, vLow, i)
            collect(w, wLow, i &+ 8)
        }
        i = i &+ 16
    }
    @inline(__always)
    func collect(_ v: __m256, _ belowLow: __m256, _ i: Int) {
        let wanted = _mm256_movemask_ps(_mm256_andnot_ps(belowLow, _mm256_sub_ps(v, high)))
        if wanted == 0 { return }
        // The wanted lanes to the front; what the others leave behind is written over.
        let order = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128(Int64(bitPattern: table[Int(wanted)])))
        let id = ids.map { _mm256_loadu_si256(UnsafeRawPointer($0 + i).assumingMemoryBound(to: __m256i.self)) }
            ?? _mm256_add_epi32(_mm256_set1_epi32(cut.first &+ Int32(truncatingIfNeeded: i)), ascending)
        _mm256_storeu_ps(values! + collected, _mm256_permutevar8x32_ps(v, order))
        _mm256_storeu_si256(
            UnsafeMutableRawPointer(outIDs! + collected).assumingMemoryBound(to: __m256i.self),
            _mm256_permutevar8x32_epi32(id, order))
        collected = collected &+ wanted.nonzeroBitCount
    }
    var mass = unsafeBitCast(_mm256_add_epi64(a, b), to: SIMD4<UInt64>.self).wrappedSum()
        &- UInt64(truncatingIfNeeded: 16 &* pairs) &* (1536.0).bitPattern
    while i < count {
        let value = x[i]
        if value >= cut.least {
            let weight = weights(_mm256_set1_ps(value), largest, factor)[0]
            mass = mass &+ (Double(weight) + 1536).bitPattern &- (1536.0).bitPattern
        }
        if value >= cut.lower && value < cut.upper {
            values![collected] = value
            outIDs![collected] = ids?[i] ?? cut.first &+ Int32(truncatingIfNeeded: i)
            collected = collected &+ 1
        }
        i = i &+ 1
    }
    return DrawSum(mass: mass, collected: collected)
}

/// What a number is below where their difference has a sign: minus zero in place of zero, since (-0) - 0 would have one.
@inline(__always)
private func border(_ value: Float) -> __m256 { _mm256_set1_ps(value == 0 ? -0.0 : value) }

/// Masses of eight weights, pairs added, each with the bits of 1.5 * 2^10.
@inline(__always)
private func masses(_ w: __m256) -> __m256i {
    let units = _mm256_set1_pd(1536)
    let low = _mm256_add_pd(_mm256_cvtps_pd(w.lowHalf), units), high = _mm256_add_pd(_mm256_cvtps_pd(w.highHalf), units)
    return _mm256_add_epi64(_mm256_castpd_si256(low), _mm256_castpd_si256(high))
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
