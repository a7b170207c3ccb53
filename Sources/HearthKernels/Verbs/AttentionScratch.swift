package import HearthKernelTypes

/// Memory that attention works in, allocated once per cache and used by one forward pass at a time.
@safe package final class AttentionScratch: @unchecked Sendable {
    /// Tokens of a batch up to which blocks of positions are shared out among the workers. Larger batches share out tiles of
    /// tokens: every tile then reads the blocks in order and keeps one running result.
    static let fewTokens = 8
    /// Rows of a tile, where heads share a key: enough that a block's keys, read from the second cache, serve many rows; few
    /// enough that scores and sums of a tile (48 * 128 + 48 * 64 numbers, 36 KB) stay near.
    static let tileRows = 48

    package let positions: Int
    let workers: Int
    /// Numbers of one worker's part and of the results of single blocks.
    private let perWorker: Int
    private let perBlock: Int
    private let memory: ReservedMemory

    /// For a cache of `positions` positions and layers of these shapes.
    package init(shapes: [AttentionShape], positions: Int, compute: Compute) throws(KernelError) {
        guard positions > 0, positions < 1 << 40, !shapes.isEmpty else {
            throw .positionsOutOfRange(first: 0, count: positions, capacity: 0)
        }
        let blocks = (positions - 1) / KVLayout.pagePositions + 1
        self.positions = blocks * KVLayout.pagePositions
        workers = min(compute.threads, ThreadPool.mostWorkers)
        perWorker = shapes.map(Self.numbersPerWorker).max()!
        perBlock = shapes.map(Self.numbersPerBlock).max()!
        // The reference set keeps one query's scores, a number for each position, in the worker's part.
        let part = max(perWorker, self.positions)
        memory = try ReservedMemory(byteCount: (workers * part + blocks * perBlock) * 4)
        partStride = part
    }

    package convenience init(shape: AttentionShape, positions: Int, compute: Compute) throws(KernelError) {
        try self.init(shapes: [shape], positions: positions, compute: compute)
    }

    private let partStride: Int

    static func group(_ shape: AttentionShape) -> Int { shape.heads / max(shape.kvHeads, 1) }
    static func tileTokens(_ shape: AttentionShape) -> Int { max(1, tileRows / max(group(shape), 1)) }
    static func mostRows(_ shape: AttentionShape) -> Int { group(shape) * max(fewTokens, tileTokens(shape)) }
    static func padded(_ shape: AttentionShape) -> Int { (shape.valueWidth + 7) / 8 * 8 }

    /// Queries, scores, two sums of values, six numbers a row, and a block in Float32.
    static func numbersPerWorker(_ shape: AttentionShape) -> Int {
        let rows = mostRows(shape)
        let widths = shape.keyWidth + padded(shape)
        return rows * (shape.keyWidth + KVLayout.pagePositions + 2 * padded(shape) + 6) + KVLayout.pagePositions * widths + 64
    }

    /// Maximum, sum and sum of values for every head of `fewTokens` tokens.
    static func numbersPerBlock(_ shape: AttentionShape) -> Int { shape.heads * fewTokens * (padded(shape) + 2) }

    func fits(_ shape: AttentionShape) -> Bool {
        Self.numbersPerWorker(shape) <= perWorker && Self.numbersPerBlock(shape) <= perBlock
    }

    /// Addresses for the workers of a step, who count no references.
    @safe struct Places {
        fileprivate let base: UnsafeMutablePointer<Float>
        fileprivate let partStride: Int
        /// Results of blocks, `perBlock` numbers each.
        let blocks: UnsafeMutablePointer<Float>

        func part(of worker: Int) -> UnsafeMutablePointer<Float> { unsafe base + worker * partStride }
    }

    var places: Places {
        let base = unsafe memory.base.assumingMemoryBound(to: Float.self)
        return unsafe Places(base: base, partStride: partStride, blocks: base + workers * partStride)
    }
}
