/// Which implementation of the kernels runs. `reference` is the definition of the others.
package enum KernelSet: String, Sendable, CaseIterable {
    /// Plain Float32 arithmetic on the file's own blocks.
    case reference
    /// SIMD that every processor of the architecture has.
    case portable
    /// x86 with AVX2, FMA and F16C.
    case avx2
}

/// How keys and values are kept in the cache.
package enum KVType: String, Sendable, Hashable, CaseIterable {
    case f32
    case f16
    /// Blocks of 32 signed bytes with one scale.
    case q8_0
}

/// Who computes batched products: our kernels, OpenBLAS, or whichever the table in the source says.
package enum Backend: String, Sendable, Hashable, CaseIterable {
    case auto
    case native
    case blas
}
