internal import HearthKernelsPortable
#if arch(x86_64)
internal import HearthKernelsAVX2
internal import HearthKernelsSSSE3
#endif
internal import HearthKernelTypes

/// The quantised twin made by the step that writes the values, while they are near.
extension Activations {
    /// Tokens of a tile in a pass of `tokens`.
    static func tileWidth(_ tokens: Int) -> Int { tokens == 1 ? 1 : MatrixLayout.tileTokens }

    /// Tokens that one chunk of a step takes, whole tiles: some 8 thousand numbers, which are read and written a few times over.
    func tokensPerChunk(_ tokens: Int) -> Int {
        tokens == 1 ? 1 : max(MatrixLayout.tileTokens, 8192 / columns / MatrixLayout.tileTokens * MatrixLayout.tileTokens)
    }

    /// Quantises tokens `first ..< first + count` of a pass of `tokens`; `first` begins a tile, and the last tile is filled up with
    /// zeros.
    func pack(_ first: Int, _ count: Int, of tokens: Int) {
        let width = Self.tileWidth(tokens)
        for token in stride(from: first, to: first + count, by: width) {
            let from = unsafe UnsafePointer(values + token * columns)
            let target = unsafe tiles.base + MatrixLayout.tileBytes(columns: columns, tokens: token, set: set)
            let here = min(width, first + count - token)
            #if arch(x86_64)
            if set == .avx2 {
                unsafe avx2PackTile(from, stride: columns, columns: columns, tokens: here, width: width, into: target)
                continue
            }
            if usesSSSE3 {
                unsafe ssse3PackTile(from, stride: columns, columns: columns, tokens: here, width: width, into: target)
                continue
            }
            #endif
            unsafe portablePackTile(from, stride: columns, columns: columns, tokens: here, width: width, into: target)
        }
    }

    /// To be called after a step that wrote `values`, and packed them where it was asked to.
    func changed(packed: Bool, tokens: Int) {
        packedTokens = packed ? tokens : 0
        packedWidth = Self.tileWidth(tokens)
    }
}

extension Compute {
    /// Whether a product of `reader` with `tokens` tokens of `x` will read the quantised twin.
    func packs(_ x: Activations, for reader: Linear?, tokens: Int) -> Bool {
        guard let reader, reader.readsQuantised, reader.inputs == x.columns, x.set == set, set != .reference else { return false }
        return !usesBLAS(reader, tokens: tokens)
    }
}
