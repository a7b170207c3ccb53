internal import HearthKernelsPortable
package import HearthKernelTypes

extension Compute {
    /// Attention of tokens at positions `position ..< position + tokens` over everything the layer holds up to each of them.
    ///
    /// Token t's query heads begin at `queries + t * stride`, `[heads, keyWidth]`; out is `[tokens, heads * valueWidth]`.
    /// The token's own key and value must be stored already.
    package func attend(
        _ queries: UnsafePointer<Float>, tokens: Int, stride: Int, layer: KVLayer, from position: Int, shape: AttentionShape,
        scratch: AttentionScratch, into out: Activations
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
        guard tokens > 0, tokens <= out.capacity else { throw .tokensOutOfRange(tokens: tokens, capacity: out.capacity) }
        let room = min(layer.capacity, scratch.positions)
        guard position >= 0, tokens <= room, position <= room - tokens else {
            throw .positionsOutOfRange(first: position, count: tokens, capacity: room)
        }
        let step = unsafe AttentionStep(
            shape: shape, layout: layer.layout, queries: queries, stride: stride, pages: layer.pages, offset: layer.offset,
            position: position, scratch: scratch.base, scratchStride: scratch.positions, out: out.values)
        unsafe run(step, items: tokens * shape.heads, perChunk: 1) { context, chunk, worker in
            let split = unsafe context.assumingMemoryBound(to: Split<AttentionStep>.self).pointee
            split.step.head(chunk, worker)
        }
        out.changed()
    }
}

/// Memory that attention works in, allocated once per cache: scores of one query for each worker.
@safe package final class AttentionScratch: @unchecked Sendable {
    package let positions: Int
    private let memory: ReservedMemory
    var base: UnsafeMutablePointer<Float> { unsafe memory.base.assumingMemoryBound(to: Float.self) }

    /// For a cache of `positions` positions and layers of this shape (the largest, where layers differ).
    package init(shape: AttentionShape, positions: Int, compute: Compute) throws(KernelError) {
        guard positions > 0, positions < 1 << 40 else { throw .positionsOutOfRange(first: 0, count: positions, capacity: 0) }
        self.positions = (positions + KVLayout.pagePositions - 1) / KVLayout.pagePositions * KVLayout.pagePositions
        memory = try ReservedMemory(byteCount: self.positions * 4 * min(compute.threads, ThreadPool.mostWorkers))
    }
}

@safe private struct AttentionStep {
    let shape: AttentionShape
    let layout: KVLayout
    let queries: UnsafePointer<Float>
    let stride: Int
    let pages: UnsafePointer<UnsafeMutableRawPointer>
    let offset: Int
    let position: Int
    let scratch: UnsafeMutablePointer<Float>
    let scratchStride: Int
    let out: UnsafeMutablePointer<Float>

    func head(_ index: Int, _ worker: Int) {
        let (token, head) = (index / shape.heads, index % shape.heads)
        unsafe referenceAttention(
            shape, layout, query: queries + token * stride + head * shape.keyWidth, head: head, position: position + token,
            pages: pages, offset: offset, scores: scratch + worker * scratchStride,
            into: out + (token * shape.heads + head) * shape.valueWidth)
    }
}
