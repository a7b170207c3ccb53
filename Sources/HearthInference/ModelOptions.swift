package import HearthKernelTypes
package import HearthKernels

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

extension ModelOptions {
    /// Checks the options and makes the arithmetic that they ask for.
    package func compute() throws(InferenceError) -> Compute {
        if let threads, threads < 1 || threads > ThreadPool.mostWorkers {
            throw .badOption(name: "threads", value: "\(threads)", allowed: "1 to \(ThreadPool.mostWorkers)")
        }
        if let context, context < 1 {
            throw .badOption(name: "context", value: "\(context)", allowed: "1 or more")
        }
        if let type = quantize, !Compute.quantisedTypes.contains(type) {
            throw .badOption(
                name: "quantize", value: type.name, allowed: Compute.quantisedTypes.map(\.name).joined(separator: ", "))
        }
        let features = CPUFeatures.current
        let set = kernels ?? KernelSet.best(for: features)
        guard set.runs(on: features) else {
            throw .kernel(.kernelSetNotExecutable(name: set.rawValue, features: features.names))
        }
        let workers = threads ?? ThreadCount.current.count
        ThreadPool.shared.reserve(workers: workers)
        return Compute(set: set, threads: workers, backend: backend)
    }
}
