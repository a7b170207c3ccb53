internal import HearthKernelsPortable
#if arch(x86_64)
internal import HearthKernelsAVX2
#endif
internal import HearthKernelTypes

extension Compute {
    /// Rotates the heads of tokens at positions `position ..< position + tokens` in place. Token t's heads begin at
    /// `x + t * stride`, `headWidth` numbers each.
    package func rope(
        _ x: UnsafeMutablePointer<Float>, tokens: Int, heads: Int, headWidth: Int, stride: Int, from position: Int,
        table: RopeTable
    ) throws(KernelError) {
        guard tokens > 0, position >= 0, tokens <= table.positions, position <= table.positions - tokens else {
            throw .positionsOutOfRange(first: position, count: tokens, capacity: table.positions)
        }
        guard 2 * table.pairs <= headWidth else { throw .ropeTooWide(pairs: table.pairs, headWidth: headWidth) }
        table.prepare(through: position + tokens)
        let step = unsafe RopeStep(
            set: set, x: x, heads: heads, headWidth: headWidth, stride: stride, half: table.pairs, layout: table.layout,
            cosines: table.cosines + position * table.pairs, sines: table.sines + position * table.pairs)
        unsafe run(step, items: tokens, perChunk: max(1, Self.numbersPerChunk / (heads * headWidth))) { context, chunk, _ in
            let split = unsafe context.assumingMemoryBound(to: Split<RopeStep>.self).pointee
            let (first, count) = split.range(chunk)
            split.step.tokens(first, count)
        }
    }

    /// Writes keys and values of tokens at positions `position ..< position + tokens` into the layer's pages. Token t's keys
    /// begin at `keys + t * stride`, `[kvHeads, keyWidth]`; its values at `values + t * stride`.
    package func store(
        keys: UnsafePointer<Float>, values: UnsafePointer<Float>, tokens: Int, stride: Int, into layer: KVLayer,
        at position: Int
    ) throws(KernelError) {
        guard tokens > 0, position >= 0, tokens <= layer.capacity, position <= layer.capacity - tokens else {
            throw .positionsOutOfRange(first: position, count: tokens, capacity: layer.capacity)
        }
        let step = unsafe StoreStep(
            layout: layer.layout, keys: keys, values: values, stride: stride, pages: layer.pages, offset: layer.offset,
            position: position)
        let numbers = layer.layout.kvHeads * (layer.layout.keyWidth + layer.layout.valueWidth)
        unsafe run(step, items: tokens, perChunk: max(1, Self.numbersPerChunk / 4 / numbers)) { context, chunk, _ in
            let split = unsafe context.assumingMemoryBound(to: Split<StoreStep>.self).pointee
            let (first, count) = split.range(chunk)
            split.step.tokens(first, count)
        }
    }
}

@safe struct RopeStep {
    let set: KernelSet
    let x: UnsafeMutablePointer<Float>
    let heads: Int
    let headWidth: Int
    let stride: Int
    let half: Int
    let layout: RopeLayout
    let cosines: UnsafePointer<Float>
    let sines: UnsafePointer<Float>

    func tokens(_ first: Int, _ count: Int) {
        #if arch(x86_64)
        if set == .avx2 {
            return unsafe avx2Rope(
                x + first * stride, tokens: count, heads: heads, headWidth: headWidth, stride: stride, half: half,
                arePairs: layout == .pairs, cosines: cosines + first * half, sines: sines + first * half)
        }
        #endif
        unsafe referenceRope(
            x + first * stride, tokens: count, heads: heads, headWidth: headWidth, stride: stride, half: half, layout: layout,
            cosines: cosines + first * half, sines: sines + first * half)
    }
}

@safe struct StoreStep {
    let layout: KVLayout
    let keys: UnsafePointer<Float>
    let values: UnsafePointer<Float>
    let stride: Int
    let pages: UnsafePointer<UnsafeMutableRawPointer>
    let offset: Int
    let position: Int

    func tokens(_ first: Int, _ count: Int) {
        for token in first..<first + count {
            let slot = position + token
            unsafe storeToken(
                layout, keys: keys + token * stride, values: values + token * stride, slot: slot % KVLayout.pagePositions,
                page: pages[slot / KVLayout.pagePositions] + offset)
        }
    }
}
