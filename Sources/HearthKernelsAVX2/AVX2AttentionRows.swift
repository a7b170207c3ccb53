internal import CIntrinsics
package import HearthKernelTypes

// Rows of attention over several blocks: their parts joined, and divided at the end.

/// Adds one block's result to what is known of a row: both are brought to the larger maximum.
package func avx2MergeChunk(
    _ state: UnsafePointer<AttentionState>, maximum: Float, sum: Float, values: UnsafePointer<Float>, width: Int
) {
    guard maximum > -Float.infinity || maximum != maximum else { return }
    let old = state.pointee.maximum.pointee
    let new = maximum > old ? maximum : old
    let a = exp8(_mm256_set1_ps(old - new)), b = exp8(_mm256_set1_ps(maximum - new))
    state.pointee.maximum.pointee = new
    state.pointee.sum.pointee = state.pointee.sum.pointee * a[0] + sum * b[0]
    let total = state.pointee.values
    var d = 0
    while d < width {
        let added = _mm256_mul_ps(_mm256_loadu_ps(values + d), b)
        _mm256_storeu_ps(total + d, _mm256_fmadd_ps(_mm256_loadu_ps(total + d), a, added))
        d = d &+ 8
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
    let values = state.pointee.values
    var d = 0
    while d < width {
        out[d] = values[d] * factor
        d = d &+ 1
    }
}
