package import HearthKernelTypes

extension KernelSet {
    /// The set to run: `explicit` (`--kernels`), else the environment's `HEARTH_KERNELS`, else the best that the processor has.
    /// An unknown name, and a set that the processor cannot execute, are errors.
    package static func choose(
        explicit: String?, environment: String?, features: CPUFeatures = .current
    ) throws(KernelError) -> KernelSet {
        guard let name = explicit ?? (environment == "" ? nil : environment) else { return best(for: features) }
        guard let set = KernelSet(rawValue: name) else { throw .unknownKernelSet(name: name) }
        guard set.runs(on: features) else { throw .kernelSetNotExecutable(name: name, features: features.names) }
        return set
    }
}
