internal import HearthKernelsAVX512
internal import HearthKernelTypes

extension Compute {
    /// Makes the tiles that the wide kernels of float weights read, where they are not there yet. Their memory is taken by the first
    /// such product.
    func packFloats(_ x: Activations, tokens: Int) throws(KernelError) {
        if x.floatTokens >= tokens { return }
        let tiles = (x.capacity + MatrixLayout.floatTileTokens - 1) / MatrixLayout.floatTileTokens
        if x.floatTiles == nil {
            x.floatTiles = try AlignedMemory(byteCount: tiles * MatrixLayout.floatTileTokens * x.columns * 4, zeroed: false)
        }
        let step = unsafe FloatPacking(
            values: x.values, columns: x.columns, tokens: tokens,
            tiles: x.floatTiles!.base.assumingMemoryBound(to: Float.self))
        unsafe run(
            step, items: (tokens + MatrixLayout.floatTileTokens - 1) / MatrixLayout.floatTileTokens,
            perChunk: max(1, Self.numbersPerChunk / (x.columns * MatrixLayout.floatTileTokens))
        ) { context, chunk, _ in
            let split = unsafe context.assumingMemoryBound(to: Split<FloatPacking>.self).pointee
            let (first, count) = split.range(chunk)
            for tile in first..<first + count { split.step.pack(tile) }
        }
        x.floatTokens = tokens
    }
}

@safe private struct FloatPacking {
    let values: UnsafePointer<Float>
    let columns: Int
    let tokens: Int
    let tiles: UnsafeMutablePointer<Float>

    init(values: UnsafePointer<Float>, columns: Int, tokens: Int, tiles: UnsafeMutablePointer<Float>) {
        unsafe self.values = unsafe values
        self.columns = columns
        self.tokens = tokens
        unsafe self.tiles = unsafe tiles
    }

    func pack(_ tile: Int) {
        let first = tile * MatrixLayout.floatTileTokens
        unsafe wideFloatPack(
            values + first * columns, stride: columns, columns: columns, tokens: min(MatrixLayout.floatTileTokens, tokens - first),
            into: tiles + first * columns)
    }
}
