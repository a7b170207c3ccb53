#if arch(x86_64)
internal import CIntrinsics
package import HearthKernelTypes

// One token: every weight is read once, straight from the layout. For row r and the blocks b of 32 columns in order:
//   sum[r] = fma(Float(integer sum) x d[b], scale[r, b], sum[r]), then, where the format has a minimum,
//   fma(offset[r, b], d[b] x sum of a, sum[r])
// in exactly the steps of the tile kernels (Tiles.swift), so that both give the same bits.

/// `out[row] = w[row] . x` for the rows of the slice's groups; `out` is row 0's place.
package func avx2OneToken(_ w: MatrixSlice, _ x: ProductInput, into out: UnsafeMutablePointer<Float>) {
    switch w.type {
    case .q4_0: unsafe oneTokenQ4_0(w, x, out)
    case .q4_1: unsafe oneTokenQ4_1(w, x, out)
    case .q5_0: unsafe oneTokenQ5_0(w, x, out)
    case .q5_1: unsafe oneTokenQ5_1(w, x, out)
    case .q4_k: unsafe oneTokenQ4_K(w, x, out)
    case .q5_k: unsafe oneTokenQ5_K(w, x, out)
    case .q6_k: unsafe oneTokenQ6_K(w, x, out)
    case .q3_k: unsafe oneTokenQ3_K(w, x, out)
    case .q2_k: unsafe oneTokenQ2_K(w, x, out)
    case .q8_0: unsafe oneTokenQ8_0(w, x, out)
    case .iq4_nl: unsafe oneTokenIQ4_NL(w, x, out)
    case .iq4_xs: unsafe oneTokenIQ4_XS(w, x, out)
    case .mxfp4: unsafe oneTokenMXFP4(w, x, out)
    case .f32, .f16, .bf16: unsafe floatsOneToken(w, x, out)
    }
}

// A function for each format: calls that differ in a constant only would be joined before they are inlined, and the
// constant would become a variable.
@inline(never)
private func oneTokenQ4_0(_ w: MatrixSlice, _ x: ProductInput, _ out: UnsafeMutablePointer<Float>) {
    unsafe linearOneToken(kindQ4_0, w, x, out)
}
@inline(never)
private func oneTokenQ4_1(_ w: MatrixSlice, _ x: ProductInput, _ out: UnsafeMutablePointer<Float>) {
    unsafe linearOneToken(kindQ4_1, w, x, out)
}
@inline(never)
private func oneTokenQ5_0(_ w: MatrixSlice, _ x: ProductInput, _ out: UnsafeMutablePointer<Float>) {
    unsafe linearOneToken(kindQ5_0, w, x, out)
}
@inline(never)
private func oneTokenQ5_1(_ w: MatrixSlice, _ x: ProductInput, _ out: UnsafeMutablePointer<Float>) {
    unsafe linearOneToken(kindQ5_1, w, x, out)
}
@inline(never)
private func oneTokenQ4_K(_ w: MatrixSlice, _ x: ProductInput, _ out: UnsafeMutablePointer<Float>) {
    unsafe linearOneToken(kindQ4_K, w, x, out)
}
@inline(never)
private func oneTokenQ5_K(_ w: MatrixSlice, _ x: ProductInput, _ out: UnsafeMutablePointer<Float>) {
    unsafe linearOneToken(kindQ5_K, w, x, out)
}
@inline(never)
private func oneTokenQ6_K(_ w: MatrixSlice, _ x: ProductInput, _ out: UnsafeMutablePointer<Float>) {
    unsafe halvesOneToken(kindQ6_K, w, x, out)
}
@inline(never)
private func oneTokenQ3_K(_ w: MatrixSlice, _ x: ProductInput, _ out: UnsafeMutablePointer<Float>) {
    unsafe halvesOneToken(kindQ3_K, w, x, out)
}
@inline(never)
private func oneTokenQ2_K(_ w: MatrixSlice, _ x: ProductInput, _ out: UnsafeMutablePointer<Float>) {
    unsafe halvesOneToken(kindQ2_K, w, x, out)
}

@inline(never)
private func oneTokenQ8_0(_ w: MatrixSlice, _ x: ProductInput, _ out: UnsafeMutablePointer<Float>) {
    unsafe bytesOneToken(kindQ8_0, w, x, out)
}
@inline(never)
private func oneTokenIQ4_NL(_ w: MatrixSlice, _ x: ProductInput, _ out: UnsafeMutablePointer<Float>) {
    unsafe bytesOneToken(kindIQ4_NL, w, x, out)
}
@inline(never)
private func oneTokenIQ4_XS(_ w: MatrixSlice, _ x: ProductInput, _ out: UnsafeMutablePointer<Float>) {
    unsafe bytesOneToken(kindIQ4_XS, w, x, out)
}
@inline(never)
private func oneTokenMXFP4(_ w: MatrixSlice, _ x: ProductInput, _ out: UnsafeMutablePointer<Float>) {
    unsafe bytesOneToken(kindMXFP4, w, x, out)
}

/// Bytes of one block of one token's packed activations.
@inline(__always) private var blockStride: Int { 64 }

/// Columns from which on activations come from the second-level cache, since weights drive them out of the first (64 bytes a
/// block of 32: 8 KB here). Weights and activations in turn are more than the processor foresees by itself: Q4_K with 8,960
/// columns was read at 17 GB/s on a core that reads 28 GB/s with 1,536, and at 25 GB/s with this. Nearer than 8 KB made it slower,
/// and so did it for short rows.
@inline(__always) private var longRow: Int { 4096 }
@inline(__always) private var ahead: Int { 8192 }

/// Asks for the lines that are `ahead` bytes behind part `j` of a block.
@inline(__always)
private func fetch(_ kind: Int, _ p: Stream, _ j: Int) {
    let bytes = groupBytes(kind) / parts(kind)
    for line in 0..<(bytes + 63) / 64 { unsafe prefetch(p.base + (ahead + j * bytes + 64 * line)) }
}

@inline(__always)
private func linearOneToken(_ kind: Int, _ w: MatrixSlice, _ x: ProductInput, _ out: UnsafeMutablePointer<Float>) {
    let ones = _mm256_set1_epi16(1)
    let sink = unsafe Sink(UnsafeMutableRawPointer(out))
    let isLong = w.columns > longRow
    for group in w.firstGroup..<w.endGroup {
        var p = unsafe Stream(w.base + group * w.groupBytes)
        var a = unsafe Stream(x.tiles)
        var sums = _mm256_setzero_ps()
        for _ in 0..<w.columns / (32 * parts(kind)) {
            for j in 0..<parts(kind) {
                if isLong { fetch(kind, p, j) }
                let q = quads(kind, p, j)
                let low = chain(q.v0, q.v1, q.v2, q.v3, a, 0)
                let high = chain(q.v4, q.v5, q.v6, q.v7, a, 16)
                var total =
                    hasFifthBit(kind)
                    ? _mm256_add_epi32(_mm256_madd_epi16(low, ones), _mm256_madd_epi16(high, ones))
                    : _mm256_madd_epi16(_mm256_add_epi16(low, high), ones)
                if centreShift(kind) > 0 {
                    total = _mm256_add_epi32(total, _mm256_srai_epi32(a.broadcast(60), centreShift(kind)))
                }
                let s = linearScales(kind, p, j)
                let scaled = _mm256_mul_ps(_mm256_cvtepi32_ps(total), a.broadcastFloat(32))
                sums = _mm256_fmadd_ps(scaled, s.scale, sums)
                if centreShift(kind) == 0 { sums = _mm256_fmadd_ps(s.offset, a.broadcastFloat(36), sums) }
                a = a + blockStride
            }
            p = p + groupBytes(kind)
        }
        sink.storeSums(sums, 32 * group, w.rows - 8 * group)
    }
}

/// Four products of unsigned weights and signed activations, added in 16 bits.
@inline(__always)
private func chain(_ v0: __m256i, _ v1: __m256i, _ v2: __m256i, _ v3: __m256i, _ a: Stream, _ at: Int) -> __m256i {
    _mm256_add_epi16(
        _mm256_add_epi16(
            _mm256_maddubs_epi16(v0, a.broadcast(at)), _mm256_maddubs_epi16(v1, a.broadcast(at + 4))),
        _mm256_add_epi16(
            _mm256_maddubs_epi16(v2, a.broadcast(at + 8)), _mm256_maddubs_epi16(v3, a.broadcast(at + 12))))
}

@inline(__always)
private func halvesOneToken(_ kind: Int, _ w: MatrixSlice, _ x: ProductInput, _ out: UnsafeMutablePointer<Float>) {
    let sink = unsafe Sink(UnsafeMutableRawPointer(out))
    let isLong = w.columns > longRow
    for group in w.firstGroup..<w.endGroup {
        var p = unsafe Stream(w.base + group * w.groupBytes)
        var a = unsafe Stream(x.tiles)
        var sums = _mm256_setzero_ps()
        for _ in 0..<w.columns / 256 {
            for j in 0..<8 {
                if isLong { fetch(kind, p, j) }
                let q = quads(kind, p, j)
                var low = chain(q.v0, q.v1, q.v2, q.v3, a, 0)
                var high = chain(q.v4, q.v5, q.v6, q.v7, a, 16)
                if kind != kindQ2_K {
                    // The offset of 32; with it the sum of a half fits 16 bits again: 32 x 127 x 8 = 32,512.
                    low = _mm256_add_epi16(low, a.broadcast(44))
                    high = _mm256_add_epi16(high, a.broadcast(48))
                }
                let s = halfScales(kind, p, j)
                let total = _mm256_add_epi32(_mm256_madd_epi16(low, s.first), _mm256_madd_epi16(high, s.second))
                let scaled = _mm256_mul_ps(_mm256_cvtepi32_ps(total), a.broadcastFloat(32))
                sums = _mm256_fmadd_ps(scaled, s.d, sums)
                if kind == kindQ2_K {
                    let m = halfMinima(p, j)
                    let below = _mm256_cvtepi32_ps(_mm256_madd_epi16(m.minima, a.broadcast(40)))
                    sums = _mm256_fmadd_ps(_mm256_mul_ps(below, a.broadcastFloat(32)), m.d, sums)
                }
                a = a + blockStride
            }
            p = p + groupBytes(kind)
        }
        sink.storeSums(sums, 32 * group, w.rows - 8 * group)
    }
}

/// Signed bytes: 128 x 127 x 2 fits 16 bits once, so |w| x (a with w's sign), widened after each product.
@inline(__always)
private func bytesOneToken(_ kind: Int, _ w: MatrixSlice, _ x: ProductInput, _ out: UnsafeMutablePointer<Float>) {
    let sink = unsafe Sink(UnsafeMutableRawPointer(out))
    for group in w.firstGroup..<w.endGroup {
        var p = unsafe Stream(w.base + group * w.groupBytes)
        var a = unsafe Stream(x.tiles)
        var sums = _mm256_setzero_ps()
        for _ in 0..<w.columns / (32 * parts(kind)) {
            for j in 0..<parts(kind) {
                let q = signedQuads(kind, p, j)
                let low = _mm256_add_epi32(
                    _mm256_add_epi32(signedProduct(q.v0, a, 0), signedProduct(q.v1, a, 4)),
                    _mm256_add_epi32(signedProduct(q.v2, a, 8), signedProduct(q.v3, a, 12)))
                let high = _mm256_add_epi32(
                    _mm256_add_epi32(signedProduct(q.v4, a, 16), signedProduct(q.v5, a, 20)),
                    _mm256_add_epi32(signedProduct(q.v6, a, 24), signedProduct(q.v7, a, 28)))
                let scaled = _mm256_mul_ps(_mm256_cvtepi32_ps(_mm256_add_epi32(low, high)), a.broadcastFloat(32))
                sums = _mm256_fmadd_ps(scaled, signedScale(kind, p, j), sums)
                a = a + blockStride
            }
            p = p + groupBytes(kind)
        }
        sink.storeSums(sums, 32 * group, w.rows - 8 * group)
    }
}

/// Four products of signed bytes, added in 32 bits.
@inline(__always)
private func signedProduct(_ v: __m256i, _ a: Stream, _ at: Int) -> __m256i {
    _mm256_madd_epi16(
        _mm256_maddubs_epi16(_mm256_abs_epi8(v), _mm256_sign_epi8(a.broadcast(at), v)), _mm256_set1_epi16(1))
}
#endif
