package import HearthInference
import HearthKernelTypes
package import HearthKernels

/// The options that say how a model is held and computed, shared by every verb that loads one.
package enum EngineArguments {
    /// `q4_k`: the name of a type in small letters.
    static func type(named word: String) -> ElementType? { ElementType.allCases.first { $0.name.lowercased() == word } }

    /// Says so where `--quantize` found nothing to do.
    static func warn(_ arguments: Arguments, quantised: Int) {
        guard quantised == 0, let type = arguments.text("--quantize") else { return }
        CommandWarning.nothingToQuantise(type: type).say()
    }

    package static func options(_ arguments: Arguments) throws(KernelError) -> ModelOptions {
        let kernels = try KernelChoice.current(option: arguments.text("--kernels")).set
        return ModelOptions(
            context: arguments.integer("--context"),
            kv: arguments.text("--kv").flatMap(KVType.init(rawValue:)) ?? .f16,
            threads: arguments.integer("--threads"),
            kernels: kernels,
            backend: arguments.text("--backend").flatMap(Backend.init(rawValue:)) ?? .auto,
            quantize: arguments.text("--quantize").flatMap(type(named:)))
    }
}
