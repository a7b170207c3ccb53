package import HearthKernelTypes

/// How a model is held in memory and computed: what needs a reload when it changes.
package struct ModelOptions: Hashable, Sendable {
    /// Most positions of a sequence; nil is what the model was trained for.
    package var context: Int?
    package var kv: KVType
    /// Workers of the pool that may join; nil is the pool's own count.
    package var threads: Int?
    /// Nil is the best set for this processor.
    package var kernels: KernelSet?
    package var backend: Backend
    /// What matrices of floats are brought into while loading; nil leaves them. One of `Compute.quantisedTypes`.
    package var quantize: ElementType?

    package init(
        context: Int? = nil, kv: KVType = .f16, threads: Int? = nil, kernels: KernelSet? = nil,
        backend: Backend = .auto, quantize: ElementType? = nil
    ) {
        self.context = context
        self.kv = kv
        self.threads = threads
        self.kernels = kernels
        self.backend = backend
        self.quantize = quantize
    }
}
