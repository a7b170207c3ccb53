internal import HearthKernelTypes
internal import HearthKernelsPortable
#if arch(x86_64)
internal import HearthKernelsAVX2
#endif

extension Compute {
    /// RMS norm of each row: `out[t, i] = x[t, i] / sqrt(mean(x[t]^2) + epsilon) * weight[i]`; x is `[tokens, out.columns]`.
    package func norm(
        _ x: UnsafePointer<Float>, weight: UnsafePointer<Float>, epsilon: Float, tokens: Int, into out: Activations
    ) throws(KernelError) {
        guard tokens > 0, tokens <= out.capacity else { throw .tokensOutOfRange(tokens: tokens, capacity: out.capacity) }
        unsafe normRows(
            x, weight: weight, epsilon: epsilon, rows: tokens, columns: out.columns, stride: out.columns,
            into: out.values, outStride: out.columns)
        out.changed()
    }

    /// RMS norm of `rows` rows of `columns` numbers that lie `stride` apart; `x` and `out` may be the same rows.
    /// (Norms per head, and norms after a block.)
    package func normRows(
        _ x: UnsafePointer<Float>, weight: UnsafePointer<Float>, epsilon: Float, rows: Int, columns: Int, stride: Int,
        into out: UnsafeMutablePointer<Float>, outStride: Int
    ) {
        guard rows > 0, columns > 0 else { return }
        let step = unsafe NormStep(
            set: set, x: x, weight: weight, epsilon: epsilon, rows: rows, columns: columns, stride: stride, out: out,
            outStride: outStride)
        unsafe run(step, items: rows, perChunk: max(1, Self.numbersPerChunk / columns)) { context, chunk, _ in
            let split = unsafe context.assumingMemoryBound(to: Split<NormStep>.self).pointee
            let (first, count) = split.range(chunk)
            split.step.rows(first, count)
        }
    }
}

@safe struct NormStep {
    let set: KernelSet
    let x: UnsafePointer<Float>
    let weight: UnsafePointer<Float>
    let epsilon: Float
    let rows: Int
    let columns: Int
    let stride: Int
    let out: UnsafeMutablePointer<Float>
    let outStride: Int

    func rows(_ first: Int, _ count: Int) {
        let (input, output) = unsafe (x + first * stride, out + first * outStride)
        switch set {
        case .reference:
            unsafe referenceNorm(
                input, weight, epsilon, rows: count, columns: columns, stride: stride, outStride: outStride, into: output)
        #if arch(x86_64)
        case .avx2:
            unsafe avx2Norm(
                input, weight, epsilon, rows: count, columns: columns, stride: stride, outStride: outStride, into: output)
        #endif
        default:
            unsafe portableNorm(
                input, weight, epsilon, rows: count, columns: columns, stride: stride, outStride: outStride, into: output)
        }
    }
}
