#if arch(x86_64)
internal import CIntrinsics
package import HearthKernelTypes

// The AVX2 set's products of many tokens on processors with AVX-512 VNNI: 16 rows x 8 tokens at a time. `vpdpbusd` adds
// four products of unsigned and signed bytes to 32 bits, so nothing is widened, and one broadcast operand serves 16 rows.
// The integer sums are exact and Float32 takes the same steps as in the AVX2 kernels: the bits are the same.
//
// What bounds it: instructions of the two multipliers, of which a Zen 4 starts one of 512 bits a cycle. For 16 rows x 8 tokens x
// 32 columns (4,096 products) there are 64 `vpdpbusd` and, for each token, one multiplication and one FMA (Q8_0, Q4_0, Q5_0: 80 in all), an
// FMA more for a minimum (Q4_1, Q5_1, Q4_K, Q5_K: 88) or a multiplication and an FMA more for halves (Q6_K, Q3_K: 96; Q2_K 120). Measured
// alone: 1 to 2 percent more cycles than that. Loads (72 and 24), conversions and the loop fit beside them.

/// `out[t * stride + row] = w[row] . x[t]` for 16 rows of `blocks` blocks of 32 columns, of which the panel (`avx2UnpackWide`) holds
/// `count` from block `first` on; where that is not 0, what the output holds goes on. `out` is the first row's place, `rows` how
/// many of the 16 there are.
///
/// What is unpacked next, `aheadBytes` at `ahead` and as many `groupBytes` on, is asked for meanwhile, some lines for every eight
/// tokens: unpacking from memory takes four times as long as from a cache (14 and 55 weights a nanosecond), which is 3 to 4 % of
/// a product.
package func vnniTiles(
    _ type: ElementType, _ panel: UnsafeRawPointer, _ x: ProductInput, blocks: Int, first panelBlock: Int, count: Int, rows: Int,
    ahead: UnsafeRawPointer, aheadBytes: Int, groupBytes: Int, into out: UnsafeMutablePointer<Float>, stride: Int
) {
    let mask: UInt16 = rows >= 16 ? 0xffff : 1 << UInt16(rows) &- 1
    let blockBytes =
        switch type {
        case .q6_k, .q3_k: 704
        case .q2_k: 832
        case .q4_0, .q5_0, .q8_0, .iq4_nl, .iq4_xs, .mxfp4: 576
        default: 640
        }
    let steps = (count + 23) / 24 * ((x.tokens + 7) / 8)
    let aheadStep = (aheadBytes + steps - 1) / steps
    var (aheadLine, aheadEnd) = (0, 0)
    // Columns by blocks of 768: their part of the panel (14 to 20 KB) and of two tiles (12 KB) stay in the first-level cache
    // while all tokens pass. Sums wait in the output, which changes no bit.
    var first = panelBlock
    while first < panelBlock + count {
        let part = min(24, panelBlock + count - first)
        let p = unsafe panel + (first - panelBlock) * blockBytes
        var t = 0
        while t < x.tokens {
            let a = unsafe x.tiles + (t / 4 * blocks + first) * 256
            // With four tokens or fewer left, the second tile is the first once more, and is not stored.
            let left = x.tokens - t
            let b = unsafe left > 4 ? a + 256 * blocks : a
            let to = unsafe out + t * stride
            let goesOn = first > 0
            aheadEnd += aheadStep
            while aheadLine < aheadEnd {
                unsafe prefetch(ahead + aheadLine)
                unsafe prefetch(ahead + groupBytes + aheadLine)
                aheadLine += 64
            }
            switch type {
            case .q6_k, .q3_k: unsafe halvesTile(p, a, b, part, to, stride, mask, left, goesOn)
            case .q2_k: unsafe minimaTile(p, a, b, part, to, stride, mask, left, goesOn)
            case .q4_0, .q5_0, .q8_0, .iq4_nl, .iq4_xs, .mxfp4: unsafe bytesTile(p, a, b, part, to, stride, mask, left, goesOn)
            default: unsafe linearTile(p, a, b, part, to, stride, mask, left, goesOn)
            }
            t += 8
        }
        first += part
    }
}

@inline(__always)
private func vector(_ p: UnsafeRawPointer, _ at: Int) -> __m512i { unsafe _mm512_loadu_si512(p + at) }

@inline(__always)
private func floats(_ p: UnsafeRawPointer, _ at: Int) -> __m512 { unsafe _mm512_loadu_ps(p + at) }

/// Four bytes, sixteen times: an operand of the instruction that reads it.
@inline(__always)
private func broadcast(_ p: UnsafeRawPointer, _ at: Int) -> __m512i {
    unsafe _mm512_set1_epi32((p + at).assumingMemoryBound(to: Int32.self).pointee)
}

@inline(__always)
private func broadcastFloat(_ p: UnsafeRawPointer, _ at: Int) -> __m512 {
    unsafe _mm512_set1_ps((p + at).assumingMemoryBound(to: Float.self).pointee)
}

/// sum = fma(total x d, scale, sum).
@inline(__always)
private func scale(_ sum: inout __m512, _ total: __m512i, _ a: UnsafeRawPointer, _ t: Int, _ d: __m512) {
    unsafe sum = _mm512_fmadd_ps(_mm512_mul_ps(_mm512_cvtepi32_ps(total), broadcastFloat(a, 128 + 4 * t)), d, sum)
}

/// The same for halves with scales of their own: total = first half + second x its scale. Both are whole numbers below 2^24
/// (2 x 16 x 32 x 127 x 128), which Float32 holds: there is nothing to round.
@inline(__always)
private func scale(
    _ sum: inout __m512, _ first: __m512, _ second: __m512i, _ secondScale: __m512, _ a: UnsafeRawPointer, _ t: Int,
    _ d: __m512
) {
    let total = _mm512_fmadd_ps(_mm512_cvtepi32_ps(second), secondScale, first)
    unsafe sum = _mm512_fmadd_ps(_mm512_mul_ps(total, broadcastFloat(a, 128 + 4 * t)), d, sum)
}

/// Vectors `from..<end` of the panel times their quads of eight tokens.
@inline(__always)
private func quads(
    _ p: UnsafeRawPointer, _ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ from: Int, _ end: Int,
    _ i0: inout __m512i, _ i1: inout __m512i, _ i2: inout __m512i, _ i3: inout __m512i,
    _ i4: inout __m512i, _ i5: inout __m512i, _ i6: inout __m512i, _ i7: inout __m512i
) {
    for j in from..<end {
        let w = unsafe vector(p, 64 * j)
        unsafe i0 = _mm512_dpbusd_epi32(i0, w, broadcast(a, 16 * j))
        unsafe i1 = _mm512_dpbusd_epi32(i1, w, broadcast(a, 16 * j + 4))
        unsafe i2 = _mm512_dpbusd_epi32(i2, w, broadcast(a, 16 * j + 8))
        unsafe i3 = _mm512_dpbusd_epi32(i3, w, broadcast(a, 16 * j + 12))
        unsafe i4 = _mm512_dpbusd_epi32(i4, w, broadcast(b, 16 * j))
        unsafe i5 = _mm512_dpbusd_epi32(i5, w, broadcast(b, 16 * j + 4))
        unsafe i6 = _mm512_dpbusd_epi32(i6, w, broadcast(b, 16 * j + 8))
        unsafe i7 = _mm512_dpbusd_epi32(i7, w, broadcast(b, 16 * j + 12))
    }
}

/// One scale per 32 columns.
private func linearTile(
    _ panel: UnsafeRawPointer, _ tileA: UnsafeRawPointer, _ tileB: UnsafeRawPointer, _ blocks: Int,
    _ out: UnsafeMutablePointer<Float>, _ stride: Int, _ mask: UInt16, _ tokens: Int, _ goesOn: Bool
) {
    var (p, a, b) = unsafe (panel, tileA, tileB)
    let zero = _mm512_setzero_si512()
    var s0 = _mm512_setzero_ps(), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0
    if goesOn { unsafe resume(&s0, &s1, &s2, &s3, &s4, &s5, &s6, &s7, out, stride, mask, tokens) }
    for _ in 0..<blocks {
        var i0 = zero, i1 = zero, i2 = zero, i3 = zero, i4 = zero, i5 = zero, i6 = zero, i7 = zero
        unsafe quads(p, a, b, 0, 8, &i0, &i1, &i2, &i3, &i4, &i5, &i6, &i7)
        let (d, m) = unsafe (floats(p, 512), floats(p, 576))
        unsafe scale(&s0, i0, a, 0, d)
        unsafe scale(&s1, i1, a, 1, d)
        unsafe scale(&s2, i2, a, 2, d)
        unsafe scale(&s3, i3, a, 3, d)
        unsafe scale(&s4, i4, b, 0, d)
        unsafe scale(&s5, i5, b, 1, d)
        unsafe scale(&s6, i6, b, 2, d)
        unsafe scale(&s7, i7, b, 3, d)
        unsafe s0 = _mm512_fmadd_ps(m, broadcastFloat(a, 144), s0)
        unsafe s1 = _mm512_fmadd_ps(m, broadcastFloat(a, 148), s1)
        unsafe s2 = _mm512_fmadd_ps(m, broadcastFloat(a, 152), s2)
        unsafe s3 = _mm512_fmadd_ps(m, broadcastFloat(a, 156), s3)
        unsafe s4 = _mm512_fmadd_ps(m, broadcastFloat(b, 144), s4)
        unsafe s5 = _mm512_fmadd_ps(m, broadcastFloat(b, 148), s5)
        unsafe s6 = _mm512_fmadd_ps(m, broadcastFloat(b, 152), s6)
        unsafe s7 = _mm512_fmadd_ps(m, broadcastFloat(b, 156), s7)
        unsafe (p, a, b) = unsafe (p + 640, a + 256, b + 256)
    }
    unsafe store(s0, s1, s2, s3, s4, s5, s6, s7, out, stride, mask, tokens)
}

/// Q8_0, the types with a code book, Q4_0 and Q5_0.
private func bytesTile(
    _ panel: UnsafeRawPointer, _ tileA: UnsafeRawPointer, _ tileB: UnsafeRawPointer, _ blocks: Int,
    _ out: UnsafeMutablePointer<Float>, _ stride: Int, _ mask: UInt16, _ tokens: Int, _ goesOn: Bool
) {
    var (p, a, b) = unsafe (panel, tileA, tileB)
    var s0 = _mm512_setzero_ps(), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0
    if goesOn { unsafe resume(&s0, &s1, &s2, &s3, &s4, &s5, &s6, &s7, out, stride, mask, tokens) }
    for _ in 0..<blocks {
        // The offset of 128 is in the sums from the start.
        var i0 = unsafe broadcast(a, 240), i1 = unsafe broadcast(a, 244)
        var i2 = unsafe broadcast(a, 248), i3 = unsafe broadcast(a, 252)
        var i4 = unsafe broadcast(b, 240), i5 = unsafe broadcast(b, 244)
        var i6 = unsafe broadcast(b, 248), i7 = unsafe broadcast(b, 252)
        unsafe quads(p, a, b, 0, 8, &i0, &i1, &i2, &i3, &i4, &i5, &i6, &i7)
        let d = unsafe floats(p, 512)
        unsafe scale(&s0, i0, a, 0, d)
        unsafe scale(&s1, i1, a, 1, d)
        unsafe scale(&s2, i2, a, 2, d)
        unsafe scale(&s3, i3, a, 3, d)
        unsafe scale(&s4, i4, b, 0, d)
        unsafe scale(&s5, i5, b, 1, d)
        unsafe scale(&s6, i6, b, 2, d)
        unsafe scale(&s7, i7, b, 3, d)
        unsafe (p, a, b) = unsafe (p + 576, a + 256, b + 256)
    }
    unsafe store(s0, s1, s2, s3, s4, s5, s6, s7, out, stride, mask, tokens)
}

/// Q6_K and Q3_K: a scale per 16 columns; the offset of 32 is in the sums from the start.
private func halvesTile(
    _ panel: UnsafeRawPointer, _ tileA: UnsafeRawPointer, _ tileB: UnsafeRawPointer, _ blocks: Int,
    _ out: UnsafeMutablePointer<Float>, _ stride: Int, _ mask: UInt16, _ tokens: Int, _ goesOn: Bool
) {
    var (p, a, b) = unsafe (panel, tileA, tileB)
    var s0 = _mm512_setzero_ps(), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0
    if goesOn { unsafe resume(&s0, &s1, &s2, &s3, &s4, &s5, &s6, &s7, out, stride, mask, tokens) }
    for _ in 0..<blocks {
        var i0 = unsafe broadcast(a, 208), i1 = unsafe broadcast(a, 212)
        var i2 = unsafe broadcast(a, 216), i3 = unsafe broadcast(a, 220)
        var i4 = unsafe broadcast(b, 208), i5 = unsafe broadcast(b, 212)
        var i6 = unsafe broadcast(b, 216), i7 = unsafe broadcast(b, 220)
        unsafe quads(p, a, b, 0, 4, &i0, &i1, &i2, &i3, &i4, &i5, &i6, &i7)
        let first = unsafe floats(p, 576)
        let l0 = _mm512_mul_ps(_mm512_cvtepi32_ps(i0), first)
        let l1 = _mm512_mul_ps(_mm512_cvtepi32_ps(i1), first)
        let l2 = _mm512_mul_ps(_mm512_cvtepi32_ps(i2), first)
        let l3 = _mm512_mul_ps(_mm512_cvtepi32_ps(i3), first)
        let l4 = _mm512_mul_ps(_mm512_cvtepi32_ps(i4), first)
        let l5 = _mm512_mul_ps(_mm512_cvtepi32_ps(i5), first)
        let l6 = _mm512_mul_ps(_mm512_cvtepi32_ps(i6), first)
        let l7 = _mm512_mul_ps(_mm512_cvtepi32_ps(i7), first)
        (i0, i1, i2, i3) = unsafe (broadcast(a, 224), broadcast(a, 228), broadcast(a, 232), broadcast(a, 236))
        (i4, i5, i6, i7) = unsafe (broadcast(b, 224), broadcast(b, 228), broadcast(b, 232), broadcast(b, 236))
        unsafe quads(p, a, b, 4, 8, &i0, &i1, &i2, &i3, &i4, &i5, &i6, &i7)
        let (d, second) = unsafe (floats(p, 512), floats(p, 640))
        unsafe scale(&s0, l0, i0, second, a, 0, d)
        unsafe scale(&s1, l1, i1, second, a, 1, d)
        unsafe scale(&s2, l2, i2, second, a, 2, d)
        unsafe scale(&s3, l3, i3, second, a, 3, d)
        unsafe scale(&s4, l4, i4, second, b, 0, d)
        unsafe scale(&s5, l5, i5, second, b, 1, d)
        unsafe scale(&s6, l6, i6, second, b, 2, d)
        unsafe scale(&s7, l7, i7, second, b, 3, d)
        unsafe (p, a, b) = unsafe (p + 704, a + 256, b + 256)
    }
    unsafe store(s0, s1, s2, s3, s4, s5, s6, s7, out, stride, mask, tokens)
}

/// Q2_K: a scale and a minimum per 16 columns.
private func minimaTile(
    _ panel: UnsafeRawPointer, _ tileA: UnsafeRawPointer, _ tileB: UnsafeRawPointer, _ blocks: Int,
    _ out: UnsafeMutablePointer<Float>, _ stride: Int, _ mask: UInt16, _ tokens: Int, _ goesOn: Bool
) {
    var (p, a, b) = unsafe (panel, tileA, tileB)
    let zero = _mm512_setzero_si512()
    var s0 = _mm512_setzero_ps(), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0
    if goesOn { unsafe resume(&s0, &s1, &s2, &s3, &s4, &s5, &s6, &s7, out, stride, mask, tokens) }
    for _ in 0..<blocks {
        var i0 = zero, i1 = zero, i2 = zero, i3 = zero, i4 = zero, i5 = zero, i6 = zero, i7 = zero
        unsafe quads(p, a, b, 0, 4, &i0, &i1, &i2, &i3, &i4, &i5, &i6, &i7)
        let first = unsafe floats(p, 576)
        let l0 = _mm512_mul_ps(_mm512_cvtepi32_ps(i0), first)
        let l1 = _mm512_mul_ps(_mm512_cvtepi32_ps(i1), first)
        let l2 = _mm512_mul_ps(_mm512_cvtepi32_ps(i2), first)
        let l3 = _mm512_mul_ps(_mm512_cvtepi32_ps(i3), first)
        let l4 = _mm512_mul_ps(_mm512_cvtepi32_ps(i4), first)
        let l5 = _mm512_mul_ps(_mm512_cvtepi32_ps(i5), first)
        let l6 = _mm512_mul_ps(_mm512_cvtepi32_ps(i6), first)
        let l7 = _mm512_mul_ps(_mm512_cvtepi32_ps(i7), first)
        (i0, i1, i2, i3, i4, i5, i6, i7) = (zero, zero, zero, zero, zero, zero, zero, zero)
        unsafe quads(p, a, b, 4, 8, &i0, &i1, &i2, &i3, &i4, &i5, &i6, &i7)
        let (d, second, both) = unsafe (floats(p, 512), floats(p, 640), vector(p, 704))
        unsafe scale(&s0, l0, i0, second, a, 0, d)
        unsafe scale(&s1, l1, i1, second, a, 1, d)
        unsafe scale(&s2, l2, i2, second, a, 2, d)
        unsafe scale(&s3, l3, i3, second, a, 3, d)
        unsafe scale(&s4, l4, i4, second, b, 0, d)
        unsafe scale(&s5, l5, i5, second, b, 1, d)
        unsafe scale(&s6, l6, i6, second, b, 2, d)
        unsafe scale(&s7, l7, i7, second, b, 3, d)
        let below = unsafe floats(p, 768)
        unsafe scale(&s0, _mm512_dpwssd_epi32(zero, both, broadcast(a, 160)), a, 0, below)
        unsafe scale(&s1, _mm512_dpwssd_epi32(zero, both, broadcast(a, 164)), a, 1, below)
        unsafe scale(&s2, _mm512_dpwssd_epi32(zero, both, broadcast(a, 168)), a, 2, below)
        unsafe scale(&s3, _mm512_dpwssd_epi32(zero, both, broadcast(a, 172)), a, 3, below)
        unsafe scale(&s4, _mm512_dpwssd_epi32(zero, both, broadcast(b, 160)), b, 0, below)
        unsafe scale(&s5, _mm512_dpwssd_epi32(zero, both, broadcast(b, 164)), b, 1, below)
        unsafe scale(&s6, _mm512_dpwssd_epi32(zero, both, broadcast(b, 168)), b, 2, below)
        unsafe scale(&s7, _mm512_dpwssd_epi32(zero, both, broadcast(b, 172)), b, 3, below)
        unsafe (p, a, b) = unsafe (p + 832, a + 256, b + 256)
    }
    unsafe store(s0, s1, s2, s3, s4, s5, s6, s7, out, stride, mask, tokens)
}

/// Sums of up to eight tokens, `stride` floats apart.
@inline(__always)
private func store(
    _ s0: __m512, _ s1: __m512, _ s2: __m512, _ s3: __m512, _ s4: __m512, _ s5: __m512, _ s6: __m512, _ s7: __m512,
    _ out: UnsafeMutablePointer<Float>, _ stride: Int, _ mask: UInt16, _ tokens: Int
) {
    unsafe _mm512_mask_storeu_ps(out, mask, s0)
    if tokens > 1 { unsafe _mm512_mask_storeu_ps(out + stride, mask, s1) }
    if tokens > 2 { unsafe _mm512_mask_storeu_ps(out + 2 * stride, mask, s2) }
    if tokens > 3 { unsafe _mm512_mask_storeu_ps(out + 3 * stride, mask, s3) }
    if tokens > 4 { unsafe _mm512_mask_storeu_ps(out + 4 * stride, mask, s4) }
    if tokens > 5 { unsafe _mm512_mask_storeu_ps(out + 5 * stride, mask, s5) }
    if tokens > 6 { unsafe _mm512_mask_storeu_ps(out + 6 * stride, mask, s6) }
    if tokens > 7 { unsafe _mm512_mask_storeu_ps(out + 7 * stride, mask, s7) }
}

/// The sums that `store` left.
@inline(__always)
private func resume(
    _ s0: inout __m512, _ s1: inout __m512, _ s2: inout __m512, _ s3: inout __m512,
    _ s4: inout __m512, _ s5: inout __m512, _ s6: inout __m512, _ s7: inout __m512,
    _ out: UnsafeMutablePointer<Float>, _ stride: Int, _ mask: UInt16, _ tokens: Int
) {
    unsafe s0 = _mm512_maskz_loadu_ps(mask, out)
    if tokens > 1 { unsafe s1 = _mm512_maskz_loadu_ps(mask, out + stride) }
    if tokens > 2 { unsafe s2 = _mm512_maskz_loadu_ps(mask, out + 2 * stride) }
    if tokens > 3 { unsafe s3 = _mm512_maskz_loadu_ps(mask, out + 3 * stride) }
    if tokens > 4 { unsafe s4 = _mm512_maskz_loadu_ps(mask, out + 4 * stride) }
    if tokens > 5 { unsafe s5 = _mm512_maskz_loadu_ps(mask, out + 5 * stride) }
    if tokens > 6 { unsafe s6 = _mm512_maskz_loadu_ps(mask, out + 6 * stride) }
    if tokens > 7 { unsafe s7 = _mm512_maskz_loadu_ps(mask, out + 7 * stride) }
}
#endif
