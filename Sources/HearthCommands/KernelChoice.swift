import Foundation
package import HearthKernelTypes
package import HearthKernels

/// Which kernels run: `--kernels`, else `HEARTH_KERNELS`, else the best that the processor can execute.
package enum KernelChoice {
    package static func current(option: String? = nil) throws(KernelError) -> (set: KernelSet, why: String) {
        let variable = ProcessInfo.processInfo.environment["HEARTH_KERNELS"].flatMap { $0.isEmpty ? nil : $0 }
        let set = try KernelSet.choose(explicit: option, environment: variable)
        return (
            set,
            option != nil
                ? "asked for by --kernels"
                : variable != nil ? "asked for by HEARTH_KERNELS" : "the best for this processor"
        )
    }
}
