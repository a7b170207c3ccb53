#if arch(x86_64)
internal import CIntrinsics
package import HearthKernelTypes

// Many tokens: 8 rows x 4 tokens at a time. The arithmetic of one (row, token) is that of OneToken.swift, step by step.

/// `out[t * stride + row] = w[row] . x[t]` for the rows of the slice's groups; `panel` is this worker's scratch.
package func avx2Tiles(
    _ w: MatrixSlice, _ x: ProductInput, panel: UnsafeMutableRawPointer, into out: UnsafeMutablePointer<Float>, stride: Int
) {
    switch w.type {
    case .f32, .f16, .bf16: return unsafe floatTiles(w, x, panel, out, stride: stride)
    default: break
    }
    let sink = unsafe Sink(UnsafeMutableRawPointer(out))
    let (space, panels, tiles) = unsafe (Sink(panel), Stream(panel), Stream(x.tiles))
    let (columns, blocks) = (w.columns, w.columns / 32)
    for group in w.firstGroup..<w.endGroup {
        let p = unsafe Stream(w.base + group * w.groupBytes)
        switch w.type {
        case .q4_0: unpackQ4_0(p, columns, space)
        case .q4_1: unpackQ4_1(p, columns, space)
        case .q5_0: unpackQ5_0(p, columns, space)
        case .q5_1: unpackQ5_1(p, columns, space)
        case .q4_k: unpackQ4_K(p, columns, space)
        case .q5_k: unpackQ5_K(p, columns, space)
        case .q6_k: unpackQ6_K(p, columns, space)
        case .q3_k: unpackQ3_K(p, columns, space)
        case .q2_k: unpackQ2_K(p, columns, space)
        case .iq4_nl: unpackIQ4_NL(p, columns, space)
        case .iq4_xs: unpackIQ4_XS(p, columns, space)
        case .mxfp4: unpackMXFP4(p, columns, space)
        default: unpackQ8_0(p, columns, space)
        }
        let rows = w.rows - 8 * group
        let panelBlock =
            switch w.type {
            case .q6_k, .q3_k: halvesPanel
            case .q2_k: halvesPanelWithMinima
            case .q8_0, .iq4_nl, .iq4_xs, .mxfp4: bytesPanel
            default: linearPanel
            }
        // Columns by blocks of 1,536: their part of the panel (15 to 26 KB) and of a tile (12 KB) stay in the first-level
        // cache while all tokens pass. Sums wait in the output, which changes no bit.
        var first = 0
        while first < blocks {
            let count = min(48, blocks - first)
            let part = panels + first * panelBlock
            var t = 0
            while t < x.tokens {
                let tile = tiles + (t / 4 * blocks + first) * 256
                let target = sink + (4 * stride * t + 32 * group)
                let tokens = x.tokens - t
                let goesOn = first > 0
                switch w.type {
                case .q4_0: tileOfNibblesCentred(part, tile, count, target, 4 * stride, rows, tokens, goesOn)
                case .q5_0: tileOfFiveCentred(part, tile, count, target, 4 * stride, rows, tokens, goesOn)
                case .q5_1, .q5_k: tileOfFive(part, tile, count, target, 4 * stride, rows, tokens, goesOn)
                case .q6_k, .q3_k: tileOfHalves(part, tile, count, target, 4 * stride, rows, tokens, goesOn)
                case .q2_k: tileOfHalvesWithMinima(part, tile, count, target, 4 * stride, rows, tokens, goesOn)
                case .q8_0, .iq4_nl, .iq4_xs, .mxfp4: tileOfBytes(part, tile, count, target, 4 * stride, rows, tokens, goesOn)
                default: tileOfNibbles(part, tile, count, target, 4 * stride, rows, tokens, goesOn)
                }
                t += 4
            }
            first += count
        }
    }
}

/// Adds vector `j` times quad `j` of token `t` to a sum of 16 bits.
@inline(__always)
private func step(_ sum: inout __m256i, _ w: __m256i, _ a: Stream, _ at: Int) {
    sum = _mm256_add_epi16(sum, _mm256_maddubs_epi16(w, a.broadcast(at)))
}

/// sum = fma(total x d, scale, sum).
@inline(__always)
private func scale(_ sum: inout __m256, _ total: __m256i, _ a: Stream, _ at: Int, _ scale: __m256) {
    sum = _mm256_fmadd_ps(_mm256_mul_ps(_mm256_cvtepi32_ps(total), a.broadcastFloat(at)), scale, sum)
}

/// Four vectors of the panel from `from` times their quads of all four tokens.
@inline(__always)
private func half(
    _ p: Stream, _ from: Int, _ a: Stream, _ at: Int,
    _ i0: inout __m256i, _ i1: inout __m256i, _ i2: inout __m256i, _ i3: inout __m256i, startsAtZero: Bool
) {
    for j in 0..<4 {
        let w = p.vector(from + 32 * j)
        if j == 0 && startsAtZero {
            i0 = _mm256_maddubs_epi16(w, a.broadcast(at))
            i1 = _mm256_maddubs_epi16(w, a.broadcast(at + 4))
            i2 = _mm256_maddubs_epi16(w, a.broadcast(at + 8))
            i3 = _mm256_maddubs_epi16(w, a.broadcast(at + 12))
        } else {
            step(&i0, w, a, at + 16 * j)
            step(&i1, w, a, at + 16 * j + 4)
            step(&i2, w, a, at + 16 * j + 8)
            step(&i3, w, a, at + 16 * j + 12)
        }
    }
}

// A function for each form, as in OneToken.swift.
@inline(never)
private func tileOfNibbles(
    _ p: Stream, _ a: Stream, _ blocks: Int, _ target: Sink, _ stride: Int, _ rows: Int, _ tokens: Int, _ goesOn: Bool
) { tileLinear(kindQ4_1, p, a, blocks, target, stride, rows, tokens, goesOn) }

@inline(never)
private func tileOfNibblesCentred(
    _ p: Stream, _ a: Stream, _ blocks: Int, _ target: Sink, _ stride: Int, _ rows: Int, _ tokens: Int, _ goesOn: Bool
) { tileLinear(kindQ4_0, p, a, blocks, target, stride, rows, tokens, goesOn) }

@inline(never)
private func tileOfFive(
    _ p: Stream, _ a: Stream, _ blocks: Int, _ target: Sink, _ stride: Int, _ rows: Int, _ tokens: Int, _ goesOn: Bool
) { tileLinear(kindQ5_1, p, a, blocks, target, stride, rows, tokens, goesOn) }

@inline(never)
private func tileOfFiveCentred(
    _ p: Stream, _ a: Stream, _ blocks: Int, _ target: Sink, _ stride: Int, _ rows: Int, _ tokens: Int, _ goesOn: Bool
) { tileLinear(kindQ5_0, p, a, blocks, target, stride, rows, tokens, goesOn) }

/// One scale per 32 columns.
@inline(__always)
private func tileLinear(
    _ kind: Int, _ panel: Stream, _ tile: Stream, _ blocks: Int, _ target: Sink, _ stride: Int, _ rows: Int, _ tokens: Int,
    _ goesOn: Bool
) {
    let ones = _mm256_set1_epi16(1)
    var (p, a) = (panel, tile)
    var s0 = _mm256_setzero_ps(), s1 = s0, s2 = s0, s3 = s0
    if goesOn { resumeTile(&s0, &s1, &s2, &s3, target, stride, rows, tokens) }
    var i0 = _mm256_setzero_si256(), i1 = i0, i2 = i0, i3 = i0
    for _ in 0..<blocks {
        half(p, 0, a, 0, &i0, &i1, &i2, &i3, startsAtZero: true)
        var l0 = _mm256_setzero_si256(), l1 = l0, l2 = l0, l3 = l0
        if centreShift(kind) > 0 {
            l0 = _mm256_srai_epi32(a.broadcast(240), centreShift(kind))
            l1 = _mm256_srai_epi32(a.broadcast(244), centreShift(kind))
            l2 = _mm256_srai_epi32(a.broadcast(248), centreShift(kind))
            l3 = _mm256_srai_epi32(a.broadcast(252), centreShift(kind))
        }
        if hasFifthBit(kind) {
            (l0, l1) = (_mm256_add_epi32(l0, _mm256_madd_epi16(i0, ones)), _mm256_add_epi32(l1, _mm256_madd_epi16(i1, ones)))
            (l2, l3) = (_mm256_add_epi32(l2, _mm256_madd_epi16(i2, ones)), _mm256_add_epi32(l3, _mm256_madd_epi16(i3, ones)))
        }
        half(p, 128, a, 64, &i0, &i1, &i2, &i3, startsAtZero: hasFifthBit(kind))
        let d = p.floats(256)
        scale(&s0, _mm256_add_epi32(l0, _mm256_madd_epi16(i0, ones)), a, 128, d)
        scale(&s1, _mm256_add_epi32(l1, _mm256_madd_epi16(i1, ones)), a, 132, d)
        scale(&s2, _mm256_add_epi32(l2, _mm256_madd_epi16(i2, ones)), a, 136, d)
        scale(&s3, _mm256_add_epi32(l3, _mm256_madd_epi16(i3, ones)), a, 140, d)
        if centreShift(kind) == 0 {
            let m = p.floats(288)
            s0 = _mm256_fmadd_ps(m, a.broadcastFloat(144), s0)
            s1 = _mm256_fmadd_ps(m, a.broadcastFloat(148), s1)
            s2 = _mm256_fmadd_ps(m, a.broadcastFloat(152), s2)
            s3 = _mm256_fmadd_ps(m, a.broadcastFloat(156), s3)
        }
        (p, a) = (p + linearPanel, a + 256)
    }
    storeTile(s0, s1, s2, s3, target, stride, rows, tokens)
}

/// Q6_K and Q3_K: sums start at -32 x the activations' sums, which keeps a half within 16 bits.
private func tileOfHalves(
    _ panel: Stream, _ tile: Stream, _ blocks: Int, _ target: Sink, _ stride: Int, _ rows: Int, _ tokens: Int,
    _ goesOn: Bool
) {
    var (p, a) = (panel, tile)
    var s0 = _mm256_setzero_ps(), s1 = s0, s2 = s0, s3 = s0
    if goesOn { resumeTile(&s0, &s1, &s2, &s3, target, stride, rows, tokens) }
    for _ in 0..<blocks {
        var i0 = a.broadcast(176), i1 = a.broadcast(180), i2 = a.broadcast(184), i3 = a.broadcast(188)
        half(p, 0, a, 0, &i0, &i1, &i2, &i3, startsAtZero: false)
        let first = p.vector(288)
        let (l0, l1) = (_mm256_madd_epi16(i0, first), _mm256_madd_epi16(i1, first))
        let (l2, l3) = (_mm256_madd_epi16(i2, first), _mm256_madd_epi16(i3, first))
        (i0, i1, i2, i3) = (a.broadcast(192), a.broadcast(196), a.broadcast(200), a.broadcast(204))
        half(p, 128, a, 64, &i0, &i1, &i2, &i3, startsAtZero: false)
        let (d, second) = (p.floats(256), p.vector(320))
        scale(&s0, _mm256_add_epi32(l0, _mm256_madd_epi16(i0, second)), a, 128, d)
        scale(&s1, _mm256_add_epi32(l1, _mm256_madd_epi16(i1, second)), a, 132, d)
        scale(&s2, _mm256_add_epi32(l2, _mm256_madd_epi16(i2, second)), a, 136, d)
        scale(&s3, _mm256_add_epi32(l3, _mm256_madd_epi16(i3, second)), a, 140, d)
        (p, a) = (p + halvesPanel, a + 256)
    }
    storeTile(s0, s1, s2, s3, target, stride, rows, tokens)
}

/// Q2_K.
private func tileOfHalvesWithMinima(
    _ panel: Stream, _ tile: Stream, _ blocks: Int, _ target: Sink, _ stride: Int, _ rows: Int, _ tokens: Int,
    _ goesOn: Bool
) {
    var (p, a) = (panel, tile)
    var s0 = _mm256_setzero_ps(), s1 = s0, s2 = s0, s3 = s0
    if goesOn { resumeTile(&s0, &s1, &s2, &s3, target, stride, rows, tokens) }
    var i0 = _mm256_setzero_si256(), i1 = i0, i2 = i0, i3 = i0
    for _ in 0..<blocks {
        half(p, 0, a, 0, &i0, &i1, &i2, &i3, startsAtZero: true)
        let first = p.vector(288)
        let (l0, l1) = (_mm256_madd_epi16(i0, first), _mm256_madd_epi16(i1, first))
        let (l2, l3) = (_mm256_madd_epi16(i2, first), _mm256_madd_epi16(i3, first))
        half(p, 128, a, 64, &i0, &i1, &i2, &i3, startsAtZero: true)
        let (d, second) = (p.floats(256), p.vector(320))
        scale(&s0, _mm256_add_epi32(l0, _mm256_madd_epi16(i0, second)), a, 128, d)
        scale(&s1, _mm256_add_epi32(l1, _mm256_madd_epi16(i1, second)), a, 132, d)
        scale(&s2, _mm256_add_epi32(l2, _mm256_madd_epi16(i2, second)), a, 136, d)
        scale(&s3, _mm256_add_epi32(l3, _mm256_madd_epi16(i3, second)), a, 140, d)
        let (minima, below) = (p.vector(352), p.floats(384))
        scale(&s0, _mm256_madd_epi16(minima, a.broadcast(160)), a, 128, below)
        scale(&s1, _mm256_madd_epi16(minima, a.broadcast(164)), a, 132, below)
        scale(&s2, _mm256_madd_epi16(minima, a.broadcast(168)), a, 136, below)
        scale(&s3, _mm256_madd_epi16(minima, a.broadcast(172)), a, 140, below)
        (p, a) = (p + halvesPanelWithMinima, a + 256)
    }
    storeTile(s0, s1, s2, s3, target, stride, rows, tokens)
}

/// Q8_0 and the types with a code book.
private func tileOfBytes(
    _ panel: Stream, _ tile: Stream, _ blocks: Int, _ target: Sink, _ stride: Int, _ rows: Int, _ tokens: Int,
    _ goesOn: Bool
) {
    let ones = _mm256_set1_epi16(1)
    var (p, a) = (panel, tile)
    var s0 = _mm256_setzero_ps(), s1 = s0, s2 = s0, s3 = s0
    if goesOn { resumeTile(&s0, &s1, &s2, &s3, target, stride, rows, tokens) }
    for _ in 0..<blocks {
        var i0 = _mm256_setzero_si256(), i1 = i0, i2 = i0, i3 = i0
        for j in 0..<8 {
            let (size, w) = (p.vector(32 * j), p.vector(256 + 32 * j))
            signedStep(&i0, size, w, a, 16 * j, ones)
            signedStep(&i1, size, w, a, 16 * j + 4, ones)
            signedStep(&i2, size, w, a, 16 * j + 8, ones)
            signedStep(&i3, size, w, a, 16 * j + 12, ones)
        }
        let d = p.floats(512)
        scale(&s0, i0, a, 128, d)
        scale(&s1, i1, a, 132, d)
        scale(&s2, i2, a, 136, d)
        scale(&s3, i3, a, 140, d)
        (p, a) = (p + bytesPanel, a + 256)
    }
    storeTile(s0, s1, s2, s3, target, stride, rows, tokens)
}

@inline(__always)
private func signedStep(_ sum: inout __m256i, _ size: __m256i, _ w: __m256i, _ a: Stream, _ at: Int, _ ones: __m256i) {
    let product = _mm256_maddubs_epi16(size, _mm256_sign_epi8(a.broadcast(at), w))
    sum = _mm256_add_epi32(sum, _mm256_madd_epi16(product, ones))
}
#endif
