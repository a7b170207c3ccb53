#if arch(x86_64)
internal import CIntrinsics
package import HearthKernelTypes

/// The AVX2 set's pass of a sampler, 16 numbers at a time: the same steps in each lane, and so the same bits.
package func avx512Cut(_ cut: DrawCut) -> DrawSum {
    let (x, ids, count, values, outIDs) = (cut.x, cut.ids, cut.count, cut.outValues, cut.outIDs)
    let largest = _mm512_set1_ps(cut.law.largest), factor = _mm512_set1_ps(cut.law.factor)
    let least = _mm512_set1_ps(cut.least), low = _mm512_set1_ps(cut.lower), high = _mm512_set1_ps(cut.upper)
    var a = _mm512_setzero_si512(), b = a
    var pairs = 0, collected = 0, i = 0
    // Two at a time: one chain of products leaves the units idle.
    while i < count {
        let v = load(i), w = load(i &+ 16)
        let vCounted = lanes(v .>= least), wCounted = lanes(w .>= least)
        if vCounted | wCounted != 0 {
            a = _mm512_add_epi64(a, masses(weights(v, largest, factor, vCounted)))
            b = _mm512_add_epi64(b, masses(weights(w, largest, factor, wCounted)))
            pairs = pairs &+ 1
        }
        let vHigh = lanes(v .>= low), wHigh = lanes(w .>= low)
        if vHigh | wHigh != 0 {
            collect(v, vHigh, i)
            collect(w, wHigh, i &+ 16)
        }
        i = i &+ 32
    }
    /// Minus infinity after the last one: neither counted nor wanted.
    @inline(__always)
    func load(_ i: Int) -> __m512 {
        let left = count &- i
        return left >= 16 ? _mm512_loadu_ps(x + i) : _mm512_mask_loadu_ps(_mm512_set1_ps(-Float.infinity), lanes(max(left, 0)), x + i)
    }
    @inline(__always)
    func collect(_ v: __m512, _ isHigh: UInt16, _ i: Int) {
        let wanted = isHigh & lanes(v .< high)
        if wanted == 0 { return }
        let found = wanted.nonzeroBitCount
        let id = ids.map { _mm512_maskz_loadu_epi32(wanted, $0 + i) }
            ?? _mm512_add_epi32(_mm512_set1_epi32(cut.first &+ Int32(truncatingIfNeeded: i)), ascending)
        // Moved to the front and then stored, since some processors take hundreds of cycles for both at once.
        _mm512_mask_storeu_ps(values! + collected, lanes(found), _mm512_maskz_compress_ps(wanted, v))
        _mm512_mask_storeu_epi32(outIDs! + collected, lanes(found), _mm512_maskz_compress_epi32(wanted, id))
        collected = collected &+ found
    }
    let mass = unsafeBitCast(_mm512_add_epi64(a, b), to: SIMD8<UInt64>.self).wrappedSum()
        &- UInt64(truncatingIfNeeded: 32 &* pairs) &* unit.bitPattern
    return DrawSum(mass: mass, collected: collected)
}

private var ascending: __m512i {
    unsafeBitCast(SIMD16<Int32>(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15), to: __m512i.self)
}

/// The first `count` lanes, up to 16.
@inline(__always)
private func lanes(_ count: Int) -> UInt16 { UInt16(truncatingIfNeeded: (1 &<< count) &- 1) }

/// One comparison into a mask, once compiled.
@inline(__always)
private func lanes(_ mask: SIMDMask<SIMD16<Int32>>) -> UInt16 {
    let bits = unsafeBitCast(mask, to: __m512i.self)
    return _mm512_test_epi32_mask(bits, bits)
}

/// As the weights of `PortableMass` (see there for the reasons); 0 in lanes that do not count.
@inline(__always)
private func weights(_ x: __m512, _ largest: __m512, _ factor: __m512, _ counted: UInt16) -> __m512 {
    let t = _mm512_max_ps(_mm512_mul_ps(_mm512_sub_ps(x, largest), factor), _mm512_set1_ps(-60))
    let magic = _mm512_set1_ps(12582912)
    let shifted = _mm512_add_ps(t, magic)
    let f = _mm512_sub_ps(t, _mm512_sub_ps(shifted, magic))
    let square = _mm512_mul_ps(f, f)
    let first = _mm512_add_ps(_mm512_mul_ps(f, _mm512_set1_ps(0.6931472)), _mm512_set1_ps(1))
    let second = _mm512_add_ps(_mm512_mul_ps(f, _mm512_set1_ps(0.055503325)), _mm512_set1_ps(0.24022648))
    let third = _mm512_add_ps(
        _mm512_add_ps(_mm512_mul_ps(f, _mm512_set1_ps(0.0013398874)), _mm512_set1_ps(0.0096184375)),
        _mm512_mul_ps(square, _mm512_set1_ps(0.00015353326)))
    let p = _mm512_add_ps(first, _mm512_mul_ps(square, _mm512_add_ps(second, _mm512_mul_ps(square, third))))
    return _mm512_castsi512_ps(
        _mm512_maskz_add_epi32(counted, _mm512_castps_si512(p), _mm512_slli_epi32(_mm512_castps_si512(shifted), 23)))
}

/// Masses of 16 weights, pairs added, each with the bits of `unit`.
///
/// A Float's bits, shifted to where a Double has them, are the weight times 2^-896: `unit` is so much smaller than 1.5 * 2^10 too,
/// and the sum has the bits that a conversion would have given. Here it is faster than one.
@inline(__always)
private func masses(_ w: __m512) -> __m512i {
    let bits = _mm512_castps_si512(w), place = _mm512_set1_epi64(0x1FFF_FFFF_E000_0000)
    let even = _mm512_and_si512(_mm512_slli_epi64(bits, 29), place), odd = _mm512_and_si512(_mm512_srli_epi64(bits, 3), place)
    let units = _mm512_set1_pd(unit)
    return _mm512_add_epi64(
        _mm512_castpd_si512(_mm512_add_pd(_mm512_castsi512_pd(even), units)),
        _mm512_castpd_si512(_mm512_add_pd(_mm512_castsi512_pd(odd), units)))
}

private var unit: Double { 1536 * 0x1p-896 }
#endif
