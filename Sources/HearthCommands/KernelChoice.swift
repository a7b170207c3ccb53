import Foundation
import HearthKernels
package import HearthKernelTypes

/// Which kernels run: `--kernels`, else `HEARTH_KERNELS`, else the best that the processor can execute.
package enum KernelChoice {
    package static func current(option: String? = nil) throws(CommandError) -> (set: KernelSet, why: String) {
        let variable = ProcessInfo.processInfo.environment["HEARTH_KERNELS"].flatMap { $0.isEmpty ? nil : $0 }
        return try choose(option: option, variable: variable, features: .current)
    }

    /// The choice as a function of what was asked and what there is.
    static func choose(option: String?, variable: String?, features: CPUFeatures) throws(CommandError) -> (KernelSet, String) {
        guard let asked = option ?? variable else {
            return (KernelSet.best(for: features), "the best for this processor")
        }
        let place = option == nil ? "HEARTH_KERNELS" : "--kernels"
        guard let set = KernelSet(rawValue: asked) else {
            throw .unknownKernels(value: asked, known: KernelSet.allCases.map(\.rawValue))
        }
        guard set.runs(on: features) else { throw .kernelsCannotRun(set: asked, features: features.names) }
        return (set, "asked for by \(place)")
    }
}
