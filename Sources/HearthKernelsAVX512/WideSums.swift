#if arch(x86_64)
internal import CIntrinsics

/// Twelve registers of 16 sums: those of up to 12 rows by one vector, 6 rows by two vectors or 3 rows by four.
///
/// Sum `row * vectors + v` belongs to vector v of a row. `vectors` and `rows` are constants wherever this is used, so that what
/// is not asked for is no code.
struct WideSums {
    var s0 = _mm512_setzero_ps(), s1 = _mm512_setzero_ps(), s2 = _mm512_setzero_ps(), s3 = _mm512_setzero_ps()
    var s4 = _mm512_setzero_ps(), s5 = _mm512_setzero_ps(), s6 = _mm512_setzero_ps(), s7 = _mm512_setzero_ps()
    var s8 = _mm512_setzero_ps(), s9 = _mm512_setzero_ps(), s10 = _mm512_setzero_ps(), s11 = _mm512_setzero_ps()

    @inline(__always)
    init() {}

    /// sum[row][v] = fma(x[row * stride], v, sum[row][v])
    @inline(__always)
    mutating func add(
        _ vectors: Int, _ rows: Int, _ x: UnsafePointer<Float>, _ stride: Int,
        _ v0: __m512, _ v1: __m512, _ v2: __m512, _ v3: __m512
    ) {
        if vectors == 1 {
            // Four pointers three rows apart: a processor's address is one of them and once or twice the stride.
            unsafe three(&s0, &s1, &s2, rows, x, stride, v0)
            if rows > 3 { unsafe three(&s3, &s4, &s5, rows - 3, x + 3 * stride, stride, v0) }
            if rows > 6 { unsafe three(&s6, &s7, &s8, rows - 6, x + 6 * stride, stride, v0) }
            if rows > 9 { unsafe three(&s9, &s10, &s11, rows - 9, x + 9 * stride, stride, v0) }
        } else if vectors == 2 {
            unsafe two(&s0, &s1, x, v0, v1)
            if rows > 1 { unsafe two(&s2, &s3, x + stride, v0, v1) }
            if rows > 2 { unsafe two(&s4, &s5, x + 2 * stride, v0, v1) }
            if rows > 3 { unsafe two(&s6, &s7, x + 3 * stride, v0, v1) }
            if rows > 4 { unsafe two(&s8, &s9, x + 4 * stride, v0, v1) }
            if rows > 5 { unsafe two(&s10, &s11, x + 5 * stride, v0, v1) }
        } else {
            unsafe four(&s0, &s1, &s2, &s3, x, v0, v1, v2, v3)
            if rows > 1 { unsafe four(&s4, &s5, &s6, &s7, x + stride, v0, v1, v2, v3) }
            if rows > 2 { unsafe four(&s8, &s9, &s10, &s11, x + 2 * stride, v0, v1, v2, v3) }
        }
    }

    /// Row r's vector v to `out[r * stride + v * 16]`; of the last vector the lanes of `mask`.
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
        } else if vectors == 2 {
            unsafe pair(out, s0, s1)
            if rows > 1 { unsafe pair(out + stride, s2, s3) }
            if rows > 2 { unsafe pair(out + 2 * stride, s4, s5) }
            if rows > 3 { unsafe pair(out + 3 * stride, s6, s7) }
            if rows > 4 { unsafe pair(out + 4 * stride, s8, s9) }
            if rows > 5 { unsafe pair(out + 5 * stride, s10, s11) }
        } else {
            unsafe pair(out, s0, s1)
            unsafe pair(out + 32, s2, s3)
            if rows > 1 {
                unsafe pair(out + stride, s4, s5)
                unsafe pair(out + (stride + 32), s6, s7)
            }
            if rows > 2 {
                unsafe pair(out + 2 * stride, s8, s9)
                unsafe pair(out + (2 * stride + 32), s10, s11)
            }
        }
    }
}

@inline(__always)
private func broadcast(_ x: UnsafePointer<Float>) -> __m512 { unsafe _mm512_set1_ps(x.pointee) }

/// Up to three rows.
@inline(__always)
private func three(
    _ a: inout __m512, _ b: inout __m512, _ c: inout __m512, _ rows: Int, _ x: UnsafePointer<Float>, _ stride: Int, _ v: __m512
) {
    unsafe a = _mm512_fmadd_ps(broadcast(x), v, a)
    if rows > 1 { unsafe b = _mm512_fmadd_ps(broadcast(x + stride), v, b) }
    if rows > 2 { unsafe c = _mm512_fmadd_ps(broadcast(x + 2 * stride), v, c) }
}

/// Two vectors of a row.
@inline(__always)
private func two(_ a: inout __m512, _ b: inout __m512, _ x: UnsafePointer<Float>, _ v0: __m512, _ v1: __m512) {
    let w = unsafe broadcast(x)
    a = _mm512_fmadd_ps(w, v0, a)
    b = _mm512_fmadd_ps(w, v1, b)
}

/// Four vectors of a row.
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
private func pair(_ out: UnsafeMutablePointer<Float>, _ a: __m512, _ b: __m512) {
    unsafe _mm512_storeu_ps(out, a)
    unsafe _mm512_storeu_ps(out + 16, b)
}
#endif
