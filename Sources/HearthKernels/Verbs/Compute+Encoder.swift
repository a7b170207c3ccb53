import HearthKernelTypes
internal import HearthKernelsPortable
#if arch(x86_64)
internal import HearthKernelsAVX2
#endif

/// What encoders have in place of an RMS norm and a gate.
extension Compute {
    /// Layer norm of each row: `out[t, i] = (x[t, i] - mean(x[t])) / sqrt(variance(x[t]) + epsilon) * weight[i] + bias[i]`;
    /// x is `[tokens, out.columns]` and may be `out.values`.
    package func layerNorm(
        _ x: UnsafePointer<Float>, weight: UnsafePointer<Float>, bias: UnsafePointer<Float>, epsilon: Float, tokens: Int,
        into out: Activations
    ) throws(KernelError) {
        guard tokens > 0, tokens <= out.capacity else { throw .tokensOutOfRange(tokens: tokens, capacity: out.capacity) }
        let step = unsafe LayerNormStep(
            set: set, x: x, weight: weight, bias: bias, epsilon: epsilon, columns: out.columns, out: out.values)
        unsafe run(step, items: tokens, perChunk: max(1, Self.numbersPerChunk / out.columns)) { context, chunk, _ in
            let split = unsafe context.assumingMemoryBound(to: Split<LayerNormStep>.self).pointee
            let (first, count) = split.range(chunk)
            split.step.rows(first, count)
        }
        out.changed()
    }

    /// `out[t, i] = gelu(x[t, i] + bias[i])` by the error-function form, `x (1 + erf(x / sqrt 2)) / 2`; x is
    /// `[tokens, out.columns]`.
    package func gelu(
        _ x: UnsafePointer<Float>, bias: UnsafePointer<Float>, tokens: Int, into out: Activations
    ) throws(KernelError) {
        guard tokens > 0, tokens <= out.capacity else { throw .tokensOutOfRange(tokens: tokens, capacity: out.capacity) }
        let step = unsafe GELUStep(set: set, x: x, bias: bias, columns: out.columns, out: out.values)
        unsafe run(step, items: tokens, perChunk: max(1, Self.numbersPerChunk / out.columns)) { context, chunk, _ in
            let split = unsafe context.assumingMemoryBound(to: Split<GELUStep>.self).pointee
            let (first, count) = split.range(chunk)
            split.step.rows(first, count)
        }
        out.changed()
    }
}

@safe private struct LayerNormStep {
    let set: KernelSet
    let x: UnsafePointer<Float>
    let weight: UnsafePointer<Float>
    let bias: UnsafePointer<Float>
    let epsilon: Float
    let columns: Int
    let out: UnsafeMutablePointer<Float>

    func rows(_ first: Int, _ count: Int) {
        let (input, output) = unsafe (x + first * columns, out + first * columns)
        switch set {
        case .reference: unsafe referenceLayerNorm(input, weight, bias, epsilon, rows: count, columns: columns, into: output)
        #if arch(x86_64)
        case .avx2: unsafe avx2LayerNorm(input, weight, bias, epsilon, rows: count, columns: columns, into: output)
        #endif
        default: unsafe portableLayerNorm(input, weight, bias, epsilon, rows: count, columns: columns, into: output)
        }
    }
}

@safe private struct GELUStep {
    let set: KernelSet
    let x: UnsafePointer<Float>
    let bias: UnsafePointer<Float>
    let columns: Int
    let out: UnsafeMutablePointer<Float>

    func rows(_ first: Int, _ count: Int) {
        let (input, output) = unsafe (x + first * columns, out + first * columns)
        switch set {
        case .reference: unsafe referenceGELU(input, bias, rows: count, columns: columns, into: output)
        #if arch(x86_64)
        case .avx2: unsafe avx2GELU(input, bias, rows: count, columns: columns, into: output)
        #endif
        default: unsafe portableGELU(input, bias, rows: count, columns: columns, into: output)
        }
    }
}
