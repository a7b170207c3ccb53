internal import CIntrinsics
package import HearthKernelTypes

// Rows of attention over several blocks: their parts joined, and divided at the end.

/// `out[i] = x[i] * factor`
package func avx2Scale(_ x: UnsafePointer<Float>, by factor: Float, count: Int, into out: UnsafeMutablePointer<Float>) {
    let f = _mm256_set1_ps(factor)
    var i = 0
    while i &+ 8 <= count {
        _mm256_storeu_ps(out + i, _mm256_mul_ps(_mm256_loadu_ps(x + i), f))
        i = i &+ 8
    }
    while i < count {
        out[i] = x[i] * factor
        i = i &+ 1
    }
}

// Two partial results of a row are brought to the larger maximum and added. Each order of work takes the same steps on a row:
//
//     new = max(maximum[i], old);  a = exp(old - new);  b = exp(maximum[i] - new)
//     sum = sum * a + sum[i] * b;  value[d] = fma(value[d], a, values[i][d] * b)
//
// A block that a row does not see has the maximum minus infinity and is passed over.

@inline(__always)
private func isSeen(_ maximum: Float) -> Bool { maximum > -Float.infinity || maximum != maximum }

/// Adds one block's results to what is known of `rows` rows: maxima, sums and `[rows][width]` values of each.
///
/// Maxima are read in eights: up to seven numbers behind the last row's must be readable.
package func avx2MergeRows(
    _ state: UnsafePointer<AttentionState>, _ block: UnsafePointer<AttentionChunk>, rows: Int, width: Int
) {
    var first = 0
    while first < rows {
        let old = _mm256_loadu_ps(state.pointee.maximum + first)
        let found = _mm256_loadu_ps(block.pointee.maxima + first)
        let new = _mm256_max_ps(found, old)
        let a = exp8(_mm256_sub_ps(old, new)), b = exp8(_mm256_sub_ps(found, new))
        let end = first &+ 8 < rows ? first &+ 8 : rows
        var row = first
        while row < end {
            if isSeen(block.pointee.maxima[row]) {
                let (ra, rb) = (a[row &- first], b[row &- first])
                state.pointee.maximum[row] = new[row &- first]
                state.pointee.sum[row] = state.pointee.sum[row] * ra + block.pointee.sums[row] * rb
                let total = state.pointee.values + row &* width
                let added = block.pointee.sumsOfValues + row &* width
                let (va, vb) = (_mm256_set1_ps(ra), _mm256_set1_ps(rb))
                var d = 0
                while d < width {
                    let part = _mm256_mul_ps(_mm256_loadu_ps(added + d), vb)
                    _mm256_storeu_ps(total + d, _mm256_fmadd_ps(_mm256_loadu_ps(total + d), va, part))
                    d = d &+ 8
                }
            }
            row = row &+ 1
        }
        first = end
    }
}

/// Row `row`'s results of `blocks` blocks, merged in their order into a new state.
///
/// Block i's begin at `results + i * step`: maxima and sums of `rows` rows, then `[rows][width]` values. `factors` is scratch for
/// twice as many numbers as there are blocks, rounded up to eights.
package func avx2MergeBlocks(
    _ state: UnsafePointer<AttentionState>, _ results: UnsafePointer<Float>, step: Int, blocks: Int, rows: Int, row: Int,
    width: Int, factors: UnsafeMutablePointer<Float>
) {
    let padded = (blocks &+ 7) & ~7
    let a = factors, b = factors + padded
    var maximum = -Float.infinity
    var i = 0
    while i < padded {
        a[i] = 0
        b[i] = 0
        if i < blocks {
            let found = results[i &* step &+ row]
            if isSeen(found) {
                let new = found > maximum ? found : maximum
                a[i] = maximum - new
                b[i] = found - new
                maximum = new
            }
        }
        i = i &+ 1
    }
    i = 0
    while i < 2 &* padded {
        _mm256_storeu_ps(factors + i, exp8(_mm256_loadu_ps(factors + i)))
        i = i &+ 8
    }
    var sum: Float = 0
    i = 0
    while i < blocks {
        if isSeen(results[i &* step &+ row]) { sum = sum * a[i] + results[i &* step &+ rows &+ row] * b[i] }
        i = i &+ 1
    }
    state.pointee.maximum.pointee = maximum
    state.pointee.sum.pointee = sum
    // 32 outputs at a time, so that four chains of sums run side by side, then 8.
    let values = results + (2 &* rows &+ row &* width)
    var d = 0
    while d < width {
        var v0 = _mm256_setzero_ps(), v1 = v0, v2 = v0, v3 = v0
        let isWide = d &+ 32 <= width
        i = 0
        while i < blocks {
            if isSeen(results[i &* step &+ row]) {
                let p = values + (i &* step &+ d)
                let (va, vb) = (_mm256_set1_ps(a[i]), _mm256_set1_ps(b[i]))
                v0 = _mm256_fmadd_ps(v0, va, _mm256_mul_ps(_mm256_loadu_ps(p), vb))
                if isWide {
                    v1 = _mm256_fmadd_ps(v1, va, _mm256_mul_ps(_mm256_loadu_ps(p + 8), vb))
                    v2 = _mm256_fmadd_ps(v2, va, _mm256_mul_ps(_mm256_loadu_ps(p + 16), vb))
                    v3 = _mm256_fmadd_ps(v3, va, _mm256_mul_ps(_mm256_loadu_ps(p + 24), vb))
                }
            }
            i = i &+ 1
        }
        let out = state.pointee.values + d
        _mm256_storeu_ps(out, v0)
        if isWide {
            _mm256_storeu_ps(out + 8, v1)
            _mm256_storeu_ps(out + 16, v2)
            _mm256_storeu_ps(out + 24, v3)
        }
        d = d &+ (isWide ? 32 : 8)
    }
}

/// `out[d] = values[d] / sum` for `width` numbers, with the sink's weight in the sum where there is one.
package func avx2FinishRow(
    _ state: UnsafePointer<AttentionState>, hasSink: Bool, sink: Float, width: Int, into out: UnsafeMutablePointer<Float>
) {
    var factor: Float = 1
    var sum = state.pointee.sum.pointee
    if hasSink {
        let old = state.pointee.maximum.pointee
        let new = sink > old ? sink : old
        factor = exp8(_mm256_set1_ps(old - new))[0]
        sum = sum * factor + exp8(_mm256_set1_ps(sink - new))[0]
    }
    factor = factor / sum
    avx2Scale(state.pointee.values, by: factor, count: width, into: out)
}
