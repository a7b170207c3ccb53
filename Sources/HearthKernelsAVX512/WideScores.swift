#if arch(x86_64)
internal import CIntrinsics
internal import HearthKernelTypes

// Scores: `s[row][p] = q[row] . key[p]` for registers of 16 positions, two groups of the cache's 8.
//
// A function for each number of rows, which is small enough that all of it is inlined: beyond some hundred basic blocks the
// compiler leaves `scoreTile` out of line, and a loop that asks for its type and its rows is twice as slow.

@inline(never)
func scores1(_ chunk: UnsafePointer<AttentionChunk>, _ row: Int, _ first: Int, _ end: Int) {
    unsafe scoreRows(chunk, row, 1, 4, first, end)
}
@inline(never)
func scores2(_ chunk: UnsafePointer<AttentionChunk>, _ row: Int, _ first: Int, _ end: Int) {
    unsafe scoreRows(chunk, row, 2, 4, first, end)
}
@inline(never)
func scores3(_ chunk: UnsafePointer<AttentionChunk>, _ row: Int, _ first: Int, _ end: Int) {
    unsafe scoreRows(chunk, row, 3, 4, first, end)
}
@inline(never)
func scores4(_ chunk: UnsafePointer<AttentionChunk>, _ row: Int, _ first: Int, _ end: Int) {
    unsafe scoreRows(chunk, row, 4, 4, first, end)
}
@inline(never)
func scores5(_ chunk: UnsafePointer<AttentionChunk>, _ row: Int, _ first: Int, _ end: Int) {
    unsafe scoreRows(chunk, row, 5, 4, first, end)
}
@inline(never)
func scores6(_ chunk: UnsafePointer<AttentionChunk>, _ row: Int, _ first: Int, _ end: Int) {
    unsafe scoreRows(chunk, row, 6, 4, first, end)
}
@inline(never)
func scores12(_ chunk: UnsafePointer<AttentionChunk>, _ row: Int, _ first: Int, _ end: Int) {
    unsafe scoreRows(chunk, row, 12, 1, first, end)
}

/// Registers `first ..< end`, `vectors` at a time and what is left one at a time.
@inline(__always)
private func scoreRows(
    _ chunk: UnsafePointer<AttentionChunk>, _ row: Int, _ count: Int, _ vectors: Int, _ first: Int, _ end: Int
) {
    var at = first
    while at + vectors <= end {
        unsafe scoreTile(chunk, row, count, vectors, at)
        at += vectors
    }
    guard vectors > 1 else { return }
    while at < end {
        unsafe scoreTile(chunk, row, count, 1, at)
        at += 1
    }
}

@inline(__always)
private func scoreTile(_ chunk: UnsafePointer<AttentionChunk>, _ row: Int, _ count: Int, _ vectors: Int, _ at: Int) {
    switch unsafe chunk.pointee.type {
    case .f32: unsafe scoreTile(chunk, 0, row, count, vectors, at)
    case .f16: unsafe scoreTile(chunk, 1, row, count, vectors, at)
    case .q8_0: unsafe scoreTile(chunk, 2, row, count, vectors, at)
    }
}

/// `count` rows by `vectors` registers of positions, from register `at` on. `type`, `count` and `vectors` are constants.
@inline(__always)
private func scoreTile(
    _ chunk: UnsafePointer<AttentionChunk>, _ type: Int, _ row: Int, _ count: Int, _ vectors: Int, _ at: Int
) {
    let width = unsafe chunk.pointee.keyWidth
    let bytes = type == 0 ? 4 : type == 1 ? 2 : 1
    // Bytes of one group of 8 positions; a register is two groups.
    let group = width * 8 * bytes
    let blocks = type == 2 ? width >> 5 : 1
    let blockWidth = type == 2 ? 32 : width
    var keys = unsafe chunk.pointee.keys + 2 * at * group
    var q = unsafe chunk.pointee.queries + row * width
    let zero = _mm512_setzero_ps()
    var ahead = unsafe chunk.pointee.values + 2 * at * group
    var sums = WideSums()
    for block in 0..<blocks {
        var (scale0, scale1, scale2, scale3) = (zero, zero, zero, zero)
        if type == 2 {
            let s = unsafe UnsafeRawPointer(chunk.pointee.keyScales) + (2 * at * blocks + block) * 16
            unsafe scale0 = keyScale(s, blocks)
            if vectors > 1 {
                unsafe scale1 = keyScale(s + 32 * blocks, blocks)
                unsafe scale2 = keyScale(s + 64 * blocks, blocks)
                unsafe scale3 = keyScale(s + 96 * blocks, blocks)
            }
        }
        let end = unsafe q + blockWidth
        while unsafe q < end {
            let k0 = unsafe keyVector(type, keys, keys + group, scale0)
            let k1 = unsafe vectors > 1 ? keyVector(type, keys + 2 * group, keys + 3 * group, scale1) : zero
            let k2 = unsafe vectors > 1 ? keyVector(type, keys + 4 * group, keys + 5 * group, scale2) : zero
            let k3 = unsafe vectors > 1 ? keyVector(type, keys + 6 * group, keys + 7 * group, scale3) : zero
            unsafe sums.add(vectors, count, q, width, k0, k1, k2, k3)
            if vectors > 1 {
                for line in 0..<bytes { unsafe prefetch(ahead + 64 * line) }
                unsafe ahead += 64 * bytes
            }
            unsafe keys += 8 * bytes
            unsafe q += 1
        }
    }
    unsafe sums.store(vectors, count, chunk.pointee.scores + (row * 128 + at * 16), 128, 0xffff)
}

/// One number of 16 keys: eight at `a` and eight at `b`.
@inline(__always)
private func keyVector(_ type: Int, _ a: UnsafeRawPointer, _ b: UnsafeRawPointer, _ scale: __m512) -> __m512 {
    switch type {
    case 0:
        let low = unsafe _mm512_castps256_ps512(_mm256_loadu_ps(a.assumingMemoryBound(to: Float.self)))
        return unsafe _mm512_mask_loadu_ps(low, 0xff00, b - 32)
    case 1: return unsafe _mm512_cvtph_ps(halves(a, b))
    default:
        let both = unsafe _mm_unpacklo_epi64(
            _mm_loadl_epi64(a.assumingMemoryBound(to: __m128i.self)), _mm_loadl_epi64(b.assumingMemoryBound(to: __m128i.self)))
        return _mm512_mul_ps(_mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(both)), scale)
    }
}

/// Scales of 16 keys, from `s` and, one group of positions further, from there.
@inline(__always)
private func keyScale(_ s: UnsafeRawPointer, _ blocks: Int) -> __m512 { unsafe _mm512_cvtph_ps(halves(s, s + 16 * blocks)) }

/// Eight half floats at `a` and eight at `b`.
@inline(__always)
private func halves(_ a: UnsafeRawPointer, _ b: UnsafeRawPointer) -> __m256i {
    unsafe _mm256_set_m128i(
        _mm_loadu_si128(b.assumingMemoryBound(to: __m128i.self)), _mm_loadu_si128(a.assumingMemoryBound(to: __m128i.self)))
}
#endif
