internal import HearthKernelTypes
internal import HearthKernelsAVX2
internal import HearthKernelsAVX512
internal import HearthKernelsPortable
internal import HearthKernelsSSSE3
internal import Synchronization

extension Compute {
    /// `output[t, i] = sum over k of w[i, k] * x[t, k]`; output is `[tokens, w.outputs]`.
    ///
    /// Work is divided by rows; each (row, token) is one chain of operations in the order of the columns, so that the bits
    /// depend neither on the number of threads nor on how many tokens are multiplied at once.
    package func multiply(
        _ w: Linear, _ x: Activations, tokens: Int, into output: UnsafeMutablePointer<Float>
    ) throws(KernelError) {
        guard x.columns == w.inputs else { throw .wrongInput(columns: x.columns, expected: w.inputs) }
        guard tokens > 0, tokens <= x.capacity else {
            throw .tokensOutOfRange(tokens: tokens, capacity: x.capacity)
        }
        guard w.set == set, x.set == set else { throw .otherSet(actual: w.set == set ? x.set : w.set, expected: set) }
        counters.products.add(1, ordering: .relaxed)
        if usesBLAS(w, tokens: tokens) { return try unsafe multiplyOnBLAS(w, x, tokens: tokens, into: output) }
        if w.readsQuantised { quantise(x, tokens: tokens) }
        if usesVNNI, w.readsFloats, tokens >= TileKernel.wideFloatTokens { try packFloats(x, tokens: tokens) }
        let workers = min(threads, x.workers)
        unsafe w.parts.withUnsafeBufferPointer { parts in
            var job = unsafe Product(
                w, parts: parts, x, tokens: tokens, workers: workers, usesVNNI: usesVNNI, output: output)
            unsafe withUnsafePointer(to: &job) { job in
                unsafe pool.run(chunks: job.pointee.chunks, workers: workers, context: UnsafeRawPointer(job)) {
                    context, chunk, worker in
                    unsafe context.assumingMemoryBound(to: Product.self).pointee.run(chunk, worker)
                }
            }
        }
    }

    /// Makes the quantised twin of the first `tokens` tokens, where it is not there yet.
    package func quantise(_ x: Activations, tokens: Int) {
        let width = tokens == 1 ? 1 : MatrixLayout.tileTokens
        if x.packedTokens >= tokens, x.packedWidth == width { return }
        x.packedTokens = tokens
        x.packedWidth = width
        var job = Packing(x: x, tokens: tokens, width: width)
        unsafe withUnsafePointer(to: &job) { job in
            unsafe pool.run(chunks: job.pointee.chunks, workers: threads, context: UnsafeRawPointer(job)) {
                context, chunk, _ in
                unsafe context.assumingMemoryBound(to: Packing.self).pointee.run(chunk)
            }
        }
    }
}

/// One quantisation, divided by tiles.
private struct Packing {
    let x: Activations
    let tokens: Int
    let width: Int

    /// Tokens of one chunk, four tiles: some 16 tokens take a few microseconds.
    private var chunkTokens: Int { 4 * width }
    var chunks: Int { (tokens + chunkTokens - 1) / chunkTokens }

    func run(_ chunk: Int) {
        let first = chunk * chunkTokens
        x.pack(first, min(chunkTokens, tokens - first), of: tokens)
    }
}

/// One product, divided by groups of rows. It holds addresses and no object: workers that count references to one take its cache
/// line from each other, chunk by chunk.
@safe private struct Product {
    let parts: UnsafeBufferPointer<Linear.Part>
    let inputs: Int
    let outputs: Int
    let groups: Int
    let set: KernelSet
    let isReference: Bool
    let usesAVX2: Bool
    let values: UnsafePointer<Float>
    let tiles: UnsafeRawPointer
    let floatTiles: UnsafePointer<Float>?
    /// Scratch, `panelBytes` a worker.
    let panels: UnsafeMutableRawPointer
    let panelBytes: Int
    let tokens: Int
    let usesVNNI: Bool
    /// The twin is one of bytes.
    let usesSSSE3: Bool
    let output: UnsafeMutablePointer<Float>
    let chunkGroups: Int

    /// Columns of a quantised matrix that wide tiles take at a time: those of 256 tokens are 768 KB.
    static var wideColumns: Int { 1536 }

    init(
        _ w: Linear, parts: UnsafeBufferPointer<Linear.Part>, _ x: Activations, tokens: Int, workers: Int, usesVNNI: Bool,
        output: UnsafeMutablePointer<Float>
    ) {
        unsafe self.parts = unsafe parts
        inputs = w.inputs
        outputs = w.outputs
        groups = w.groups
        set = w.set
        isReference = w.set == .reference
        usesAVX2 = w.set == .avx2
        unsafe values = UnsafePointer(x.values)
        unsafe tiles = UnsafeRawPointer(x.tiles.base)
        unsafe floatTiles = x.floatTiles.map { unsafe UnsafePointer($0.base.assumingMemoryBound(to: Float.self)) }
        unsafe panels = x.panels.base
        panelBytes = Activations.panelBytes(x.columns)
        self.tokens = tokens
        self.usesVNNI = usesVNNI
        usesSSSE3 = x.usesSSSE3
        unsafe self.output = unsafe output
        // A chunk costs some 0.1 us to take, so it has at least 16 KB of weights (a microsecond or two). Eight a worker keep the
        // wait for the last one short, and none is longer than some 10 us, so that a worker that loses its core holds little
        // up: 256 KB for one token, 1 MB (weights times tokens) for many.
        let bytes = max(1, w.byteCount / max(1, w.groups)) * tokens
        let most = max(1, (tokens == 1 ? 256 << 10 : 1 << 20) / bytes)
        let fair = workers == 1 ? w.groups : max(1, 16_384 / bytes, min(w.groups / (workers * 8), most))
        // Kernels of many tokens take two groups at a time. Floats come in bundles of four, which share their cache lines: whole
        // ones, where there are enough of them.
        if w.readsFloats, tokens == 1 || w.groups >= 16 * workers {
            chunkGroups = (fair + 3) & ~3
        } else {
            chunkGroups = tokens > 1 ? fair + fair % 2 : fair
        }
    }

    var chunks: Int { (groups + chunkGroups - 1) / chunkGroups }

    func run(_ chunk: Int, _ worker: Int) {
        let (first, end) = (chunk * chunkGroups, min((chunk + 1) * chunkGroups, groups))
        for unsafe part in unsafe parts where part.firstGroup < end && part.firstGroup + part.groups > first {
            let from = max(first - part.firstGroup, 0)
            let to = min(end - part.firstGroup, part.groups)
            let panel = unsafe panels + worker * panelBytes
            if isReference {
                unsafe referenceProduct(
                    part.type, part.base, rowBytes: part.rowBytes, columns: inputs, rows: from * 8,
                    min(to * 8, part.rows), values, tokens: tokens,
                    scratch: panel.assumingMemoryBound(to: Float.self), into: output + part.firstOutput,
                    stride: outputs)
                continue
            }
            let slice = unsafe MatrixSlice(
                type: part.type, columns: inputs, rows: part.rows, firstGroup: from, endGroup: to,
                groupBytes: part.groupBytes, base: part.base)
            unsafe multiply(slice, panel, output + part.firstOutput)
        }
    }

    private func multiply(_ slice: MatrixSlice, _ panel: UnsafeMutableRawPointer, _ out: UnsafeMutablePointer<Float>) {
        if tokens == 1 {
            let input = unsafe ProductInput(tokens: 1, tiles: tiles, values: values)
            if usesAVX2 {
                unsafe avx2OneToken(slice, input, into: out)
            } else if usesSSSE3, MatrixLayout.readsQuantised(slice.type) {
                // The twin is one of bytes, and only quantised types read it.
                unsafe multiplyBytes(slice, input, panel, out)
            } else {
                unsafe portableOneToken(slice, input, panel: panel, into: out)
            }
            return
        }
        // So many tokens at a time that their activations stay in a core's second-level cache (512 KB, where there is AVX-512
        // 1 MB and more), but at least 64: each time, the weights are read and unpacked again, which costs as much as some four
        // tokens' products and more where they come from memory. In steps of one size, of whole tiles.
        let isQuantised = MatrixLayout.readsQuantised(slice.type)
        let wideColumns = min(inputs, Self.wideColumns)
        let most = max(64, isQuantised && usesVNNI ? 393_216 / wideColumns : isQuantised ? 262_144 / inputs : 131_072 / inputs)
        let steps = (tokens + most - 1) / most
        let tile = isQuantised ? 8 : MatrixLayout.floatTileTokens
        let kernel = TileKernel.of(slice.type, tokens: tokens, set: set, usesVNNI: usesVNNI, usesSSSE3: usesSSSE3)
        let step = ((tokens + steps - 1) / steps + tile - 1) / tile * tile
        for t in stride(from: 0, to: tokens, by: step) {
            let input = unsafe ProductInput(
                tokens: min(step, tokens - t), tiles: tiles + MatrixLayout.tileBytes(columns: inputs, tokens: t, set: set),
                values: values + t * inputs)
            switch kernel {
            case .vnni, .wideFloats: unsafe multiplyWide(slice, input, firstToken: t, panel, out + t * outputs)
            case .avx2: unsafe avx2Tiles(slice, input, panel: panel, into: out + t * outputs, stride: outputs)
            case .ssse3: unsafe multiplyBytes(slice, input, panel, out + t * outputs)
            case .portable: unsafe portableTiles(slice, input, panel: panel, into: out + t * outputs, stride: outputs)
            }
        }
    }

    /// The portable set on SSSE3: 1,024 columns at a time, whose panel (13 KB) and part of a tile (7 KB) stay in the first-level
    /// cache while all tokens pass. Sums wait in the output, which changes no bit.
    private func multiplyBytes(
        _ slice: MatrixSlice, _ input: ProductInput, _ panel: UnsafeMutableRawPointer, _ out: UnsafeMutablePointer<Float>
    ) {
        let blocks = slice.columns / 32
        let tileBytes = MatrixLayout.tileBytes(columns: slice.columns, tokens: MatrixLayout.tileTokens, set: set)
        for group in slice.firstGroup..<slice.endGroup {
            let base = unsafe slice.base + group * slice.groupBytes
            for first in stride(from: 0, to: blocks, by: 32) {
                let count = min(32, blocks - first)
                unsafe portableUnpackBytes(
                    slice.type, base + 32 * first / slice.type.blockLength * slice.type.blockBytes * 8, columns: 32 * count,
                    into: panel)
                unsafe ssse3Tiles(
                    slice.type, panel, input, tileBytes: tileBytes, first: first, count: count, rows: slice.rows - 8 * group,
                    into: out + 8 * group, stride: outputs)
            }
        }
    }

    /// Two groups at a time on AVX-512; a last single one as without. Long rows part by part: what all tokens have of a part
    /// stays near while all groups of the slice pass, and each weight is unpacked once. Sums wait in the output.
    private func multiplyWide(
        _ slice: MatrixSlice, _ input: ProductInput, firstToken: Int, _ panel: UnsafeMutableRawPointer,
        _ out: UnsafeMutablePointer<Float>
    ) {
        let pairs = (slice.endGroup - slice.firstGroup) / 2
        if MatrixLayout.readsQuantised(slice.type) {
            let (blocks, most) = (slice.columns / 32, Self.wideColumns / 32)
            let end = slice.firstGroup + 2 * pairs
            // Where block `first` of a group is.
            func place(_ group: Int, _ first: Int) -> Int {
                group * slice.groupBytes + 32 * first / slice.type.blockLength * slice.type.blockBytes * 8
            }
            for first in stride(from: 0, to: blocks, by: most) {
                let count = min(most, blocks - first)
                for group in stride(from: slice.firstGroup, to: end, by: 2) {
                    // The next pair's part of this stretch of columns, the first one's of the next, or the next slice's (which
                    // more tokens of this slice may come before: it waits in a cache then, or is asked for in vain).
                    let isLast = group + 2 == end
                    let then = isLast && first + most < blocks ? (slice.firstGroup, first + most) : (group + 2, isLast ? 0 : first)
                    unsafe avx2UnpackWide(
                        slice.type, slice.base + place(group, first), groupBytes: slice.groupBytes, columns: 32 * count, into: panel)
                    unsafe vnniTiles(
                        slice.type, panel, input, blocks: blocks, first: first, count: count, rows: slice.rows - 8 * group,
                        ahead: slice.base + place(then.0, then.1), aheadBytes: place(0, min(most, blocks - then.1)),
                        groupBytes: slice.groupBytes, into: out + 8 * group, stride: outputs)
                }
            }
        } else {
            for group in stride(from: slice.firstGroup, to: slice.firstGroup + 2 * pairs, by: 2) {
                unsafe multiplyWideFloats(slice, group, input, firstToken: firstToken, panel, out + 8 * group)
            }
        }
        let group = slice.firstGroup + 2 * pairs
        guard group < slice.endGroup else { return }
        let last = unsafe MatrixSlice(
            type: slice.type, columns: slice.columns, rows: slice.rows, firstGroup: group, endGroup: slice.endGroup,
            groupBytes: slice.groupBytes, base: slice.base)
        unsafe avx2Tiles(last, input, panel: panel, into: out, stride: outputs)
    }

    /// `group` and the next one.
    private func multiplyWideFloats(
        _ slice: MatrixSlice, _ group: Int, _ input: ProductInput, firstToken: Int, _ panel: UnsafeMutableRawPointer,
        _ out: UnsafeMutablePointer<Float>
    ) {
        let floats = unsafe panel.assumingMemoryBound(to: Float.self)
        let (first, next) = unsafe (slice.floatPlace(group), slice.floatPlace(group + 1))
        unsafe wideFloatPanel(
            slice.type, first.column, step: first.step, next.column, nextStep: next.step, columns: slice.columns, into: floats)
        unsafe wideFloatTiles(
            floats, floatTiles! + firstToken * slice.columns, tokens: input.tokens, columns: slice.columns,
            rows: slice.rows - 8 * group, into: out, stride: outputs)
    }
}

extension MatrixSlice {
    /// Float weights: a group's first column, and the bytes from one column to the next.
    fileprivate func floatPlace(_ group: Int) -> (column: UnsafeRawPointer, step: Int) {
        let bundle = MatrixLayout.bundle(type, of: group, groups: (rows + 7) / 8)
        let columnBytes = 8 * type.blockBytes
        return unsafe (base + bundle.first * groupBytes + (group - bundle.first) * columnBytes, bundle.count * columnBytes)
    }
}
