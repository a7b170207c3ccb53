#if arch(x86_64)
internal import CIntrinsics
internal import HearthKernelTypes

// Float weights: sum[r] = fma(w[r, k], x[k], sum[r]) for k in order, in every kernel.

/// A column of a group of 8 rows.
@inline(__always)
private func column(_ type: ElementType, _ p: Stream, _ offset: Int) -> __m256 {
    switch type {
    case .f32: p.floats(offset)
    case .f16: p.halves(offset)
    default: unsafe unsafeBitCast(_mm256_slli_epi32(_mm256_cvtepu16_epi32(p.half(offset)), 16), to: __m256.self)
    }
}

/// Bytes of a column of 8 rows.
@inline(__always)
private func columnBytes(_ type: ElementType) -> Int {
    // No `==`, whose table of functions would be shared with other targets.
    switch type {
    case .f32: 32
    default: 16
    }
}

/// A group's first column and the bytes from one column to the next.
@inline(__always)
private func place(_ type: ElementType, _ w: MatrixSlice, _ group: Int) -> (first: Stream, step: Int) {
    let bundle = MatrixLayout.bundle(type, of: group, groups: (w.rows + 7) / 8)
    let bytes = columnBytes(type)
    return (unsafe Stream(w.base + bundle.first * w.groupBytes + (group - bundle.first) * bytes), bundle.count * bytes)
}

func floatsOneToken(_ w: MatrixSlice, _ x: ProductInput, _ out: UnsafeMutablePointer<Float>) {
    switch w.type {
    case .f32: unsafe oneTokenF32(w, x, out)
    case .f16: unsafe oneTokenF16(w, x, out)
    default: unsafe oneTokenBF16(w, x, out)
    }
}

// A function for each format, as in OneToken.swift.
@inline(never)
private func oneTokenF32(_ w: MatrixSlice, _ x: ProductInput, _ out: UnsafeMutablePointer<Float>) {
    unsafe floatsOneToken(.f32, w, x, out)
}
@inline(never)
private func oneTokenF16(_ w: MatrixSlice, _ x: ProductInput, _ out: UnsafeMutablePointer<Float>) {
    unsafe floatsOneToken(.f16, w, x, out)
}
@inline(never)
private func oneTokenBF16(_ w: MatrixSlice, _ x: ProductInput, _ out: UnsafeMutablePointer<Float>) {
    unsafe floatsOneToken(.bf16, w, x, out)
}
@inline(never) private func unpackF32(_ w: MatrixSlice, _ group: Int, _ panel: Sink) { unpack(.f32, w, group, panel) }
@inline(never) private func unpackF16(_ w: MatrixSlice, _ group: Int, _ panel: Sink) { unpack(.f16, w, group, panel) }
@inline(never) private func unpackBF16(_ w: MatrixSlice, _ group: Int, _ panel: Sink) { unpack(.bf16, w, group, panel) }

/// Four groups at a time, a whole bundle: an FMA takes four cycles, and one group's sums wait for each other.
@inline(__always)
private func floatsOneToken(_ type: ElementType, _ w: MatrixSlice, _ x: ProductInput, _ out: UnsafeMutablePointer<Float>) {
    let sink = unsafe Sink(UnsafeMutableRawPointer(out))
    let values = unsafe Stream(UnsafeRawPointer(x.values))
    let bytes = columnBytes(type)
    var group = w.firstGroup
    while group < w.endGroup {
        let (first, step) = place(type, w, group)
        if step == 4 * bytes, group % 4 == 0, group + 4 <= w.endGroup {
            var p = first
            var s0 = _mm256_setzero_ps(), s1 = s0, s2 = s0, s3 = s0
            for k in 0..<w.columns {
                let v = values.broadcastFloat(4 * k)
                s0 = _mm256_fmadd_ps(column(type, p, 0), v, s0)
                s1 = _mm256_fmadd_ps(column(type, p, bytes), v, s1)
                s2 = _mm256_fmadd_ps(column(type, p, 2 * bytes), v, s2)
                s3 = _mm256_fmadd_ps(column(type, p, 3 * bytes), v, s3)
                p = p + 4 * bytes
            }
            sink.store(s0, 32 * group)
            sink.store(s1, 32 * group + 32)
            sink.store(s2, 32 * group + 64)
            sink.storeSums(s3, 32 * group + 96, w.rows - 8 * (group + 3))
            group += 4
            continue
        }
        var p = first
        var s = _mm256_setzero_ps()
        for k in 0..<w.columns {
            s = _mm256_fmadd_ps(column(type, p, 0), values.broadcastFloat(4 * k), s)
            p = p + step
        }
        sink.storeSums(s, 32 * group, w.rows - 8 * group)
        group += 1
    }
}

/// Writes a group as Float32, `[column][row]`.
@inline(__always)
private func unpack(_ type: ElementType, _ w: MatrixSlice, _ group: Int, _ panel: Sink) {
    let (p, step) = place(type, w, group)
    for k in 0..<w.columns { panel.store(column(type, p, step * k), 32 * k) }
}

/// Many tokens: two groups of rows as Float32, 4 tokens at a time. Eight sums hide the FMA's four cycles, and each pair of
/// weights and each broadcast serves several of them.
func floatTiles(
    _ w: MatrixSlice, _ x: ProductInput, _ panel: UnsafeMutableRawPointer, _ out: UnsafeMutablePointer<Float>, stride: Int
) {
    let sink = unsafe Sink(UnsafeMutableRawPointer(out))
    let values = unsafe Stream(UnsafeRawPointer(x.values))
    let columns = w.columns
    let half = 32 * columns
    var group = w.firstGroup
    while group < w.endGroup {
        let two = group + 1 < w.endGroup
        let panels = unsafe Stream(panel)
        let space = unsafe Sink(panel)
        for g in 0..<(two ? 2 : 1) {
            switch w.type {
            case .f32: unpackF32(w, group + g, space + g * half)
            case .f16: unpackF16(w, group + g, space + g * half)
            default: unpackBF16(w, group + g, space + g * half)
            }
        }
        var t = 0
        while t < x.tokens {
            // Rows of tokens that are not there read those of the last one and are not stored.
            let last = x.tokens - 1 - t
            let x0 = values + 4 * columns * t
            let x1 = x0 + 4 * columns * min(1, last)
            let x2 = x0 + 4 * columns * min(2, last)
            let x3 = x0 + 4 * columns * min(3, last)
            let target = sink + (4 * stride * t + 32 * group)
            let rows = w.rows - 8 * group
            if two {
                floatTile16(panels, half, columns, x0, x1, x2, x3, target, 4 * stride, rows, last + 1)
            } else {
                floatTile8(panels, columns, x0, x1, x2, x3, target, 4 * stride, rows, last + 1)
            }
            t += 4
        }
        group += 2
    }
}

private func floatTile16(
    _ p: Stream, _ half: Int, _ columns: Int, _ x0: Stream, _ x1: Stream, _ x2: Stream, _ x3: Stream,
    _ target: Sink, _ stride: Int, _ rows: Int, _ tokens: Int
) {
    let q = p + half
    var s00 = _mm256_setzero_ps(), s01 = s00, s02 = s00, s03 = s00
    var s10 = s00, s11 = s00, s12 = s00, s13 = s00
    for k in 0..<columns {
        let (w0, w1) = (p.floats(32 * k), q.floats(32 * k))
        let a0 = x0.broadcastFloat(4 * k)
        s00 = _mm256_fmadd_ps(w0, a0, s00)
        s10 = _mm256_fmadd_ps(w1, a0, s10)
        let a1 = x1.broadcastFloat(4 * k)
        s01 = _mm256_fmadd_ps(w0, a1, s01)
        s11 = _mm256_fmadd_ps(w1, a1, s11)
        let a2 = x2.broadcastFloat(4 * k)
        s02 = _mm256_fmadd_ps(w0, a2, s02)
        s12 = _mm256_fmadd_ps(w1, a2, s12)
        let a3 = x3.broadcastFloat(4 * k)
        s03 = _mm256_fmadd_ps(w0, a3, s03)
        s13 = _mm256_fmadd_ps(w1, a3, s13)
    }
    storeTile(s00, s01, s02, s03, target, stride, rows, tokens)
    storeTile(s10, s11, s12, s13, target + 32, stride, rows - 8, tokens)
}

private func floatTile8(
    _ p: Stream, _ columns: Int, _ x0: Stream, _ x1: Stream, _ x2: Stream, _ x3: Stream,
    _ target: Sink, _ stride: Int, _ rows: Int, _ tokens: Int
) {
    var s0 = _mm256_setzero_ps(), s1 = s0, s2 = s0, s3 = s0
    for k in 0..<columns {
        let w = p.floats(32 * k)
        s0 = _mm256_fmadd_ps(w, x0.broadcastFloat(4 * k), s0)
        s1 = _mm256_fmadd_ps(w, x1.broadcastFloat(4 * k), s1)
        s2 = _mm256_fmadd_ps(w, x2.broadcastFloat(4 * k), s2)
        s3 = _mm256_fmadd_ps(w, x3.broadcastFloat(4 * k), s3)
    }
    storeTile(s0, s1, s2, s3, target, stride, rows, tokens)
}

/// Sums of up to four tokens, `stride` bytes apart.
@inline(__always)
func storeTile(
    _ s0: __m256, _ s1: __m256, _ s2: __m256, _ s3: __m256, _ target: Sink, _ stride: Int, _ rows: Int, _ tokens: Int
) {
    target.storeSums(s0, 0, rows)
    if tokens > 1 { target.storeSums(s1, stride, rows) }
    if tokens > 2 { target.storeSums(s2, 2 * stride, rows) }
    if tokens > 3 { target.storeSums(s3, 3 * stride, rows) }
}

/// The sums that `storeTile` left.
@inline(__always)
func resumeTile(
    _ s0: inout __m256, _ s1: inout __m256, _ s2: inout __m256, _ s3: inout __m256, _ target: Sink, _ stride: Int,
    _ rows: Int, _ tokens: Int
) {
    s0 = target.loadSums(0, rows)
    if tokens > 1 { s1 = target.loadSums(stride, rows) }
    if tokens > 2 { s2 = target.loadSums(2 * stride, rows) }
    if tokens > 3 { s3 = target.loadSums(3 * stride, rows) }
}
#endif
