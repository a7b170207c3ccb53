#if arch(x86_64)
internal import CIntrinsics
internal import HearthKernelTypes

@inline(__always)
private func store(_ q: Quads, _ panel: Sink) {
    panel.store(q.v0, 0)
    panel.store(q.v1, 32)
    panel.store(q.v2, 64)
    panel.store(q.v3, 96)
    panel.store(q.v4, 128)
    panel.store(q.v5, 160)
    panel.store(q.v6, 192)
    panel.store(q.v7, 224)
}

@inline(__always)
private func unpackLinear(_ kind: Int, _ group: Stream, _ columns: Int, _ panel: Sink) {
    var (p, to) = (group, panel)
    for _ in 0..<columns / (32 * parts(kind)) {
        for j in 0..<parts(kind) {
            store(quads(kind, p, j), to)
            let s = linearScales(kind, p, j)
            to.store(s.scale, 256)
            to.store(s.offset, 288)
            to = to + linearPanel
        }
        p = p + groupBytes(kind)
    }
}

@inline(__always)
private func unpackHalves(_ kind: Int, _ group: Stream, _ columns: Int, _ panel: Sink) {
    var (p, to) = (group, panel)
    for _ in 0..<columns / 256 {
        for j in 0..<8 {
            store(quads(kind, p, j), to)
            let s = halfScales(kind, p, j)
            to.store(s.d, 256)
            to.store(s.first, 288)
            to.store(s.second, 320)
            if kind == kindQ2_K {
                let m = halfMinima(p, j)
                to.store(m.minima, 352)
                to.store(m.d, 384)
            }
            to = to + (kind == kindQ2_K ? halvesPanelWithMinima : halvesPanel)
        }
        p = p + groupBytes(kind)
    }
}

@inline(__always)
private func unpackBytes(_ kind: Int, _ group: Stream, _ columns: Int, _ panel: Sink) {
    var (p, to) = (group, panel)
    for _ in 0..<columns / (32 * parts(kind)) {
        for j in 0..<parts(kind) {
            let q = signedQuads(kind, p, j)
            store(sizes(q), to)
            store(q, to + 256)
            to.store(signedScale(kind, p, j), 512)
            to = to + bytesPanel
        }
        p = p + groupBytes(kind)
    }
}

@inline(__always)
private func sizes(_ q: Quads) -> Quads {
    (
        v0: _mm256_abs_epi8(q.v0), v1: _mm256_abs_epi8(q.v1), v2: _mm256_abs_epi8(q.v2), v3: _mm256_abs_epi8(q.v3),
        v4: _mm256_abs_epi8(q.v4), v5: _mm256_abs_epi8(q.v5), v6: _mm256_abs_epi8(q.v6), v7: _mm256_abs_epi8(q.v7)
    )
}

// A function for each format, as in OneToken.swift.
@inline(never) func unpackQ4_0(_ p: Stream, _ columns: Int, _ panel: Sink) { unpackLinear(kindQ4_0, p, columns, panel) }
@inline(never) func unpackQ4_1(_ p: Stream, _ columns: Int, _ panel: Sink) { unpackLinear(kindQ4_1, p, columns, panel) }
@inline(never) func unpackQ5_0(_ p: Stream, _ columns: Int, _ panel: Sink) { unpackLinear(kindQ5_0, p, columns, panel) }
@inline(never) func unpackQ5_1(_ p: Stream, _ columns: Int, _ panel: Sink) { unpackLinear(kindQ5_1, p, columns, panel) }
@inline(never) func unpackQ4_K(_ p: Stream, _ columns: Int, _ panel: Sink) { unpackLinear(kindQ4_K, p, columns, panel) }
@inline(never) func unpackQ5_K(_ p: Stream, _ columns: Int, _ panel: Sink) { unpackLinear(kindQ5_K, p, columns, panel) }
@inline(never) func unpackQ6_K(_ p: Stream, _ columns: Int, _ panel: Sink) { unpackHalves(kindQ6_K, p, columns, panel) }
@inline(never) func unpackQ3_K(_ p: Stream, _ columns: Int, _ panel: Sink) { unpackHalves(kindQ3_K, p, columns, panel) }
@inline(never) func unpackQ2_K(_ p: Stream, _ columns: Int, _ panel: Sink) { unpackHalves(kindQ2_K, p, columns, panel) }
@inline(never) func unpackQ8_0(_ p: Stream, _ columns: Int, _ panel: Sink) { unpackBytes(kindQ8_0, p, columns, panel) }
@inline(never) func unpackIQ4_NL(_ p: Stream, _ columns: Int, _ panel: Sink) { unpackBytes(kindIQ4_NL, p, columns, panel) }
@inline(never) func unpackIQ4_XS(_ p: Stream, _ columns: Int, _ panel: Sink) { unpackBytes(kindIQ4_XS, p, columns, panel) }
@inline(never) func unpackMXFP4(_ p: Stream, _ columns: Int, _ panel: Sink) { unpackBytes(kindMXFP4, p, columns, panel) }
#endif
