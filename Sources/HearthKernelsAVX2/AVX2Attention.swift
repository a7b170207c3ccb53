internal import CIntrinsics
package import HearthKernelTypes

// Attention over one block of 128 positions; the formulas are in AttentionChunk.
//
// Scores: 6 queries by 16 positions, 12 sums in registers. Of a step's 22 instructions (2 loads with conversion, 6 broadcasts,
// 12 fused products) 12 multiply; in decode 3 queries share a load and memory is the bound.
// Values: 2 rows of weights by 32 outputs, 8 sums in registers. (With 3 rows and 12 sums some wait in memory: a third slower.)

package func avx2AttendChunk(_ chunk: UnsafePointer<AttentionChunk>) {
    let rows = chunk.pointee.rows
    var row = 0
    while row < rows {
        // Six while there are so many; seven are four and three, five are three and two.
        let left = rows &- row
        let count = left > 7 || left == 6 ? 6 : left == 7 ? 4 : left == 5 ? 3 : left
        // Slots that any row of them sees.
        var low = 128, high = 0
        for r in row..<row &+ count {
            let l = Int(chunk.pointee.lows[r]), h = Int(chunk.pointee.highs[r])
            if l < h {
                if l < low { low = l }
                if h > high { high = h }
            }
        }
        // Pairs of groups of 8 positions. What lies beyond `high` in the last pair is computed and masked.
        let first = low >> 4
        let end = (high &+ 15) >> 4
        switch count {
        case 1: scores1(chunk, row, first, end)
        case 2: scores2(chunk, row, first, end)
        case 3: scores3(chunk, row, first, end)
        case 4: scores4(chunk, row, first, end)
        default: scores6(chunk, row, first, end)
        }
        for r in row..<row &+ count { weigh(chunk, r, first << 4, end << 4) }
        // In pairs.
        var r = row
        while r < row &+ count &- 1 {
            values2(chunk, r, low, high)
            r = r &+ 2
        }
        if r < row &+ count { values1(chunk, r, low, high) }
        row = row &+ count
    }
}

// A function for each number of rows, which is small enough that all of it is inlined: beyond some hundred basic blocks the
// compiler leaves `scoreRows` out of line, and a loop that asks for its type and its rows is several times slower.

@inline(never)
private func scores1(_ chunk: UnsafePointer<AttentionChunk>, _ row: Int, _ first: Int, _ end: Int) {
    scoreRows(chunk, row, 1, first, end)
}
@inline(never)
private func scores2(_ chunk: UnsafePointer<AttentionChunk>, _ row: Int, _ first: Int, _ end: Int) {
    scoreRows(chunk, row, 2, first, end)
}
@inline(never)
private func scores3(_ chunk: UnsafePointer<AttentionChunk>, _ row: Int, _ first: Int, _ end: Int) {
    scoreRows(chunk, row, 3, first, end)
}
@inline(never)
private func scores4(_ chunk: UnsafePointer<AttentionChunk>, _ row: Int, _ first: Int, _ end: Int) {
    scoreRows(chunk, row, 4, first, end)
}
@inline(never)
private func scores6(_ chunk: UnsafePointer<AttentionChunk>, _ row: Int, _ first: Int, _ end: Int) {
    scoreRows(chunk, row, 6, first, end)
}
@inline(never)
private func values1(_ chunk: UnsafePointer<AttentionChunk>, _ row: Int, _ low: Int, _ high: Int) {
    sumRows(chunk, row, 1, low, high)
}
@inline(never)
private func values2(_ chunk: UnsafePointer<AttentionChunk>, _ row: Int, _ low: Int, _ high: Int) {
    sumRows(chunk, row, 2, low, high)
}
@inline(__always)
private func scoreRows(_ chunk: UnsafePointer<AttentionChunk>, _ row: Int, _ count: Int, _ firstPair: Int, _ endPair: Int) {
    guard firstPair < endPair else { return }
    switch chunk.pointee.type {
    case .f32: scoreRows(chunk, 0, row, count, firstPair, endPair)
    case .f16: scoreRows(chunk, 1, row, count, firstPair, endPair)
    case .q8_0: scoreRows(chunk, 2, row, count, firstPair, endPair)
    }
}

@inline(__always)
private func sumRows(_ chunk: UnsafePointer<AttentionChunk>, _ row: Int, _ count: Int, _ low: Int, _ high: Int) {
    switch chunk.pointee.type {
    case .f32: sumRows(chunk, 0, row, count, low, high)
    case .f16: sumRows(chunk, 1, row, count, low, high)
    case .q8_0: sumRows(chunk, 2, row, count, low, high)
    }
}

/// Eight keys' number `index / 8` as Float32.
@inline(__always)
private func loadKeys(_ type: Int, _ base: UnsafeRawPointer, _ index: Int, _ scale: __m256) -> __m256 {
    switch type {
    case 0: _mm256_loadu_ps((base + index &* 4).assumingMemoryBound(to: Float.self))
    case 1: _mm256_cvtph_ps(_mm_loadu_si128((base + index &* 2).assumingMemoryBound(to: __m128i.self)))
    default: _mm256_mul_ps(codes(base + index), scale)
    }
}

/// Eight signed bytes as Float32.
@inline(__always)
private func codes(_ p: UnsafeRawPointer) -> __m256 {
    _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(_mm_loadl_epi64(p.assumingMemoryBound(to: __m128i.self))))
}

/// Scores of `count` (a constant) rows from `row` on.
@inline(__always)
private func scoreRows(
    _ chunk: UnsafePointer<AttentionChunk>, _ type: Int, _ row: Int, _ count: Int, _ firstPair: Int, _ endPair: Int
) {
    let width = chunk.pointee.keyWidth
    let keys = chunk.pointee.keys
    let q = chunk.pointee.queries + row &* width
    let out = chunk.pointee.scores + row &* 128
    let blocks = type == 2 ? width >> 5 : 1
    let blockWidth = type == 2 ? 32 : width
    let bytes = type == 0 ? 4 : type == 1 ? 2 : 1
    let zero = _mm256_setzero_ps()
    for pair in firstPair..<endPair {
        var a0 = zero, a1 = zero, a2 = zero, a3 = zero, a4 = zero, a5 = zero
        var b0 = zero, b1 = zero, b2 = zero, b3 = zero, b4 = zero, b5 = zero
        let first = pair &* 2 &* width &* 8
        var ahead = chunk.pointee.values + first &* bytes
        for block in 0..<blocks {
            var scaleA = zero, scaleB = zero
            if type == 2 {
                let s = chunk.pointee.keyScales + (pair &* 2 &* blocks &+ block) &* 8
                scaleA = _mm256_cvtph_ps(_mm_loadu_si128(UnsafeRawPointer(s).assumingMemoryBound(to: __m128i.self)))
                scaleB = _mm256_cvtph_ps(
                    _mm_loadu_si128(UnsafeRawPointer(s + blocks &* 8).assumingMemoryBound(to: __m128i.self)))
            }
            var d = block &* blockWidth
            let end = d &+ blockWidth
            while d < end {
                let ka = loadKeys(type, keys, first &+ d &* 8, scaleA)
                let kb = loadKeys(type, keys, first &+ (width &+ d) &* 8, scaleB)
                let q0 = _mm256_broadcast_ss(q + d)
                a0 = _mm256_fmadd_ps(q0, ka, a0)
                b0 = _mm256_fmadd_ps(q0, kb, b0)
                if count > 1 {
                    let q1 = _mm256_broadcast_ss(q + (width &+ d))
                    a1 = _mm256_fmadd_ps(q1, ka, a1)
                    b1 = _mm256_fmadd_ps(q1, kb, b1)
                }
                if count > 2 {
                    let q2 = _mm256_broadcast_ss(q + (2 &* width &+ d))
                    a2 = _mm256_fmadd_ps(q2, ka, a2)
                    b2 = _mm256_fmadd_ps(q2, kb, b2)
                }
                if count > 3 {
                    let q3 = _mm256_broadcast_ss(q + (3 &* width &+ d))
                    a3 = _mm256_fmadd_ps(q3, ka, a3)
                    b3 = _mm256_fmadd_ps(q3, kb, b3)
                }
                if count > 4 {
                    let q4 = _mm256_broadcast_ss(q + (4 &* width &+ d))
                    a4 = _mm256_fmadd_ps(q4, ka, a4)
                    b4 = _mm256_fmadd_ps(q4, kb, b4)
                }
                if count > 5 {
                    let q5 = _mm256_broadcast_ss(q + (5 &* width &+ d))
                    a5 = _mm256_fmadd_ps(q5, ka, a5)
                    b5 = _mm256_fmadd_ps(q5, kb, b5)
                }
                prefetch(ahead)
                ahead = ahead + 16 &* bytes
                d = d &+ 1
            }
        }
        let o = out + pair &* 16
        _mm256_storeu_ps(o, a0)
        _mm256_storeu_ps(o + 8, b0)
        if count > 1 {
            _mm256_storeu_ps(o + 128, a1)
            _mm256_storeu_ps(o + 136, b1)
        }
        if count > 2 {
            _mm256_storeu_ps(o + 256, a2)
            _mm256_storeu_ps(o + 264, b2)
        }
        if count > 3 {
            _mm256_storeu_ps(o + 384, a3)
            _mm256_storeu_ps(o + 392, b3)
        }
        if count > 4 {
            _mm256_storeu_ps(o + 512, a4)
            _mm256_storeu_ps(o + 520, b4)
        }
        if count > 5 {
            _mm256_storeu_ps(o + 640, a5)
            _mm256_storeu_ps(o + 648, b5)
        }
    }
}

/// One row of scores, slots `first ..< end` (multiples of 16), to weights: zero where the row does not look.
@inline(__always)
private func weigh(_ chunk: UnsafePointer<AttentionChunk>, _ row: Int, _ first: Int, _ end: Int) {
    let low = Int(chunk.pointee.lows[row]), high = Int(chunk.pointee.highs[row])
    let s = chunk.pointee.scores + row &* 128
    guard low < high else {
        var i = first
        while i < end {
            _mm256_storeu_ps(s + i, _mm256_setzero_ps())
            i = i &+ 8
        }
        chunk.pointee.maxima[row] = -Float.infinity
        chunk.pointee.sums[row] = 0
        return
    }
    let cap = chunk.pointee.softCap
    let infinite = _mm256_set1_ps(-Float.infinity)
    var most = infinite
    var i = first
    while i < end {
        var v = _mm256_loadu_ps(s + i)
        if cap > 0 { v = _mm256_mul_ps(tanh8(_mm256_div_ps(v, _mm256_set1_ps(cap))), _mm256_set1_ps(cap)) }
        if i < low || i &+ 8 > high {
            // Lanes low - i ..< high - i stay.
            let inside = _mm256_andnot_si256(firstLanes(low &- i), firstLanes(high &- i))
            v = _mm256_blendv_ps(infinite, v, _mm256_castsi256_ps(inside))
        }
        _mm256_storeu_ps(s + i, v)
        most = _mm256_max_ps(v, most)
        i = i &+ 8
    }
    let maximum = largestLane(most)
    let m = _mm256_set1_ps(maximum)
    var sum = _mm256_setzero_ps()
    i = first
    while i < end {
        let w = exp8(_mm256_sub_ps(_mm256_loadu_ps(s + i), m))
        _mm256_storeu_ps(s + i, w)
        sum = _mm256_add_ps(sum, w)
        i = i &+ 8
    }
    chunk.pointee.maxima[row] = maximum
    chunk.pointee.sums[row] = sumOfLanes(sum)
}

/// Weighted sums of values for `count` (a constant) rows from `row` on.
@inline(__always)
private func sumRows(
    _ chunk: UnsafePointer<AttentionChunk>, _ type: Int, _ row: Int, _ count: Int, _ low: Int, _ high: Int
) {
    let width = chunk.pointee.valueWidth
    let w = chunk.pointee.scores + row &* 128
    let out = chunk.pointee.sumsOfValues + row &* width
    let next = chunk.pointee.next
    let bytes = type == 0 ? 4 : type == 1 ? 2 : 1
    let zero = _mm256_setzero_ps()
    var d = 0
    while d &+ 32 <= width {
        var a0 = zero, a1 = zero, a2 = zero, a3 = zero
        var b0 = zero, b1 = zero, b2 = zero, b3 = zero
        var p = low
        while p < high {
            let index = p &* width &+ d
            let scale = type == 2 ? valueScale(chunk, p &* (width >> 5) &+ d >> 5) : zero
            prefetch(next + index &* bytes)
            let v0 = loadKeys(type, chunk.pointee.values, index, scale)
            let v1 = loadKeys(type, chunk.pointee.values, index &+ 8, scale)
            let v2 = loadKeys(type, chunk.pointee.values, index &+ 16, scale)
            let v3 = loadKeys(type, chunk.pointee.values, index &+ 24, scale)
            let wa = _mm256_broadcast_ss(w + p)
            a0 = _mm256_fmadd_ps(wa, v0, a0)
            a1 = _mm256_fmadd_ps(wa, v1, a1)
            a2 = _mm256_fmadd_ps(wa, v2, a2)
            a3 = _mm256_fmadd_ps(wa, v3, a3)
            if count > 1 {
                let wb = _mm256_broadcast_ss(w + (p &+ 128))
                b0 = _mm256_fmadd_ps(wb, v0, b0)
                b1 = _mm256_fmadd_ps(wb, v1, b1)
                b2 = _mm256_fmadd_ps(wb, v2, b2)
                b3 = _mm256_fmadd_ps(wb, v3, b3)
            }
            p = p &+ 1
        }
        store4(out + d, a0, a1, a2, a3)
        if count > 1 { store4(out + (width &+ d), b0, b1, b2, b3) }
        d = d &+ 32
    }
    // Widths that are no multiple of 32: eight outputs at a time (never q8_0, whose blocks are 32 wide).
    while d < width {
        var a = zero, b = zero
        var p = low
        while p < high {
            let v = loadKeys(type, chunk.pointee.values, p &* width &+ d, zero)
            a = _mm256_fmadd_ps(_mm256_broadcast_ss(w + p), v, a)
            if count > 1 { b = _mm256_fmadd_ps(_mm256_broadcast_ss(w + (p &+ 128)), v, b) }
            p = p &+ 1
        }
        _mm256_storeu_ps(out + d, a)
        if count > 1 { _mm256_storeu_ps(out + (width &+ d), b) }
        d = d &+ 8
    }
}

/// One half float in every lane.
@inline(__always)
private func valueScale(_ chunk: UnsafePointer<AttentionChunk>, _ index: Int) -> __m256 {
    let bits = Int32(truncatingIfNeeded: chunk.pointee.valueScales[index])
    return _mm256_broadcastss_ps(_mm_cvtph_ps(_mm_cvtsi32_si128(bits)))
}

@inline(__always)
private func store4(_ p: UnsafeMutablePointer<Float>, _ a: __m256, _ b: __m256, _ c: __m256, _ d: __m256) {
    _mm256_storeu_ps(p, a)
    _mm256_storeu_ps(p + 8, b)
    _mm256_storeu_ps(p + 16, c)
    _mm256_storeu_ps(p + 24, d)
}
