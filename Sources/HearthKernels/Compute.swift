package import HearthKernelTypes
package import Synchronization

/// Arithmetic on buffers: which kernel set runs, on how many threads, and what was counted.
///
/// The verbs are extensions, a file each (`Compute+Multiply.swift` ...). Each checks its shapes and throws `KernelError`;
/// the loops below it check nothing.
package struct Compute: Sendable {
    package let set: KernelSet
    /// Workers that may join one step, the caller included; at least 1.
    package let threads: Int
    package let backend: Backend
    package let counters: Counters
    package let pool: ThreadPool
    /// Whether the AVX2 set's products of many tokens use AVX-512 VNNI, and its attention and its passes for samplers AVX-512.
    /// The bits are the same either way.
    package let usesVNNI: Bool
    /// Whether the portable set's products of quantised weights use SSSE3. The bits are the same either way.
    package let usesSSSE3: Bool
    /// Where weights that are made with this are kept.
    package let arena = WeightArena()

    package init(
        set: KernelSet, threads: Int, backend: Backend = .auto, pool: ThreadPool = .shared,
        usesVNNI: Bool = Compute.processorHasVNNI, usesSSSE3: Bool = Compute.processorHasSSSE3
    ) {
        self.set = set
        self.threads = min(max(1, threads), ThreadPool.mostWorkers)
        self.backend = backend
        self.counters = Counters()
        self.pool = pool
        self.usesVNNI = usesVNNI && set == .avx2
        self.usesSSSE3 = usesSSSE3 && set == .portable
    }

    /// What a run did, for `--stats` and tests.
    package final class Counters: Sendable {
        package let products = Atomic<Int>(0)
        package let blasProducts = Atomic<Int>(0)
        /// Numbers that passes for samplers went over.
        package let drawNumbers = Atomic<Int>(0)

        init() {}
    }
}
