import HearthKernelTypes
package import HearthKernels
package import HearthWeights

/// An embedding model in memory: weights laid out for this processor, and the architecture that computes with them.
///
/// Never changes after loading; any number of embedders may share it.
package final class EncoderWeights: Sendable {
    package let options: ModelOptions
    package let compute: Compute
    package let architecture: String
    /// Tokens that there are states for.
    package let vocabulary: Int
    /// Most tokens of a text, those around it included: as asked, else as trained.
    package let context: Int
    /// Values of a vector.
    package let dimension: Int
    /// As the file has it; nil where it says that states stay apart.
    package let pooling: Pooling?
    /// As `LanguageWeights.quantised`.
    package let quantised: Int
    let model: any EncoderArchitecture

    /// - Parameter memory: what there is room for; a model that is larger is refused before any weights are read.
    package static func load(
        _ checkpoint: Checkpoint, options: ModelOptions, memory: MemoryReadings = .live()
    ) throws(InferenceError) -> EncoderWeights {
        try EncoderWeights(checkpoint, options: options, memory: memory)
    }

    private init(_ checkpoint: Checkpoint, options: ModelOptions, memory: MemoryReadings) throws(InferenceError) {
        let metadata = checkpoint.metadata
        architecture = try reading { () throws(CheckpointError) in try metadata.text("general.architecture") }
        guard let type = Architectures.encoder(named: architecture) else {
            throw Architectures.named(architecture) == nil
                ? .unsupportedArchitecture(architecture) : .givesNoEmbedding(architecture: architecture)
        }
        compute = try options.compute()
        // Tables of rows stay in the file (`EncoderEmbedding`).
        let inFile: Set = ["token_embd.weight", "position_embd.weight", "token_types.weight"]
        try MemoryNeed(checkpoint, set: compute.set, quantize: options.quantize, inFile: inFile).check(memory)
        quantised = QuantisePlan.count(in: checkpoint, asked: options.quantize)
        var reader = WeightReader(checkpoint, context: options.context, compute: compute, quantize: options.quantize)
        model = try type.init(metadata, &reader)
        try reader.finish(architecture)
        compute.arena.finish()
        context = model.shape.context
        vocabulary = model.shape.vocabulary
        dimension = model.shape.width
        pooling = model.shape.pooling
        self.options = options
    }
}
