package import HearthWeights

/// What can be made of a model file here.
package enum ModelUse: Sendable {
    case text
    case vectors
    /// The file has a vocabulary and no weights.
    case tokens
    case nothing(InferenceError)

    /// By the architecture's name and whether there are tensors; loading looks at everything.
    package init(_ checkpoint: Checkpoint) {
        do throws(InferenceError) {
            let name = try reading { () throws(CheckpointError) in try checkpoint.metadata.text("general.architecture") }
            let writes = Architectures.named(name) != nil
            guard writes || Architectures.encoder(named: name) != nil else { throw .unsupportedArchitecture(name) }
            self = checkpoint.tensors.isEmpty ? .tokens : writes ? .text : .vectors
        } catch { self = .nothing(error) }
    }
}
