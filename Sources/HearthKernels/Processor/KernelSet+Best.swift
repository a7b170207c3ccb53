package import HearthKernelTypes

extension KernelSet {
    /// The fastest set that the processor can execute. The AVX2 set is compiled for AVX2, FMA and F16C together:
    /// none of the three implies another.
    package static func best(for features: CPUFeatures) -> KernelSet {
        features.avx2 && features.fma && features.f16c ? .avx2 : .portable
    }

    /// Whether this processor can execute the set at all.
    package func runs(on features: CPUFeatures) -> Bool {
        self != .avx2 || KernelSet.best(for: features) == .avx2
    }
}
