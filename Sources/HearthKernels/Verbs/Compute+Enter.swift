internal import HearthKernelTypes

/// What is still to be added to a state: the result of the branch before, as that branch wants it.
@safe package struct Residual {
    /// `[tokens, width]`; changed on the way.
    let branch: UnsafeMutablePointer<Float>
    /// Of an RMS norm of the branch's result.
    let weight: UnsafePointer<Float>?
    let epsilon: Float
    /// A factor of the branch's result.
    let scale: Float

    package init(branch: UnsafeMutablePointer<Float>, weight: UnsafePointer<Float>?, epsilon: Float, scale: Float) {
        unsafe self.branch = unsafe branch
        unsafe self.weight = unsafe weight
        self.epsilon = epsilon
        self.scale = scale
    }
}

extension Compute {
    /// The way into a branch in one pass over the tokens: `x += scale * norm(residual)`, `out = norm(x)` (x itself without a
    /// `weight`), and the quantised twin of `out` where `reader` reads that. x is `[tokens, out.columns]`.
    ///
    /// The same operations on each number as `normRows`, `add`, `norm` and `quantise` one after the other. One token is the
    /// caller's own work: it takes less time than handing it over.
    package func enter(
        _ x: UnsafeMutablePointer<Float>, adding residual: Residual?, weight: UnsafePointer<Float>?, epsilon: Float, tokens: Int,
        into out: Activations, for reader: Linear?
    ) throws(KernelError) {
        guard tokens > 0, tokens <= out.capacity else { throw .tokensOutOfRange(tokens: tokens, capacity: out.capacity) }
        let packs = self.packs(out, for: reader, tokens: tokens)
        let step = unsafe EnterStep(
            set: set, x: x, residual: residual, weight: weight, epsilon: epsilon, tokens: tokens, out: out, packs: packs)
        unsafe run(step, items: tokens, perChunk: out.tokensPerChunk(tokens)) { context, chunk, _ in
            let split = unsafe context.assumingMemoryBound(to: Split<EnterStep>.self)
            let (first, count) = unsafe split.pointee.range(chunk)
            unsafe split.pointee.step.run(first, count)
        }
        out.changed(packed: packs, tokens: tokens)
    }

    /// `x += scale * norm(residual)`, x `[tokens, columns]`.
    package func settle(_ residual: Residual, on x: UnsafeMutablePointer<Float>, tokens: Int, columns: Int) {
        guard tokens > 0, columns > 0 else { return }
        let step = unsafe SettleStep(set: set, x: x, residual: residual, columns: columns)
        unsafe run(step, items: tokens, perChunk: max(1, Self.numbersPerChunk / columns)) { context, chunk, _ in
            let split = unsafe context.assumingMemoryBound(to: Split<SettleStep>.self).pointee
            let (first, count) = split.range(chunk)
            split.step.run(first, count)
        }
    }
}

/// The residual's part, for tokens from `first` on.
@safe private struct SettleStep {
    let set: KernelSet
    let x: UnsafeMutablePointer<Float>
    let residual: Residual
    let columns: Int

    func run(_ first: Int, _ count: Int) {
        let branch = unsafe residual.branch + first * columns
        if let weight = unsafe residual.weight {
            unsafe NormStep(
                set: set, x: branch, weight: weight, epsilon: residual.epsilon, rows: count, columns: columns, stride: columns,
                out: branch, outStride: columns
            ).rows(0, count)
        }
        if residual.scale != 1 {
            for index in 0..<count * columns { unsafe branch[index] *= residual.scale }
        }
        unsafe AddStep(set: set, y: branch, x: x + first * columns).part(0, count * columns)
    }
}

@safe private struct EnterStep {
    let set: KernelSet
    let x: UnsafeMutablePointer<Float>
    let residual: Residual?
    let weight: UnsafePointer<Float>?
    let epsilon: Float
    let tokens: Int
    let out: Activations
    let packs: Bool

    func run(_ first: Int, _ count: Int) {
        let columns = out.columns
        if let residual { unsafe SettleStep(set: set, x: x, residual: residual, columns: columns).run(first, count) }
        if let weight = unsafe weight {
            unsafe NormStep(
                set: set, x: x, weight: weight, epsilon: epsilon, rows: tokens, columns: columns, stride: columns, out: out.values,
                outStride: columns
            ).rows(first, count)
        } else {
            unsafe (out.values + first * columns).update(from: x + first * columns, count: count * columns)
        }
        if packs { out.pack(first, count, of: tokens) }
    }
}
