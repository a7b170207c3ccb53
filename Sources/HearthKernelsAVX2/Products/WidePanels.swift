#if arch(x86_64)
internal import CIntrinsics
package import HearthKernelTypes

// Two groups side by side, for the kernels of 16 rows: vectors of 64 bytes of which this group fills one half.
//   linear: quads 512, scale 64, offset 64                                              = 640
//   halves: quads 512, d 64, scales of both halves as Float32 128                       = 704
//   Q2_K:   quads 512, d 64, scales of both halves as Float32 128, minima 64, -dmin 64  = 832
//   bytes:  w + 128 512, d 64                                                           = 576

/// Unpacks a group and the one `groupBytes` on: both in one pass, so that each cache line of the panel is filled at once.
package func avx2UnpackWide(
    _ type: ElementType, _ group: UnsafeRawPointer, groupBytes: Int, columns: Int, into panel: UnsafeMutableRawPointer
) {
    let (p, q, to) = unsafe (Stream(group), Stream(group + groupBytes), Sink(panel))
    switch type {
    case .q4_0: wideQ4_0(p, q, columns, to)
    case .q4_1: wideQ4_1(p, q, columns, to)
    case .q5_0: wideQ5_0(p, q, columns, to)
    case .q5_1: wideQ5_1(p, q, columns, to)
    case .q4_k: wideQ4_K(p, q, columns, to)
    case .q5_k: wideQ5_K(p, q, columns, to)
    case .q6_k: wideQ6_K(p, q, columns, to)
    case .q3_k: wideQ3_K(p, q, columns, to)
    case .q2_k: wideQ2_K(p, q, columns, to)
    case .iq4_nl: wideIQ4_NL(p, q, columns, to)
    case .iq4_xs: wideIQ4_XS(p, q, columns, to)
    case .mxfp4: wideMXFP4(p, q, columns, to)
    default: wideQ8_0(p, q, columns, to)
    }
}

// A function for each format, as in OneToken.swift.
@inline(never) private func wideQ4_0(_ p: Stream, _ q: Stream, _ columns: Int, _ panel: Sink) {
    wideBytes(kindQ4_0, p, q, columns, panel)
}
@inline(never) private func wideQ4_1(_ p: Stream, _ q: Stream, _ columns: Int, _ panel: Sink) {
    wideLinear(kindQ4_1, p, q, columns, panel)
}
@inline(never) private func wideQ5_0(_ p: Stream, _ q: Stream, _ columns: Int, _ panel: Sink) {
    wideBytes(kindQ5_0, p, q, columns, panel)
}
@inline(never) private func wideQ5_1(_ p: Stream, _ q: Stream, _ columns: Int, _ panel: Sink) {
    wideLinear(kindQ5_1, p, q, columns, panel)
}
@inline(never) private func wideQ4_K(_ p: Stream, _ q: Stream, _ columns: Int, _ panel: Sink) {
    wideLinear(kindQ4_K, p, q, columns, panel)
}
@inline(never) private func wideQ5_K(_ p: Stream, _ q: Stream, _ columns: Int, _ panel: Sink) {
    wideLinear(kindQ5_K, p, q, columns, panel)
}
@inline(never) private func wideQ6_K(_ p: Stream, _ q: Stream, _ columns: Int, _ panel: Sink) {
    wideHalves(kindQ6_K, p, q, columns, panel)
}
@inline(never) private func wideQ3_K(_ p: Stream, _ q: Stream, _ columns: Int, _ panel: Sink) {
    wideHalves(kindQ3_K, p, q, columns, panel)
}
@inline(never) private func wideQ2_K(_ p: Stream, _ q: Stream, _ columns: Int, _ panel: Sink) {
    wideHalves(kindQ2_K, p, q, columns, panel)
}
@inline(never) private func wideQ8_0(_ p: Stream, _ q: Stream, _ columns: Int, _ panel: Sink) {
    wideBytes(kindQ8_0, p, q, columns, panel)
}
@inline(never) private func wideIQ4_NL(_ p: Stream, _ q: Stream, _ columns: Int, _ panel: Sink) {
    wideBytes(kindIQ4_NL, p, q, columns, panel)
}
@inline(never) private func wideIQ4_XS(_ p: Stream, _ q: Stream, _ columns: Int, _ panel: Sink) {
    wideBytes(kindIQ4_XS, p, q, columns, panel)
}
@inline(never) private func wideMXFP4(_ p: Stream, _ q: Stream, _ columns: Int, _ panel: Sink) {
    wideBytes(kindMXFP4, p, q, columns, panel)
}

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
private func wideLinear(_ kind: Int, _ first: Stream, _ second: Stream, _ columns: Int, _ panel: Sink) {
    var (p, q, to) = (first, second, panel)
    for _ in 0..<columns / (32 * parts(kind)) {
        for j in 0..<parts(kind) {
            linearHalf(kind, p, j, to)
            linearHalf(kind, q, j, to + 32)
            to = to + 640
        }
        (p, q) = (p + groupBytes(kind), q + groupBytes(kind))
    }
}

@inline(__always)
private func linearHalf(_ kind: Int, _ p: Stream, _ j: Int, _ to: Sink) {
    storeWide(quads(kind, p, j), to)
    let s = linearScales(kind, p, j)
    to.store(s.scale, 512)
    to.store(s.offset, 576)
}

@inline(__always)
private func wideHalves(_ kind: Int, _ first: Stream, _ second: Stream, _ columns: Int, _ panel: Sink) {
    var (p, q, to) = (first, second, panel)
    for _ in 0..<columns / 256 {
        for j in 0..<8 {
            halvesHalf(kind, p, j, to)
            halvesHalf(kind, q, j, to + 32)
            to = to + (kind == kindQ2_K ? 832 : 704)
        }
        (p, q) = (p + groupBytes(kind), q + groupBytes(kind))
    }
}

@inline(__always)
private func halvesHalf(_ kind: Int, _ p: Stream, _ j: Int, _ to: Sink) {
    storeWide(quads(kind, p, j), to)
    let s = halfScales(kind, p, j)
    to.store(s.d, 512)
    // One number per lane of 32 bits: the high copy of the pair, with its sign.
    to.store(_mm256_cvtepi32_ps(_mm256_srai_epi32(s.first, 16)), 576)
    to.store(_mm256_cvtepi32_ps(_mm256_srai_epi32(s.second, 16)), 640)
    if kind == kindQ2_K {
        let m = halfMinima(p, j)
        to.store(m.minima, 704)
        to.store(m.d, 768)
    }
}

/// Signed bytes, their sign turned into an offset of 128; values of Q4_0 and Q5_0 with their 8 or 16 taken away are such bytes.
@inline(__always)
private func wideBytes(_ kind: Int, _ first: Stream, _ second: Stream, _ columns: Int, _ panel: Sink) {
    var (p, q, to) = (first, second, panel)
    for _ in 0..<columns / (32 * parts(kind)) {
        for j in 0..<parts(kind) {
            bytesHalf(kind, p, j, to)
            bytesHalf(kind, q, j, to + 32)
            to = to + 576
        }
        (p, q) = (p + groupBytes(kind), q + groupBytes(kind))
    }
}

@inline(__always)
private func bytesHalf(_ kind: Int, _ p: Stream, _ j: Int, _ to: Sink) {
    if centreShift(kind) > 0 {
        storeWide(moved(quads(kind, p, j), _mm256_set1_epi8(kind == kindQ4_0 ? 120 : 112)), to)
        to.store(linearScales(kind, p, j).scale, 512)
    } else {
        // Adding 128 flips the sign.
        storeWide(moved(signedQuads(kind, p, j), _mm256_set1_epi8(-128)), to)
        to.store(signedScale(kind, p, j), 512)
    }
}

@inline(__always)
private func moved(_ q: Quads, _ by: __m256i) -> Quads {
    (
        v0: _mm256_add_epi8(q.v0, by), v1: _mm256_add_epi8(q.v1, by),
        v2: _mm256_add_epi8(q.v2, by), v3: _mm256_add_epi8(q.v3, by),
        v4: _mm256_add_epi8(q.v4, by), v5: _mm256_add_epi8(q.v5, by),
        v6: _mm256_add_epi8(q.v6, by), v7: _mm256_add_epi8(q.v7, by)
    )
}
#endif
