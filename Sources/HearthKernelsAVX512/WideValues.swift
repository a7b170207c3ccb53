#if arch(x86_64)
internal import CIntrinsics
internal import HearthKernelTypes

// Weighted sums of values: `out[row][d] = sum of w[row][p] * value[p][d]`, p in ascending order.

// A function for each number of rows: see the scores.

@inline(never)
func values1(_ chunk: UnsafePointer<AttentionChunk>, _ row: Int, _ low: Int, _ high: Int) {
    unsafe sumRows(chunk, row, 1, 4, low, high)
}
@inline(never)
func values2(_ chunk: UnsafePointer<AttentionChunk>, _ row: Int, _ low: Int, _ high: Int) {
    unsafe sumRows(chunk, row, 2, 4, low, high)
}
@inline(never)
func values3(_ chunk: UnsafePointer<AttentionChunk>, _ row: Int, _ low: Int, _ high: Int) {
    unsafe sumRows(chunk, row, 3, 4, low, high)
}
@inline(never)
func values4(_ chunk: UnsafePointer<AttentionChunk>, _ row: Int, _ low: Int, _ high: Int) {
    unsafe sumRows(chunk, row, 4, 4, low, high)
}
@inline(never)
func values5(_ chunk: UnsafePointer<AttentionChunk>, _ row: Int, _ low: Int, _ high: Int) {
    unsafe sumRows(chunk, row, 5, 4, low, high)
}
@inline(never)
func values6(_ chunk: UnsafePointer<AttentionChunk>, _ row: Int, _ low: Int, _ high: Int) {
    unsafe sumRows(chunk, row, 6, 4, low, high)
}
@inline(never)
func values12(_ chunk: UnsafePointer<AttentionChunk>, _ row: Int, _ low: Int, _ high: Int) {
    unsafe sumRows(chunk, row, 12, 1, low, high)
}

/// All outputs, `vectors` registers at a time, then one at a time, then half a register.
@inline(__always)
private func sumRows(
    _ chunk: UnsafePointer<AttentionChunk>, _ row: Int, _ count: Int, _ vectors: Int, _ low: Int, _ high: Int
) {
    let width = unsafe chunk.pointee.valueWidth
    var d = 0
    while d + 16 * vectors <= width {
        switch unsafe chunk.pointee.type {
        case .f32: unsafe sumTile(chunk, 0, row, count, vectors, false, d, low, high)
        case .f16: unsafe sumTile(chunk, 1, row, count, vectors, false, d, low, high)
        case .q8_0: unsafe sumTile(chunk, 2, row, count, vectors, false, d, low, high)
        }
        d += 16 * vectors
    }
    while vectors > 1 && d + 16 <= width {
        switch unsafe chunk.pointee.type {
        case .f32: unsafe sumTile(chunk, 0, row, count, 1, false, d, low, high)
        case .f16: unsafe sumTile(chunk, 1, row, count, 1, false, d, low, high)
        case .q8_0: unsafe sumTile(chunk, 2, row, count, 1, false, d, low, high)
        }
        d += 16
    }
    guard d < width else { return }
    // Never q8_0, whose blocks are 32 wide.
    switch unsafe chunk.pointee.type {
    case .f32: unsafe sumTile(chunk, 0, row, count, 1, true, d, low, high)
    default: unsafe sumTile(chunk, 1, row, count, 1, true, d, low, high)
    }
}

/// `count` rows by `vectors` registers of outputs, from output `d` on; `half`: only eight outputs. The first three are constants.
@inline(__always)
private func sumTile(
    _ chunk: UnsafePointer<AttentionChunk>, _ type: Int, _ row: Int, _ count: Int, _ vectors: Int, _ half: Bool,
    _ d: Int, _ low: Int, _ high: Int
) {
    let width = unsafe chunk.pointee.valueWidth
    let bytes = type == 0 ? 4 : type == 1 ? 2 : 1
    let step = width * bytes
    let zero = _mm512_setzero_ps()
    let ahead = unsafe chunk.pointee.next - chunk.pointee.values
    var sums = WideSums()
    if low < high {
        var v = unsafe chunk.pointee.values + (low * width + d) * bytes
        var s = unsafe chunk.pointee.valueScales + (low * (width >> 5) + d >> 5)
        var w = unsafe chunk.pointee.scores + (row * 128 + low)
        let end = unsafe w + (high - low)
        while unsafe w < end {
            var (scale0, scale2) = (zero, zero)
            if type == 2 {
                unsafe scale0 = valueScale(s)
                if vectors > 1 { unsafe scale2 = valueScale(s + 1) }
                unsafe s += width >> 5
            }
            let v0 = unsafe half ? halfVector(type, v) : valueVector(type, v, scale0)
            let v1 = unsafe vectors > 1 ? valueVector(type, v + 16 * bytes, scale0) : zero
            let v2 = unsafe vectors > 1 ? valueVector(type, v + 32 * bytes, scale2) : zero
            let v3 = unsafe vectors > 1 ? valueVector(type, v + 48 * bytes, scale2) : zero
            unsafe sums.add(vectors, count, UnsafePointer(w), 128, v0, v1, v2, v3)
            if vectors > 1 {
                for line in 0..<bytes { unsafe prefetch(v + ahead + 64 * line) }
            }
            unsafe v += step
            unsafe w += 1
        }
    }
    unsafe sums.store(vectors, count, chunk.pointee.sumsOfValues + (row * width + d), width, half ? 0xff : 0xffff)
}

/// Sixteen numbers of a value.
@inline(__always)
private func valueVector(_ type: Int, _ p: UnsafeRawPointer, _ scale: __m512) -> __m512 {
    switch type {
    case 0: unsafe _mm512_loadu_ps(p)
    case 1: unsafe _mm512_cvtph_ps(_mm256_loadu_si256(p.assumingMemoryBound(to: __m256i.self)))
    default:
        unsafe _mm512_mul_ps(
            _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(_mm_loadu_si128(p.assumingMemoryBound(to: __m128i.self)))), scale)
    }
}

/// Eight numbers of a value, and eight zeros.
@inline(__always)
private func halfVector(_ type: Int, _ p: UnsafeRawPointer) -> __m512 {
    type == 0
        ? unsafe _mm512_maskz_loadu_ps(0xff, p)
        : unsafe _mm512_cvtph_ps(_mm256_zextsi128_si256(_mm_loadu_si128(p.assumingMemoryBound(to: __m128i.self))))
}

/// One half float in every lane.
@inline(__always)
private func valueScale(_ p: UnsafePointer<UInt16>) -> __m512 {
    _mm512_broadcastss_ps(_mm_cvtph_ps(_mm_cvtsi32_si128(Int32(truncatingIfNeeded: unsafe p.pointee))))
}
#endif
