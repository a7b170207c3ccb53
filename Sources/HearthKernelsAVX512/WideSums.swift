#if arch(x86_64)
internal import CIntrinsics

/// Registers of 16 sums: those of up to 12 rows by one vector, or 6 rows by four.
///
/// Sum `row * vectors + v` belongs to vector v of a row. `vectors` and `rows` are constants wherever this is used, so that what
/// is not asked for is no code. Of the 32 registers 24 are sums at most, four hold vectors and one a broadcast number.
struct WideSums {
    var s0 = _mm512_setzero_ps(), s1 = _mm512_setzero_ps(), s2 = _mm512_setzero_ps(), s3 = _mm512_setzero_ps()
    var s4 = _mm512_setzero_ps(), s5 = _mm512_setzero_ps(), s6 = _mm512_setzero_ps(), s7 = _mm512_setzero_ps()
    var s8 = _mm512_setzero_ps(), s9 = _mm512_setzero_ps(), s10 = _mm512_setzero_ps(), s11 = _mm512_setzero_ps()
    var s12 = _mm512_setzero_ps(), s13 = _mm512_setzero_ps(), s14 = _mm512_setzero_ps(), s15 = _mm512_setzero_ps()
    var s16 = _mm512_setzero_ps(), s17 = _mm512_setzero_ps(), s18 = _mm512_setzero_ps(), s19 = _mm512_setzero_ps()
    var s20 = _mm512_setzero_ps(), s21 = _mm512_setzero_ps(), s22 = _mm512_setzero_ps(), s23 = _mm512_setzero_ps()

    @inline(__always)
    init() {}

    /// sum[row][v] = fma(x[row * stride], v, sum[row][v])
    @inline(__always)
    mutating func add(
        _ vectors: Int, _ rows: Int, _ x: UnsafePointer<Float>, _ stride: Int,
        _ v0: __m512, _ v1: __m512, _ v2: __m512, _ v3: __m512
    ) {
        // Pointers three rows apart: a processor's address is one of them and once or twice the stride.
        let x3 = unsafe x + 3 * stride, x6 = unsafe x3 + 3 * stride, x9 = unsafe x6 + 3 * stride
        if vectors == 1 {
            unsafe one(&s0, x, v0)
            if rows > 1 { unsafe one(&s1, x + stride, v0) }
            if rows > 2 { unsafe one(&s2, x + 2 * stride, v0) }
            if rows > 3 { unsafe one(&s3, x3, v0) }
            if rows > 4 { unsafe one(&s4, x3 + stride, v0) }
            if rows > 5 { unsafe one(&s5, x3 + 2 * stride, v0) }
            if rows > 6 { unsafe one(&s6, x6, v0) }
            if rows > 7 { unsafe one(&s7, x6 + stride, v0) }
            if rows > 8 { unsafe one(&s8, x6 + 2 * stride, v0) }
            if rows > 9 { unsafe one(&s9, x9, v0) }
            if rows > 10 { unsafe one(&s10, x9 + stride, v0) }
            if rows > 11 { unsafe one(&s11, x9 + 2 * stride, v0) }
        } else {
            unsafe four(&s0, &s1, &s2, &s3, x, v0, v1, v2, v3)
            if rows > 1 { unsafe four(&s4, &s5, &s6, &s7, x + stride, v0, v1, v2, v3) }
            if rows > 2 { unsafe four(&s8, &s9, &s10, &s11, x + 2 * stride, v0, v1, v2, v3) }
            if rows > 3 { unsafe four(&s12, &s13, &s14, &s15, x3, v0, v1, v2, v3) }
            if rows > 4 { unsafe four(&s16, &s17, &s18, &s19, x3 + stride, v0, v1, v2, v3) }
            if rows > 5 { unsafe four(&s20, &s21, &s22, &s23, x3 + 2 * stride, v0, v1, v2, v3) }
        }
    }

    /// Row r's vector v to `out[r * stride + v * 16]`; of a single vector the lanes of `mask`.
    @inline(__always)
    func store(_ vectors: Int, _ rows: Int, _ out: UnsafeMutablePointer<Float>, _ stride: Int, _ mask: UInt16) {
        if vectors == 1 {
            unsafe _mm512_mask_storeu_ps(out, mask, s0)
            if rows > 1 { unsafe _mm512_mask_storeu_ps(out + stride, mask, s1) }
            if rows > 2 { unsafe _mm512_mask_storeu_ps(out + 2 * stride, mask, s2) }
            if rows > 3 { unsafe _mm512_mask_storeu_ps(out + 3 * stride, mask, s3) }
            if rows > 4 { unsafe _mm512_mask_storeu_ps(out + 4 * stride, mask, s4) }
            if rows > 5 { unsafe _mm512_mask_storeu_ps(out + 5 * stride, mask, s5) }
            if rows > 6 { unsafe _mm512_mask_storeu_ps(out + 6 * stride, mask, s6) }
            if rows > 7 { unsafe _mm512_mask_storeu_ps(out + 7 * stride, mask, s7) }
            if rows > 8 { unsafe _mm512_mask_storeu_ps(out + 8 * stride, mask, s8) }
            if rows > 9 { unsafe _mm512_mask_storeu_ps(out + 9 * stride, mask, s9) }
            if rows > 10 { unsafe _mm512_mask_storeu_ps(out + 10 * stride, mask, s10) }
            if rows > 11 { unsafe _mm512_mask_storeu_ps(out + 11 * stride, mask, s11) }
        } else {
            unsafe quad(out, s0, s1, s2, s3)
            if rows > 1 { unsafe quad(out + stride, s4, s5, s6, s7) }
            if rows > 2 { unsafe quad(out + 2 * stride, s8, s9, s10, s11) }
            if rows > 3 { unsafe quad(out + 3 * stride, s12, s13, s14, s15) }
            if rows > 4 { unsafe quad(out + 4 * stride, s16, s17, s18, s19) }
            if rows > 5 { unsafe quad(out + 5 * stride, s20, s21, s22, s23) }
        }
    }
}

@inline(__always)
private func broadcast(_ x: UnsafePointer<Float>) -> __m512 { unsafe _mm512_set1_ps(x.pointee) }

@inline(__always)
private func one(_ a: inout __m512, _ x: UnsafePointer<Float>, _ v: __m512) {
    unsafe a = _mm512_fmadd_ps(broadcast(x), v, a)
}

@inline(__always)
private func four(
    _ a: inout __m512, _ b: inout __m512, _ c: inout __m512, _ d: inout __m512, _ x: UnsafePointer<Float>,
    _ v0: __m512, _ v1: __m512, _ v2: __m512, _ v3: __m512
) {
    let w = unsafe broadcast(x)
    a = _mm512_fmadd_ps(w, v0, a)
    b = _mm512_fmadd_ps(w, v1, b)
    c = _mm512_fmadd_ps(w, v2, c)
    d = _mm512_fmadd_ps(w, v3, d)
}

@inline(__always)
private func quad(_ out: UnsafeMutablePointer<Float>, _ a: __m512, _ b: __m512, _ c: __m512, _ d: __m512) {
    unsafe _mm512_storeu_ps(out, a)
    unsafe _mm512_storeu_ps(out + 16, b)
    unsafe _mm512_storeu_ps(out + 32, c)
    unsafe _mm512_storeu_ps(out + 48, d)
}
#endif
