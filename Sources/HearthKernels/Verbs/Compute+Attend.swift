package import HearthKernelTypes

extension Compute {
    /// Attention of tokens at positions `position ..< position + tokens` over everything the layer holds up to each of them, or
    /// up to the last of them where the shape is not causal.
    ///
    /// Token t's query heads begin at `queries + t * stride`, `[heads, keyWidth]`; its result is row `row + t` of out,
    /// `[tokens, heads * valueWidth]`.
    /// The token's own key and value must be stored already.
    package func attend(
        _ queries: UnsafePointer<Float>, tokens: Int, stride: Int, layer: KVLayer, from position: Int, shape: AttentionShape,
        scratch: AttentionScratch, into out: Activations, at row: Int = 0
    ) throws(KernelError) {
        guard shape.heads > 0, shape.kvHeads > 0, shape.heads % shape.kvHeads == 0 else {
            throw .headsDoNotDivide(heads: shape.heads, kvHeads: shape.kvHeads)
        }
        guard shape.kvHeads == layer.layout.kvHeads, shape.keyWidth == layer.layout.keyWidth,
            shape.valueWidth == layer.layout.valueWidth
        else {
            throw .cacheOfOtherShape(
                heads: layer.layout.kvHeads, keyWidth: layer.layout.keyWidth, valueWidth: layer.layout.valueWidth,
                expectedHeads: shape.kvHeads, expectedKeyWidth: shape.keyWidth, expectedValueWidth: shape.valueWidth)
        }
        guard out.columns == shape.heads * shape.valueWidth else {
            throw .wrongInput(columns: shape.heads * shape.valueWidth, expected: out.columns)
        }
        precondition(shape.isCausal || shape.window == 0)
        guard tokens > 0, row >= 0, row <= out.capacity, tokens <= out.capacity - row else {
            throw .tokensOutOfRange(tokens: tokens, capacity: out.capacity)
        }
        let room = min(layer.capacity, scratch.positions)
        guard position >= 0, tokens <= room, position <= room - tokens else {
            throw .positionsOutOfRange(first: position, count: tokens, capacity: room)
        }
        guard scratch.fits(shape) else {
            throw .scratchTooSmall(heads: shape.heads, keyWidth: shape.keyWidth, valueWidth: shape.valueWidth)
        }
        let step = unsafe AttentionStep(
            usesAVX2: set == .avx2, usesAVX512: usesVNNI, shape: shape, layout: layer.layout, queries: queries, stride: stride, pages: layer.pages,
            offset: layer.offset, position: position, tokens: tokens, scratch: scratch.places, out: out.values + row * out.columns)
        if set == .reference {
            unsafe run(step, items: tokens * shape.heads, perChunk: 1, workers: scratch.workers) { context, index, worker in
                unsafe context.assumingMemoryBound(to: Split<AttentionStep>.self).pointee.step.reference(index, worker)
            }
        } else if tokens > AttentionScratch.fewTokens {
            unsafe run(step, items: step.tiles * shape.kvHeads, perChunk: 1, workers: scratch.workers) { context, index, worker in
                unsafe context.assumingMemoryBound(to: Split<AttentionStep>.self).pointee.step.tile(index, worker)
            }
        } else {
            let blocks = step.endBlock - step.firstBlock
            unsafe run(step, items: blocks * shape.kvHeads, perChunk: 1, workers: scratch.workers) { context, index, worker in
                unsafe context.assumingMemoryBound(to: Split<AttentionStep>.self).pointee.step.block(index, worker)
            }
            // Merging reads a number for every 128 positions and output: the caller does it alone until there is enough.
            let perRow = blocks * layer.layout.paddedValueWidth
            unsafe run(
                step, items: tokens * shape.heads, perChunk: max(1, Self.numbersPerChunk / perRow), workers: scratch.workers
            ) { context, chunk, worker in
                let split = unsafe context.assumingMemoryBound(to: Split<AttentionStep>.self)
                let (first, count) = unsafe split.pointee.range(chunk)
                for index in first..<first + count { unsafe split.pointee.step.merge(index, worker) }
            }
        }
        out.changed()
    }
}
