package import HearthKernelTypes

/// The inner loop that a product of many tokens runs in. The loops of one set give the same bits.
package enum TileKernel: String, Sendable, Hashable {
    /// Quantised weights on AVX-512 VNNI: 16 rows x 8 tokens.
    case vnni
    /// Float weights on AVX-512: 16 rows x 12 tokens.
    case wideFloats = "wide floats"
    /// 8 rows x 4 tokens of quantised weights, 16 x 4 of floats.
    case avx2
    /// Quantised weights of the portable set on SSSE3: 8 rows x 4 tokens.
    case ssse3
    case portable

    /// From so many tokens on, floats run in wide tiles: packing them first and a last tile of twelve that is half empty cost more
    /// before. Measured, Gop/s on AVX-512 and AVX2: 48 and 65 for 16 tokens, 88 and 91 for 64, 99 and 95 for 512.
    static var wideFloatTokens: Int { 96 }

    /// What a product of the portable or the AVX2 set runs in, `tokens` tokens at once.
    ///
    /// Half of a wide tile stays empty with four tokens or fewer, where only Q8_0, the slowest on AVX2, still gains (measured: 101
    /// against 83 Gop/s; Q4_0 107 against 163).
    static func of(_ type: ElementType, tokens: Int, set: KernelSet, usesVNNI: Bool, usesSSSE3: Bool) -> TileKernel {
        let isQuantised = MatrixLayout.readsQuantised(type)
        if set == .avx2 {
            guard usesVNNI else { return .avx2 }
            if isQuantised { return tokens > 4 || type == .q8_0 ? .vnni : .avx2 }
            return tokens >= wideFloatTokens ? .wideFloats : .avx2
        }
        return usesSSSE3 && isQuantised ? .ssse3 : .portable
    }
}

extension Compute {
    /// What `multiply` runs in for a matrix of `type`; nil where that is no loop of tiles: one token, the reference, a BLAS.
    package func tileKernel(for type: ElementType, tokens: Int) -> TileKernel? {
        // As `usesBLAS`, for a matrix of many rows.
        let usesBLAS =
            switch backend {
            case .native: false
            case .blas: true
            case .auto: BLASTable.isFaster(type, rows: .max, tokens: tokens, set: set)
            }
        guard tokens > 1, set != .reference, !usesBLAS else { return nil }
        return TileKernel.of(type, tokens: tokens, set: set, usesVNNI: usesVNNI, usesSSSE3: usesSSSE3)
    }
}
