package import HearthKernelTypes
internal import HearthKernelsPortable
#if arch(x86_64)
internal import HearthKernelsAVX2
#endif

extension Compute {
    /// `out[t, i] = act(gateUp[t, i]) * gateUp[t, width + i]`; gateUp is `[tokens, 2 * width]`.
    package func gate(
        _ gateUp: UnsafePointer<Float>, tokens: Int, width: Int, activation: GateActivation, into out: Activations
    ) throws(KernelError) {
        guard out.columns == width else { throw .wrongInput(columns: width, expected: out.columns) }
        guard tokens > 0, tokens <= out.capacity else { throw .tokensOutOfRange(tokens: tokens, capacity: out.capacity) }
        let step = unsafe GateStep(set: set, gateUp: gateUp, width: width, activation: activation, out: out.values)
        unsafe run(step, items: tokens, perChunk: max(1, Self.numbersPerChunk / width)) { context, chunk, _ in
            let split = unsafe context.assumingMemoryBound(to: Split<GateStep>.self).pointee
            let (first, count) = split.range(chunk)
            split.step.rows(first, count)
        }
        out.changed()
    }

    /// `x[i] += y[i]`
    package func add(_ y: UnsafePointer<Float>, to x: UnsafeMutablePointer<Float>, count: Int) {
        guard count > 0 else { return }
        let step = unsafe AddStep(set: set, y: y, x: x)
        unsafe run(step, items: count, perChunk: Self.numbersPerChunk) { context, chunk, _ in
            let split = unsafe context.assumingMemoryBound(to: Split<AddStep>.self).pointee
            let (first, count) = split.range(chunk)
            split.step.part(first, count)
        }
    }
}

@safe private struct GateStep {
    let set: KernelSet
    let gateUp: UnsafePointer<Float>
    let width: Int
    let activation: GateActivation
    let out: UnsafeMutablePointer<Float>

    func rows(_ first: Int, _ count: Int) {
        let (input, output) = unsafe (gateUp + first * 2 * width, out + first * width)
        switch set {
        case .reference:
            unsafe referenceGate(input, rows: count, width: width, activation, outStride: width, into: output)
        #if arch(x86_64)
        case .avx2:
            unsafe avx2Gate(
                input, rows: count, width: width, isGelu: activation == .gelu, isClamped: activation == .clamped,
                outStride: width, into: output)
        #endif
        default:
            unsafe portableGate(input, rows: count, width: width, activation, outStride: width, into: output)
        }
    }
}

@safe private struct AddStep {
    let set: KernelSet
    let y: UnsafePointer<Float>
    let x: UnsafeMutablePointer<Float>

    func part(_ first: Int, _ count: Int) {
        switch set {
        case .reference: unsafe referenceAdd(y + first, to: x + first, count: count)
        #if arch(x86_64)
        case .avx2: unsafe avx2Add(y + first, to: x + first, count: count)
        #endif
        default: unsafe portableAdd(y + first, to: x + first, count: count)
        }
    }
}
