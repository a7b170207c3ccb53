internal import HearthKernelTypes
internal import HearthKernelsPortable
#if arch(x86_64)
internal import HearthKernelsAVX2
internal import HearthKernelsAVX512
#endif

/// One call of `attend`, as the workers see it.
///
/// Every row (a query head of a token) is computed block by block of 128 positions, each block alone, and the blocks are merged
/// in ascending order. Few tokens: a unit is one block of one key head, its results are kept, and a second step merges them. Many
/// tokens: a unit is a tile of tokens of one key head and merges as it goes. Both do the same operations on a row.
@safe struct AttentionStep {
    let usesAVX2: Bool
    /// Whether the AVX2 set's blocks are computed on AVX-512.
    let usesAVX512: Bool
    let shape: AttentionShape
    let layout: KVLayout
    let queries: UnsafePointer<Float>
    let stride: Int
    let pages: UnsafePointer<UnsafeMutableRawPointer>
    let offset: Int
    /// Position of the first token.
    let position: Int
    let tokens: Int
    let scratch: AttentionScratch.Places
    let out: UnsafeMutablePointer<Float>

    private static let block = KVLayout.pagePositions

    var group: Int { shape.heads / shape.kvHeads }
    private var width: Int { layout.paddedValueWidth }

    /// First position that token `t` sees.
    private func low(_ t: Int) -> Int { shape.window > 0 ? max(0, position + t - shape.window + 1) : 0 }

    /// The position behind the last that token `t` sees.
    private func high(_ t: Int) -> Int { position + (shape.isCausal ? t + 1 : tokens) }

    var firstBlock: Int { low(0) / Self.block }
    var endBlock: Int { (position + tokens - 1) / Self.block + 1 }

    // MARK: Few tokens

    /// Unit `index`: block `index / kvHeads` of key head `index % kvHeads`, for all tokens.
    func block(_ index: Int, _ worker: Int) {
        let (block, kvHead) = (firstBlock + index / shape.kvHeads, index % shape.kvHeads)
        let rows = tokens * group
        var chunk = unsafe prepare(kvHead: kvHead, firstToken: 0, tokens: tokens, worker: worker)
        let result = unsafe results(index)
        unsafe chunk.maxima = result
        unsafe chunk.sums = result + rows
        unsafe chunk.sumsOfValues = result + 2 * rows
        unsafe look(&chunk, at: block, kvHead: kvHead, firstToken: 0, tokens: tokens)
        // A worker's units follow each other.
        let next = index + 1
        if firstBlock + next / shape.kvHeads < endBlock {
            unsafe chunk.next = keys(of: firstBlock + next / shape.kvHeads, kvHead: next % shape.kvHeads)
        }
        unsafe attend(&chunk)
    }

    /// A block's keys of one head.
    private func keys(of block: Int, kvHead: Int) -> UnsafeRawPointer {
        unsafe UnsafeRawPointer(pages[block] + offset) + kvHead * layout.keyHeadBytes
    }

    /// Where unit `index` leaves maxima, sums and sums of values of its rows.
    private func results(_ index: Int) -> UnsafeMutablePointer<Float> {
        unsafe scratch.blocks + index * tokens * group * (width + 2)
    }

    /// Merges the blocks of row `index`: key head `index / rows`, row `index % rows` of it.
    func merge(_ index: Int, _ worker: Int) {
        let rows = tokens * group
        let (kvHead, row) = (index / rows, index % rows)
        let part = unsafe scratch.part(of: worker)
        var state = unsafe AttentionState(maximum: part, sum: part + 1, values: part + 8)
        let blocks = endBlock - firstBlock
        #if arch(x86_64)
        if usesAVX2 {
            unsafe avx2MergeBlocks(
                &state, results(kvHead), step: shape.kvHeads * rows * (width + 2), blocks: blocks, rows: rows, row: row,
                width: width, factors: part + 8 + width)
            return unsafe finish(&state, token: row / group, head: kvHead * group + row % group)
        }
        #endif
        unsafe clear(&state)
        for block in 0..<blocks {
            let result = unsafe results(block * shape.kvHeads + kvHead)
            unsafe portableMergeChunk(
                &state, maximum: result[row], sum: result[rows + row], values: result + 2 * rows + row * width, width: width)
        }
        unsafe finish(&state, token: row / group, head: kvHead * group + row % group)
    }

    // MARK: Many tokens

    var tileTokens: Int { AttentionScratch.tileTokens(shape) }
    var tiles: Int { (tokens + tileTokens - 1) / tileTokens }

    /// Unit `index`: tile `index / kvHeads`, counted from the last (the longest first, so that no worker ends with it), of key head
    /// `index % kvHeads`.
    func tile(_ index: Int, _ worker: Int) {
        let (tile, kvHead) = (tiles - 1 - index / shape.kvHeads, index % shape.kvHeads)
        let firstToken = tile * tileTokens
        let count = min(tileTokens, tokens - firstToken)
        let rows = count * group
        var chunk = unsafe prepare(kvHead: kvHead, firstToken: firstToken, tokens: count, worker: worker)
        let states = unsafe chunk.sumsOfValues + AttentionScratch.mostRows(shape) * width
        let maxima = unsafe chunk.sums + AttentionScratch.mostRows(shape)
        let sums = unsafe maxima + AttentionScratch.mostRows(shape)
        for row in 0..<rows {
            var state = unsafe AttentionState(maximum: maxima + row, sum: sums + row, values: states + row * width)
            unsafe clear(&state)
        }
        let end = (high(firstToken + count - 1) - 1) / Self.block + 1
        for block in low(firstToken) / Self.block..<end {
            unsafe look(&chunk, at: block, kvHead: kvHead, firstToken: firstToken, tokens: count)
            unsafe attend(&chunk)
            unsafe merge(&chunk, into: AttentionState(maximum: maxima, sum: sums, values: states))
        }
        for row in 0..<rows {
            var state = unsafe AttentionState(maximum: maxima + row, sum: sums + row, values: states + row * width)
            unsafe finish(&state, token: firstToken + row / group, head: kvHead * group + row % group)
        }
    }

    // MARK: The reference

    /// One query head by the formula.
    func reference(_ index: Int, _ worker: Int) {
        let (token, head) = (index / shape.heads, index % shape.heads)
        unsafe referenceAttention(
            shape, layout, query: queries + token * stride + head * shape.keyWidth, head: head, position: high(token) - 1,
            pages: pages, offset: offset, scores: scratch.part(of: worker),
            into: out + (token * shape.heads + head) * shape.valueWidth)
    }

    // MARK: Parts

    /// A chunk in the worker's memory with the rows' queries, scaled and side by side.
    private func prepare(kvHead: Int, firstToken: Int, tokens: Int, worker: Int) -> AttentionChunk {
        let most = AttentionScratch.mostRows(shape)
        let part = unsafe scratch.part(of: worker)
        let scores = unsafe part + most * shape.keyWidth
        let values = unsafe scores + most * Self.block
        let maxima = unsafe values + 2 * most * width
        let bounds = unsafe maxima + 4 * most
        let expanded = unsafe bounds + 2 * most
        for token in 0..<tokens {
            let from = unsafe queries + (firstToken + token) * stride + kvHead * group * shape.keyWidth
            let to = unsafe part + token * group * shape.keyWidth
            unsafe scale(from, count: group * shape.keyWidth, into: to)
        }
        let lows = unsafe UnsafeMutableRawPointer(bounds).assumingMemoryBound(to: Int32.self)
        return unsafe AttentionChunk(
            type: layout.type, keyWidth: shape.keyWidth, valueWidth: width, keys: UnsafeRawPointer(part),
            keyScales: UnsafeRawPointer(part).assumingMemoryBound(to: UInt16.self), values: UnsafeRawPointer(part),
            valueScales: UnsafeRawPointer(part).assumingMemoryBound(to: UInt16.self), next: UnsafeRawPointer(part), rows: tokens * group,
            queries: UnsafePointer(part), softCap: shape.softCap, lows: UnsafePointer(lows), highs: UnsafePointer(lows + most),
            scores: scores, expanded: expanded, maxima: maxima, sums: maxima + most, sumsOfValues: values)
    }

    /// Points the chunk at a block and says which of its slots each row sees.
    private func look(_ chunk: inout AttentionChunk, at block: Int, kvHead: Int, firstToken: Int, tokens: Int) {
        let keys = unsafe keys(of: block, kvHead: kvHead)
        let values = unsafe pages[block] + offset + layout.valuesOffset + kvHead * layout.valueHeadBytes
        unsafe chunk.keys = keys
        unsafe chunk.keyScales = (keys + layout.keyCodeBytes).assumingMemoryBound(to: UInt16.self)
        unsafe chunk.values = UnsafeRawPointer(values)
        unsafe chunk.valueScales = UnsafeRawPointer(values + layout.valueCodeBytes).assumingMemoryBound(to: UInt16.self)
        let lows = unsafe UnsafeMutablePointer(mutating: chunk.lows), highs = unsafe UnsafeMutablePointer(mutating: chunk.highs)
        let first = block * Self.block
        for token in 0..<tokens {
            let l = min(max(low(firstToken + token) - first, 0), Self.block)
            let h = min(max(high(firstToken + token) - first, 0), Self.block)
            for row in token * group..<(token + 1) * group {
                unsafe lows[row] = Int32(l)
                unsafe highs[row] = Int32(h)
            }
        }
    }

    private func scale(_ x: UnsafePointer<Float>, count: Int, into out: UnsafeMutablePointer<Float>) {
        #if arch(x86_64)
        if usesAVX2 { return unsafe avx2Scale(x, by: shape.scale, count: count, into: out) }
        #endif
        for i in 0..<count { unsafe out[i] = x[i] * shape.scale }
    }

    private func attend(_ chunk: inout AttentionChunk) {
        #if arch(x86_64)
        if usesAVX2 { return unsafe usesAVX512 ? avx512AttendChunk(&chunk) : avx2AttendChunk(&chunk) }
        #endif
        unsafe portableAttendChunk(&chunk)
    }

    private func clear(_ state: inout AttentionState) {
        unsafe state.maximum.pointee = -.infinity
        unsafe state.sum.pointee = 0
        for d in 0..<width { unsafe state.values[d] = 0 }
    }

    /// Adds a block's results to what is known of all rows of the chunk.
    private func merge(_ chunk: inout AttentionChunk, into states: AttentionState) {
        #if arch(x86_64)
        if usesAVX2 {
            var states = unsafe states
            return unsafe avx2MergeRows(&states, &chunk, rows: chunk.rows, width: width)
        }
        #endif
        for row in unsafe 0..<chunk.rows {
            var state = unsafe AttentionState(
                maximum: states.maximum + row, sum: states.sum + row, values: states.values + row * width)
            unsafe portableMergeChunk(
                &state, maximum: chunk.maxima[row], sum: chunk.sums[row], values: chunk.sumsOfValues + row * width,
                width: width)
        }
    }

    private func finish(_ state: inout AttentionState, token: Int, head: Int) {
        let sink = unsafe shape.sinks.map { unsafe $0[head] }
        let row = unsafe out + (token * shape.heads + head) * shape.valueWidth
        #if arch(x86_64)
        if usesAVX2 {
            return unsafe avx2FinishRow(&state, hasSink: sink != nil, sink: sink ?? 0, width: shape.valueWidth, into: row)
        }
        #endif
        unsafe portableFinishRow(&state, hasSink: sink != nil, sink: sink ?? 0, width: shape.valueWidth, into: row)
    }
}
