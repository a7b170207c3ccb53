internal import HearthKernelTypes

// Float weights: sum[r] += w[r, k] x x[k] for k in order, product and sum rounded apart, in both kernels.

/// A column of a group of 8 rows.
@inline(__always)
private func column(_ type: ElementType, _ p: Stream, _ offset: Int) -> SIMD8<Float> {
    switch type {
    case .f32: p.load(offset, as: SIMD8<Float>.self)
    case .f16: p.halves(offset)
    default:
        unsafe unsafeBitCast(widened(p.load(offset, as: SIMD8<UInt16>.self)) &<< 16, to: SIMD8<Float>.self)
    }
}

/// A group's first column and the bytes from one column to the next.
@inline(__always)
private func place(_ type: ElementType, _ w: MatrixSlice, _ group: Int) -> (first: Stream, step: Int) {
    let bundle = MatrixLayout.bundle(type, of: group, groups: (w.rows + 7) / 8)
    let columnBytes = type == .f32 ? 32 : 16
    return (
        unsafe Stream(w.base + bundle.first * w.groupBytes + (group - bundle.first) * columnBytes), bundle.count * columnBytes
    )
}

func portableFloatsOneToken(_ w: MatrixSlice, _ x: ProductInput, _ out: UnsafeMutablePointer<Float>) {
    switch w.type {
    case .f32: unsafe oneTokenF32(w, x, out)
    case .f16: unsafe portableHalvesOneToken(w, x, out)
    default: unsafe oneTokenBF16(w, x, out)
    }
}

// A function for each format, as in PortableUnpack.swift.
@inline(never)
private func oneTokenF32(_ w: MatrixSlice, _ x: ProductInput, _ out: UnsafeMutablePointer<Float>) {
    unsafe oneToken(.f32, w, x, w.firstGroup, w.endGroup, out)
}
@inline(never)
func oneTokenF16(_ w: MatrixSlice, _ x: ProductInput, _ first: Int, _ end: Int, _ out: UnsafeMutablePointer<Float>) {
    unsafe oneToken(.f16, w, x, first, end, out)
}
@inline(never)
private func oneTokenBF16(_ w: MatrixSlice, _ x: ProductInput, _ out: UnsafeMutablePointer<Float>) {
    unsafe oneToken(.bf16, w, x, w.firstGroup, w.endGroup, out)
}
@inline(never) private func unpackF32(_ w: MatrixSlice, _ group: Int, _ panel: Sink) { unpack(.f32, w, group, panel) }
@inline(never) private func unpackF16(_ w: MatrixSlice, _ group: Int, _ panel: Sink) { unpack(.f16, w, group, panel) }
@inline(never) private func unpackBF16(_ w: MatrixSlice, _ group: Int, _ panel: Sink) { unpack(.bf16, w, group, panel) }

@inline(__always)
private func oneToken(
    _ type: ElementType, _ w: MatrixSlice, _ x: ProductInput, _ first: Int, _ end: Int, _ out: UnsafeMutablePointer<Float>
) {
    let (sink, values) = unsafe (Sink(UnsafeMutableRawPointer(out)), Stream(UnsafeRawPointer(x.values)))
    var group = first
    // Two groups at a time: an addition takes three or four cycles, and one group's sums wait for each other.
    while group < end {
        let (p, step) = place(type, w, group)
        let (q, nextStep) = place(type, w, group + 1 < end ? group + 1 : group)
        var (s, t) = (SIMD8<Float>(), SIMD8<Float>())
        for k in 0..<w.columns {
            let v = values.load(4 * k, as: Float.self)
            s += column(type, p, step * k) * v
            t += column(type, q, nextStep * k) * v
        }
        putSums(s, sink, 32 * group, w.rows - 8 * group)
        if group + 1 < end { putSums(t, sink, 32 * group + 32, w.rows - 8 * group - 8) }
        group += 2
    }
}

func portableFloatTiles(
    _ w: MatrixSlice, _ x: ProductInput, _ panel: UnsafeMutableRawPointer, _ out: UnsafeMutablePointer<Float>, stride: Int
) {
    let (sink, values) = unsafe (Sink(UnsafeMutableRawPointer(out)), Stream(UnsafeRawPointer(x.values)))
    let columns = w.columns
    for group in w.firstGroup..<w.endGroup {
        let panels = unsafe Stream(panel)
        switch w.type {
        case .f32: unsafe unpackF32(w, group, Sink(panel))
        case .f16: unsafe unpackF16(w, group, Sink(panel))
        default: unsafe unpackBF16(w, group, Sink(panel))
        }
        var t = 0
        while t < x.tokens {
            // Rows of tokens that are not there read those of the last one and are not stored.
            let last = x.tokens - 1 - t
            let x0 = values + 4 * columns * t
            let x1 = x0 + 4 * columns * min(1, last)
            let x2 = x0 + 4 * columns * min(2, last)
            let x3 = x0 + 4 * columns * min(3, last)
            var s0 = SIMD8<Float>(), s1 = s0, s2 = s0, s3 = s0
            for k in 0..<columns {
                let v = panels.load(32 * k, as: SIMD8<Float>.self)
                s0 += v * x0.load(4 * k, as: Float.self)
                s1 += v * x1.load(4 * k, as: Float.self)
                s2 += v * x2.load(4 * k, as: Float.self)
                s3 += v * x3.load(4 * k, as: Float.self)
            }
            let (target, rows) = (sink + (4 * stride * t + 32 * group), w.rows - 8 * group)
            putSums(s0, target, 0, rows)
            if last > 0 { putSums(s1, target, 4 * stride, rows) }
            if last > 1 { putSums(s2, target, 8 * stride, rows) }
            if last > 2 { putSums(s3, target, 12 * stride, rows) }
            t += 4
        }
    }
}

@inline(__always)
private func unpack(_ type: ElementType, _ w: MatrixSlice, _ group: Int, _ panel: Sink) {
    let (p, step) = place(type, w, group)
    for k in 0..<w.columns { panel.put(column(type, p, step * k), 32 * k) }
}
