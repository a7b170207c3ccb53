package import HearthKernelTypes
internal import HearthKernelsPortable
#if arch(x86_64)
internal import HearthKernelsAVX2
#endif

extension Compute {
    /// `out[t, i] = act(gateUp[t, i]) * gateUp[t, width + i]`, and its quantised twin where `reader` reads that; gateUp is
    /// `[tokens, 2 * width]`.
    package func gate(
        _ gateUp: UnsafePointer<Float>, tokens: Int, width: Int, activation: GateActivation, into out: Activations,
        for reader: Linear? = nil
    ) throws(KernelError) {
        guard out.columns == width else { throw .wrongInput(columns: width, expected: out.columns) }
        guard tokens > 0, tokens <= out.capacity else { throw .tokensOutOfRange(tokens: tokens, capacity: out.capacity) }
        let packs = self.packs(out, for: reader, tokens: tokens)
        let step = unsafe GateStep(
            set: set, gateUp: gateUp, width: width, activation: activation, tokens: tokens, out: out, packs: packs)
        unsafe run(step, items: tokens, perChunk: out.tokensPerChunk(tokens)) { context, chunk, _ in
            let split = unsafe context.assumingMemoryBound(to: Split<GateStep>.self)
            let (first, count) = unsafe split.pointee.range(chunk)
            unsafe split.pointee.step.rows(first, count)
        }
        out.changed(packed: packs, tokens: tokens)
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
    let tokens: Int
    let out: Activations
    let packs: Bool

    func rows(_ first: Int, _ count: Int) {
        unsafe gate(gateUp + first * 2 * width, count, into: out.values + first * width)
        if packs { out.pack(first, count, of: tokens) }
    }

    private func gate(_ input: UnsafePointer<Float>, _ count: Int, into output: UnsafeMutablePointer<Float>) {
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

@safe struct AddStep {
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
