internal import HearthKernelsPortable
internal import HearthKernelTypes

/// What a token's queries, keys and values go through between their product and attention. Parts that a layer does not have are
/// nil; the order is that of the computation.
@safe package struct HeadSteps {
    let heads: Int
    /// Added to queries, keys and values, as wide as they are together.
    let bias: UnsafePointer<Float>?
    let queryNorm: Norm?
    let keyNorm: Norm?
    let epsilon: Float
    let rope: RopeTable?

    /// An RMS norm of each head by itself, or of all together where its weight is as wide as they are.
    @safe package struct Norm {
        let weight: UnsafePointer<Float>
        let count: Int

        package init(weight: UnsafePointer<Float>, count: Int) {
            unsafe self.weight = unsafe weight
            self.count = count
        }
    }

    package init(
        heads: Int, bias: UnsafePointer<Float>? = nil, queryNorm: Norm? = nil, keyNorm: Norm? = nil, epsilon: Float = 0,
        rope: RopeTable? = nil
    ) {
        self.heads = heads
        unsafe self.bias = unsafe bias
        self.queryNorm = queryNorm
        self.keyNorm = keyNorm
        self.epsilon = epsilon
        self.rope = rope
    }
}

extension Compute {
    /// Makes queries ready and keeps keys and values of tokens at positions `position ..< position + tokens`, in one pass over
    /// the tokens: bias, norms of heads, rotation, cache. Token t's queries, keys and values begin at `qkv + t * stride`, side by
    /// side; the first two are changed in place.
    ///
    /// The same operations on each number as `normRows`, `rope` and `store` one after the other.
    package func keep(
        _ qkv: UnsafeMutablePointer<Float>, tokens: Int, stride: Int, steps: HeadSteps, in layer: KVLayer, at position: Int
    ) throws(KernelError) {
        let layout = layer.layout
        guard tokens > 0, position >= 0, tokens <= layer.capacity, position <= layer.capacity - tokens else {
            throw .positionsOutOfRange(first: position, count: tokens, capacity: layer.capacity)
        }
        let keys = steps.heads * layout.keyWidth
        let values = keys + layout.kvHeads * layout.keyWidth
        let width = values + layout.kvHeads * layout.valueWidth
        guard stride >= width else { throw .wrongInput(columns: stride, expected: width) }
        if let rope = steps.rope {
            guard tokens <= rope.positions, position <= rope.positions - tokens else {
                throw .positionsOutOfRange(first: position, count: tokens, capacity: rope.positions)
            }
            guard 2 * rope.pairs <= layout.keyWidth else {
                throw .ropeTooWide(pairs: rope.pairs, headWidth: layout.keyWidth)
            }
            rope.prepare(through: position + tokens)
        }
        let step = unsafe KeepStep(
            set: set, steps: steps, qkv: qkv, stride: stride, width: width, keys: keys, values: values, layout: layout,
            position: position,
            store: StoreStep(
                layout: layout, keys: qkv + keys, values: qkv + values, stride: stride, pages: layer.pages, offset: layer.offset,
                position: position))
        // Four thousand numbers, each touched a few times: some microseconds.
        unsafe run(step, items: tokens, perChunk: max(1, Self.numbersPerChunk / 4 / width)) { context, chunk, _ in
            let split = unsafe context.assumingMemoryBound(to: Split<KeepStep>.self)
            let (first, count) = unsafe split.pointee.range(chunk)
            for token in first..<first + count { unsafe split.pointee.step.token(token) }
        }
    }
}

@safe private struct KeepStep {
    let set: KernelSet
    let steps: HeadSteps
    let qkv: UnsafeMutablePointer<Float>
    let stride: Int
    /// Numbers of a token, and where its keys and values begin.
    let width: Int
    let keys: Int
    let values: Int
    let layout: KVLayout
    let position: Int
    let store: StoreStep

    func token(_ token: Int) {
        let row = unsafe qkv + token * stride
        if let bias = unsafe steps.bias {
            for index in 0..<width { unsafe row[index] += bias[index] }
        }
        if let norm = steps.queryNorm { unsafe self.norm(norm, row, keys) }
        if let norm = steps.keyNorm { unsafe self.norm(norm, row + keys, values - keys) }
        if let table = steps.rope {
            unsafe rotate(row, heads: steps.heads, table, token)
            unsafe rotate(row + keys, heads: layout.kvHeads, table, token)
        }
        store.tokens(token, 1)
    }

    private func norm(_ norm: HeadSteps.Norm, _ x: UnsafeMutablePointer<Float>, _ numbers: Int) {
        let rows = numbers / norm.count
        unsafe NormStep(
            set: set, x: x, weight: norm.weight, epsilon: steps.epsilon, rows: rows, columns: norm.count, stride: norm.count,
            out: x, outStride: norm.count
        ).rows(0, rows)
    }

    private func rotate(_ x: UnsafeMutablePointer<Float>, heads: Int, _ table: RopeTable, _ token: Int) {
        let place = (position + token) * table.pairs
        unsafe RopeStep(
            set: set, x: x, heads: heads, headWidth: layout.keyWidth, stride: 0, half: table.pairs, layout: table.layout,
            cosines: table.cosines + place, sines: table.sines + place
        ).tokens(0, 1)
    }
}
