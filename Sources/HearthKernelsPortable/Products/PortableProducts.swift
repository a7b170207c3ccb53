package import HearthKernelTypes

// Products of the portable set: each group of rows is unpacked to a panel, then multiplied with one token or with tiles of
// four. One (row, token) takes the same steps in both: sum += (Float(integer sum) x d) x scale, then sum += offset x s.

/// `out[row] = w[row] . x`; `panel` is this worker's scratch.
package func portableOneToken(
    _ w: MatrixSlice, _ x: ProductInput, panel: UnsafeMutableRawPointer, into out: UnsafeMutablePointer<Float>
) {
    if w.type.blockLength == 1 { return unsafe portableFloatsOneToken(w, x, out) }
    let (sink, space) = unsafe (Sink(UnsafeMutableRawPointer(out)), Sink(panel))
    for group in w.firstGroup..<w.endGroup {
        let p = unsafe Stream(w.base + group * w.groupBytes)
        let sum = unsafe dotPortable(w.type, p, w.columns, Stream(x.tiles), space)
        putSums(sum, sink, 32 * group, w.rows - 8 * group)
    }
}

/// `out[t * stride + row] = w[row] . x[t]`.
package func portableTiles(
    _ w: MatrixSlice, _ x: ProductInput, panel: UnsafeMutableRawPointer, into out: UnsafeMutablePointer<Float>, stride: Int
) {
    if w.type.blockLength == 1 { return unsafe portableFloatTiles(w, x, panel, out, stride: stride) }
    let (sink, space, panels) = unsafe (Sink(UnsafeMutableRawPointer(out)), Sink(panel), Stream(panel))
    let blocks = w.columns / 32
    for group in w.firstGroup..<w.endGroup {
        unpackPortable(w.type, unsafe Stream(w.base + group * w.groupBytes), w.columns, space)
        var t = 0
        var tile = unsafe Stream(x.tiles)
        while t < x.tokens {
            let target = sink + (4 * stride * t + 32 * group)
            let (rows, tokens) = (w.rows - 8 * group, x.tokens - t)
            switch w.type {
            case .q4_0, .q5_0, .q8_0, .q6_k, .q3_k, .iq4_nl, .iq4_xs, .mxfp4:
                tileWithoutOffset(panels, tile, blocks, target, 4 * stride, rows, tokens)
            case .q2_k: tileWithMinima(panels, tile, blocks, target, 4 * stride, rows, tokens)
            default: tileWithOffset(panels, tile, blocks, target, 4 * stride, rows, tokens)
            }
            (t, tile) = (t + 4, tile + 304 * blocks)
        }
    }
}

@inline(never)
private func tileWithOffset(
    _ p: Stream, _ a: Stream, _ blocks: Int, _ target: Sink, _ stride: Int, _ rows: Int, _ tokens: Int
) { portableTile(LayoutKind.q4_1, p, a, blocks, target, stride, rows, tokens) }

@inline(never)
private func tileWithoutOffset(
    _ p: Stream, _ a: Stream, _ blocks: Int, _ target: Sink, _ stride: Int, _ rows: Int, _ tokens: Int
) { portableTile(LayoutKind.q8_0, p, a, blocks, target, stride, rows, tokens) }

@inline(never)
private func tileWithMinima(
    _ p: Stream, _ a: Stream, _ blocks: Int, _ target: Sink, _ stride: Int, _ rows: Int, _ tokens: Int
) { portableTile(LayoutKind.q2_k, p, a, blocks, target, stride, rows, tokens) }

@inline(__always)
private func portableTile(
    _ kind: Int, _ panel: Stream, _ tile: Stream, _ blocks: Int, _ target: Sink, _ stride: Int, _ rows: Int,
    _ tokens: Int
) {
    var (p, a) = (panel, tile)
    var s0 = SIMD8<Float>(), s1 = s0, s2 = s0, s3 = s0
    for _ in 0..<blocks {
        var l0 = SIMD4<Int32>(), l1 = l0, l2 = l0, l3 = l0, h0 = l0, h1 = l0, h2 = l0, h3 = l0
        for i in 0..<16 {
            let (low, high) = (p.load(32 * i, as: SIMD8<Int16>.self), p.load(32 * i + 16, as: SIMD8<Int16>.self))
            let four = a.load(16 * i, as: SIMD4<Int32>.self)
            let a0 = spread(four[0])
            l0 &+= pairProducts(low, a0)
            h0 &+= pairProducts(high, a0)
            let a1 = spread(four[1])
            l1 &+= pairProducts(low, a1)
            h1 &+= pairProducts(high, a1)
            let a2 = spread(four[2])
            l2 &+= pairProducts(low, a2)
            h2 &+= pairProducts(high, a2)
            let a3 = spread(four[3])
            l3 &+= pairProducts(low, a3)
            h3 &+= pairProducts(high, a3)
        }
        let d = a.load(256, as: SIMD4<Float>.self)
        let s = a.load(272, as: SIMD4<Float>.self)
        let m = a.load(288, as: SIMD4<Int32>.self)
        addBlock(&s0, SIMD8(lowHalf: l0, highHalf: h0), p, d[0], s[0], m[0], kind)
        addBlock(&s1, SIMD8(lowHalf: l1, highHalf: h1), p, d[1], s[1], m[1], kind)
        addBlock(&s2, SIMD8(lowHalf: l2, highHalf: h2), p, d[2], s[2], m[2], kind)
        addBlock(&s3, SIMD8(lowHalf: l3, highHalf: h3), p, d[3], s[3], m[3], kind)
        (p, a) = (p + PortablePanel.block, a + 304)
    }
    putSums(s0, target, 0, rows)
    if tokens > 1 { putSums(s1, target, stride, rows) }
    if tokens > 2 { putSums(s2, target, 2 * stride, rows) }
    if tokens > 3 { putSums(s3, target, 3 * stride, rows) }
}

/// Scales the integer sums of one block and adds them.
@inline(__always)
func addBlock(
    _ sum: inout SIMD8<Float>, _ total: SIMD8<Int32>, _ p: Stream, _ d: Float, _ s: Float, _ halves: Int32, _ kind: Int
) {
    sum += floats(total) * d * p.load(PortablePanel.scale, as: SIMD8<Float>.self)
    switch kind {
    case LayoutKind.q4_0, LayoutKind.q5_0, LayoutKind.q8_0, LayoutKind.q6_k, LayoutKind.q3_k, LayoutKind.iq4_nl,
        LayoutKind.iq4_xs, LayoutKind.mxfp4:
        break
    case LayoutKind.q2_k:
        let v = spread(halves)
        let below = SIMD8<Int32>(
            lowHalf: pairProducts(p.load(PortablePanel.minima, as: SIMD8<Int16>.self), v),
            highHalf: pairProducts(p.load(PortablePanel.minima + 16, as: SIMD8<Int16>.self), v))
        sum += floats(below) * d * p.load(PortablePanel.dmin, as: SIMD8<Float>.self)
    default: sum += p.load(PortablePanel.offset, as: SIMD8<Float>.self) * s
    }
}

@inline(__always)
func spread(_ pair: Int32) -> SIMD8<Int16> {
    unsafe unsafeBitCast(SIMD4<Int32>(repeating: pair), to: SIMD8<Int16>.self)
}

/// The first `count` of 8 sums.
@inline(__always)
func putSums(_ v: SIMD8<Float>, _ target: Sink, _ offset: Int, _ count: Int) {
    if count >= 8 { return target.put(v, offset) }
    for i in 0..<count { target.put(v[i], offset + 4 * i) }
}
