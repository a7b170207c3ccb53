#if arch(x86_64)
internal import CIntrinsics
package import HearthKernelTypes

// Two groups side by side, for the kernels of 16 rows: vectors of 64 bytes of which this group fills one half.
//   linear: quads 512, scale 64, offset 64                                              = 640
//   halves: quads 512, d 64, scales of both halves 128, -32 x both side by side 64      = 768
//   Q2_K:   quads 512, d 64, scales of both halves 128, minima 64, -dmin 64             = 832
//   bytes:  w + 128 512, d 64                                                           = 576

/// Unpacks one group into the half of a wide panel that starts at `panel`: the panel itself, or 32 bytes on.
package func avx2UnpackWide(
    _ type: ElementType, _ group: UnsafeRawPointer, columns: Int, into panel: UnsafeMutableRawPointer
) {
    let (p, to) = unsafe (Stream(group), Sink(panel))
    switch type {
    case .q4_0: wideQ4_0(p, columns, to)
    case .q4_1: wideQ4_1(p, columns, to)
    case .q5_0: wideQ5_0(p, columns, to)
    case .q5_1: wideQ5_1(p, columns, to)
    case .q4_k: wideQ4_K(p, columns, to)
    case .q5_k: wideQ5_K(p, columns, to)
    case .q6_k: wideQ6_K(p, columns, to)
    case .q3_k: wideQ3_K(p, columns, to)
    case .q2_k: wideQ2_K(p, columns, to)
    case .iq4_nl: wideIQ4_NL(p, columns, to)
    case .iq4_xs: wideIQ4_XS(p, columns, to)
    case .mxfp4: wideMXFP4(p, columns, to)
    default: wideQ8_0(p, columns, to)
    }
}

@inline(never) private func wideQ4_0(_ p: Stream, _ columns: Int, _ panel: Sink) { wideLinear(kindQ4_0, p, columns, panel) }
@inline(never) private func wideQ4_1(_ p: Stream, _ columns: Int, _ panel: Sink) { wideLinear(kindQ4_1, p, columns, panel) }
@inline(never) private func wideQ5_0(_ p: Stream, _ columns: Int, _ panel: Sink) { wideLinear(kindQ5_0, p, columns, panel) }
@inline(never) private func wideQ5_1(_ p: Stream, _ columns: Int, _ panel: Sink) { wideLinear(kindQ5_1, p, columns, panel) }
@inline(never) private func wideQ4_K(_ p: Stream, _ columns: Int, _ panel: Sink) { wideLinear(kindQ4_K, p, columns, panel) }
@inline(never) private func wideQ5_K(_ p: Stream, _ columns: Int, _ panel: Sink) { wideLinear(kindQ5_K, p, columns, panel) }
@inline(never) private func wideQ6_K(_ p: Stream, _ columns: Int, _ panel: Sink) { wideHalves(kindQ6_K, p, columns, panel) }
@inline(never) private func wideQ3_K(_ p: Stream, _ columns: Int, _ panel: Sink) { wideHalves(kindQ3_K, p, columns, panel) }
@inline(never) private func wideQ2_K(_ p: Stream, _ columns: Int, _ panel: Sink) { wideHalves(kindQ2_K, p, columns, panel) }
@inline(never) private func wideQ8_0(_ p: Stream, _ columns: Int, _ panel: Sink) { wideBytes(kindQ8_0, p, columns, panel) }
@inline(never) private func wideIQ4_NL(_ p: Stream, _ columns: Int, _ panel: Sink) { wideBytes(kindIQ4_NL, p, columns, panel) }
@inline(never) private func wideIQ4_XS(_ p: Stream, _ columns: Int, _ panel: Sink) { wideBytes(kindIQ4_XS, p, columns, panel) }
@inline(never) private func wideMXFP4(_ p: Stream, _ columns: Int, _ panel: Sink) { wideBytes(kindMXFP4, p, columns, panel) }

@inline(__always)
private func storeWide(_ q: Quads, _ panel: Sink) {
    panel.store(q.v0, 0)
    panel.store(q.v1, 64)
    panel.store(q.v2, 128)
    panel.store(q.v3, 192)
    panel.store(q.v4, 256)
    panel.store(q.v5, 320)
    panel.store(q.v6, 384)
    panel.store(q.v7, 448)
}

@inline(__always)
private func wideLinear(_ kind: Int, _ group: Stream, _ columns: Int, _ panel: Sink) {
    var (p, to) = (group, panel)
    for _ in 0..<columns / (32 * parts(kind)) {
        for j in 0..<parts(kind) {
            storeWide(quads(kind, p, j), to)
            let s = linearScales(kind, p, j)
            to.store(s.scale, 512)
            to.store(s.offset, 576)
            to = to + 640
        }
        p = p + groupBytes(kind)
    }
}

@inline(__always)
private func wideHalves(_ kind: Int, _ group: Stream, _ columns: Int, _ panel: Sink) {
    var (p, to) = (group, panel)
    let low = _mm256_set1_epi32(0xffff)
    for _ in 0..<columns / 256 {
        for j in 0..<8 {
            storeWide(quads(kind, p, j), to)
            let s = halfScales(kind, p, j)
            to.store(s.d, 512)
            // One number per lane of 32 bits: the high copy of the pair, with its sign.
            to.store(_mm256_srai_epi32(s.first, 16), 576)
            to.store(_mm256_srai_epi32(s.second, 16), 640)
            if kind == kindQ2_K {
                let m = halfMinima(p, j)
                to.store(m.minima, 704)
                to.store(m.d, 768)
            } else {
                // 32 x 128 = 4,096 fits 16 bits.
                let both = _mm256_or_si256(
                    _mm256_and_si256(s.first, low), _mm256_slli_epi32(s.second, 16))
                to.store(_mm256_sub_epi16(_mm256_setzero_si256(), _mm256_slli_epi16(both, 5)), 704)
            }
            to = to + (kind == kindQ2_K ? 832 : 768)
        }
        p = p + groupBytes(kind)
    }
}

/// Signed bytes: the sign turned into an offset of 128.
@inline(__always)
private func wideBytes(_ kind: Int, _ group: Stream, _ columns: Int, _ panel: Sink) {
    var (p, to) = (group, panel)
    let sign = _mm256_set1_epi8(-128)
    for _ in 0..<columns / (32 * parts(kind)) {
        for j in 0..<parts(kind) {
            let q = signedQuads(kind, p, j)
            let offset: Quads = (
                v0: _mm256_xor_si256(q.v0, sign), v1: _mm256_xor_si256(q.v1, sign),
                v2: _mm256_xor_si256(q.v2, sign), v3: _mm256_xor_si256(q.v3, sign),
                v4: _mm256_xor_si256(q.v4, sign), v5: _mm256_xor_si256(q.v5, sign),
                v6: _mm256_xor_si256(q.v6, sign), v7: _mm256_xor_si256(q.v7, sign)
            )
            storeWide(offset, to)
            to.store(signedScale(kind, p, j), 512)
            to = to + 576
        }
        p = p + groupBytes(kind)
    }
}
#endif
