#if arch(x86_64)
internal import CIntrinsics
package import HearthKernelTypes

// The AVX2 set's products of many tokens with float weights, 16 rows x 12 tokens at a time. Each lane is a row and takes the steps
// of the AVX2 kernels: sum[r] = fma(w[r, k], x[k], sum[r]) for k in order.
//
// What bounds it: 12 FMAs of 512 bits a column for 192 products, of which a Zen 4 starts one a cycle (as it starts two of 256
// bits); one load of weights and 12 operands of four bytes fit beside them.

/// `tokens` rows of `values` (`stride` floats apart) as one tile of 12: `[columns][12]`. Read in place, the rows of a model whose width
/// is a power of two would all fall on the same lines of the first-level cache. Rows that are not there repeat the first one.
package func wideFloatPack(
    _ values: UnsafePointer<Float>, stride: Int, columns: Int, tokens: Int, into tile: UnsafeMutablePointer<Float>
) {
    for t in Swift.stride(from: 0, to: 12, by: 4) {
        let x0 = unsafe values + (t < tokens ? t : 0) * stride
        let x1 = unsafe values + (t + 1 < tokens ? t + 1 : 0) * stride
        let x2 = unsafe values + (t + 2 < tokens ? t + 2 : 0) * stride
        let x3 = unsafe values + (t + 3 < tokens ? t + 3 : 0) * stride
        var out = unsafe tile + t
        var k = 0
        while k + 4 <= columns {
            let (r0, r1, r2, r3) = unsafe (
                _mm_loadu_ps(x0 + k), _mm_loadu_ps(x1 + k), _mm_loadu_ps(x2 + k), _mm_loadu_ps(x3 + k)
            )
            let (a, b) = (_mm_unpacklo_ps(r0, r1), _mm_unpackhi_ps(r0, r1))
            let (c, d) = (_mm_unpacklo_ps(r2, r3), _mm_unpackhi_ps(r2, r3))
            unsafe _mm_storeu_ps(out, _mm_movelh_ps(a, c))
            unsafe _mm_storeu_ps(out + 12, _mm_movehl_ps(c, a))
            unsafe _mm_storeu_ps(out + 24, _mm_movelh_ps(b, d))
            unsafe _mm_storeu_ps(out + 36, _mm_movehl_ps(d, b))
            unsafe out += 48
            k += 4
        }
        while k < columns {
            unsafe (out[0], out[1], out[2], out[3]) = unsafe (x0[k], x1[k], x2[k], x3[k])
            unsafe out += 12
            k += 1
        }
    }
}

/// Two groups of 8 rows as Float32: `[columns][16]`. `group` and `next` are their first columns, `step` and `nextStep` the bytes
/// from one column to the next.
package func wideFloatPanel(
    _ type: ElementType, _ group: UnsafeRawPointer, step: Int, _ next: UnsafeRawPointer, nextStep: Int, columns: Int,
    into panel: UnsafeMutablePointer<Float>
) {
    var (p, q, to) = unsafe (group, next, panel)
    for _ in 0..<columns {
        switch type {
        case .f32:
            unsafe _mm256_storeu_ps(to, _mm256_loadu_ps(p.assumingMemoryBound(to: Float.self)))
            unsafe _mm256_storeu_ps(to + 8, _mm256_loadu_ps(q.assumingMemoryBound(to: Float.self)))
        case .f16:
            unsafe _mm256_storeu_ps(to, _mm256_cvtph_ps(words(p)))
            unsafe _mm256_storeu_ps(to + 8, _mm256_cvtph_ps(words(q)))
        default:
            unsafe _mm256_storeu_ps(to, brain(words(p)))
            unsafe _mm256_storeu_ps(to + 8, brain(words(q)))
        }
        unsafe (p, q, to) = unsafe (p + step, q + nextStep, to + 16)
    }
}

@inline(__always)
private func words(_ p: UnsafeRawPointer) -> __m128i { unsafe _mm_loadu_si128(p.assumingMemoryBound(to: __m128i.self)) }

/// BF16: the upper half of a Float32.
@inline(__always)
private func brain(_ x: __m128i) -> __m256 {
    unsafe unsafeBitCast(_mm256_slli_epi32(_mm256_cvtepu16_epi32(x), 16), to: __m256.self)
}

/// `out[t * stride + row] = w[row] . x[t]` for the 16 rows of a panel; `out` is the first row's place, `rows` how many of the 16
/// there are, `tiles` those of `tokens` tokens one after the other.
package func wideFloatTiles(
    _ panel: UnsafePointer<Float>, _ tiles: UnsafePointer<Float>, tokens: Int, columns: Int, rows: Int,
    into out: UnsafeMutablePointer<Float>, stride: Int
) {
    let mask: UInt16 = rows >= 16 ? 0xffff : 1 << UInt16(rows) &- 1
    // Columns by blocks of 192: their part of the panel (12 KB) and of a tile (9 KB) stay in the first-level cache while all
    // tokens pass. Sums wait in the output, which changes no bit.
    var first = 0
    while first < columns {
        let count = min(192, columns - first)
        var t = 0
        while t < tokens {
            unsafe floatTile(
                panel + 16 * first, tiles + t * columns + 12 * first, count, out + t * stride, stride, mask, tokens - t,
                goesOn: first > 0)
            t += 12
        }
        first += count
    }
}

private func floatTile(
    _ panel: UnsafePointer<Float>, _ tile: UnsafePointer<Float>, _ columns: Int, _ out: UnsafeMutablePointer<Float>,
    _ stride: Int, _ mask: UInt16, _ tokens: Int, goesOn: Bool
) {
    var s0 = _mm512_setzero_ps(), s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0
    var s6 = s0, s7 = s0, s8 = s0, s9 = s0, s10 = s0, s11 = s0
    if goesOn {
        unsafe resume(&s0, &s1, &s2, &s3, out, stride, mask, tokens)
        unsafe resume(&s4, &s5, &s6, &s7, out + 4 * stride, stride, mask, tokens - 4)
        unsafe resume(&s8, &s9, &s10, &s11, out + 8 * stride, stride, mask, tokens - 8)
    }
    var (p, a) = unsafe (panel, tile)
    for _ in 0..<columns {
        let w = unsafe _mm512_loadu_ps(p)
        unsafe s0 = _mm512_fmadd_ps(w, _mm512_set1_ps(a[0]), s0)
        unsafe s1 = _mm512_fmadd_ps(w, _mm512_set1_ps(a[1]), s1)
        unsafe s2 = _mm512_fmadd_ps(w, _mm512_set1_ps(a[2]), s2)
        unsafe s3 = _mm512_fmadd_ps(w, _mm512_set1_ps(a[3]), s3)
        unsafe s4 = _mm512_fmadd_ps(w, _mm512_set1_ps(a[4]), s4)
        unsafe s5 = _mm512_fmadd_ps(w, _mm512_set1_ps(a[5]), s5)
        unsafe s6 = _mm512_fmadd_ps(w, _mm512_set1_ps(a[6]), s6)
        unsafe s7 = _mm512_fmadd_ps(w, _mm512_set1_ps(a[7]), s7)
        unsafe s8 = _mm512_fmadd_ps(w, _mm512_set1_ps(a[8]), s8)
        unsafe s9 = _mm512_fmadd_ps(w, _mm512_set1_ps(a[9]), s9)
        unsafe s10 = _mm512_fmadd_ps(w, _mm512_set1_ps(a[10]), s10)
        unsafe s11 = _mm512_fmadd_ps(w, _mm512_set1_ps(a[11]), s11)
        unsafe (p, a) = unsafe (p + 16, a + 12)
    }
    unsafe store(s0, s1, s2, s3, out, stride, mask, tokens)
    unsafe store(s4, s5, s6, s7, out + 4 * stride, stride, mask, tokens - 4)
    unsafe store(s8, s9, s10, s11, out + 8 * stride, stride, mask, tokens - 8)
}

/// Sums of up to four tokens, `stride` floats apart.
@inline(__always)
private func store(
    _ s0: __m512, _ s1: __m512, _ s2: __m512, _ s3: __m512, _ out: UnsafeMutablePointer<Float>, _ stride: Int,
    _ mask: UInt16, _ tokens: Int
) {
    // A masked store takes several times as long as a whole one.
    if mask == 0xffff, tokens > 3 {
        unsafe _mm512_storeu_ps(out, s0)
        unsafe _mm512_storeu_ps(out + stride, s1)
        unsafe _mm512_storeu_ps(out + 2 * stride, s2)
        unsafe _mm512_storeu_ps(out + 3 * stride, s3)
        return
    }
    if tokens > 0 { unsafe _mm512_mask_storeu_ps(out, mask, s0) }
    if tokens > 1 { unsafe _mm512_mask_storeu_ps(out + stride, mask, s1) }
    if tokens > 2 { unsafe _mm512_mask_storeu_ps(out + 2 * stride, mask, s2) }
    if tokens > 3 { unsafe _mm512_mask_storeu_ps(out + 3 * stride, mask, s3) }
}

/// The sums that `store` left.
@inline(__always)
private func resume(
    _ s0: inout __m512, _ s1: inout __m512, _ s2: inout __m512, _ s3: inout __m512,
    _ out: UnsafeMutablePointer<Float>, _ stride: Int, _ mask: UInt16, _ tokens: Int
) {
    if tokens > 0 { unsafe s0 = _mm512_maskz_loadu_ps(mask, out) }
    if tokens > 1 { unsafe s1 = _mm512_maskz_loadu_ps(mask, out + stride) }
    if tokens > 2 { unsafe s2 = _mm512_maskz_loadu_ps(mask, out + 2 * stride) }
    if tokens > 3 { unsafe s3 = _mm512_maskz_loadu_ps(mask, out + 3 * stride) }
}
#endif
