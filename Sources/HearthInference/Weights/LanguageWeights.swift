import HearthKernelTypes
package import HearthKernels
import HearthTokens
package import HearthWeights

/// A model in memory: weights laid out for this processor, and the architecture that computes with them.
///
/// Never changes after loading; any number of generators may share it.
package final class LanguageWeights: Sendable {
    package let options: ModelOptions
    package let compute: Compute
    /// Tokens that there are logits for.
    package let vocabulary: Int
    /// Most positions of a sequence: as asked, else as trained.
    package let context: Int
    /// Positions that the model was trained for; nil where the file does not say.
    package let trainedContext: Int?
    package let architecture: String
    /// Tensors that were brought into the smaller type that was asked for; 0 where none was, or where the file has no such
    /// weights.
    package let quantised: Int
    /// What the file says about sampling (`general.sampling.*`).
    package let samplingDefaults: SamplingOptions
    let model: any Architecture

    /// - Parameter memory: what there is room for; a model that is larger is refused before any weights are read.
    package static func load(
        _ checkpoint: Checkpoint, options: ModelOptions, memory: MemoryReadings = .live()
    ) throws(InferenceError) -> LanguageWeights {
        try LanguageWeights(checkpoint, options: options, memory: memory)
    }

    private init(_ checkpoint: Checkpoint, options: ModelOptions, memory: MemoryReadings) throws(InferenceError) {
        let metadata = checkpoint.metadata
        architecture = try reading { () throws(CheckpointError) in try metadata.text("general.architecture") }
        guard let type = Architectures.named(architecture) else {
            throw Architectures.encoder(named: architecture) == nil
                ? .unsupportedArchitecture(architecture) : .givesNoText(architecture: architecture)
        }
        compute = try options.compute()
        // A matrix that only gives rows stays in the file (`TokenEmbedding`).
        let inFile: Set = checkpoint.tensor("output.weight") == nil ? [] : ["token_embd.weight"]
        try MemoryNeed(checkpoint, set: compute.set, quantize: options.quantize, inFile: inFile).check(memory)
        quantised = QuantisePlan.count(in: checkpoint, asked: options.quantize)
        var reader = WeightReader(checkpoint, context: options.context, compute: compute, quantize: options.quantize)
        model = try type.init(metadata, &reader)
        try reader.finish(architecture)
        compute.arena.finish()
        context = model.shape.context
        trainedContext = try reading { [architecture] () throws(CheckpointError) in
            try metadata.int(ifPresent: architecture + ".context_length")
        }
        vocabulary = model.shape.vocabulary
        try Sampler.check(vocabulary: vocabulary)
        samplingDefaults = try Self.sampling(metadata)
        self.options = options
    }

    /// The file's own sampling values, by the keys of the GGUF format text.
    private static func sampling(_ metadata: Metadata) throws(InferenceError) -> SamplingOptions {
        try reading { () throws(CheckpointError) in
            SamplingOptions(
                temperature: try metadata.float(ifPresent: "general.sampling.temp"),
                topK: try metadata.int(ifPresent: "general.sampling.top_k"),
                topP: try metadata.float(ifPresent: "general.sampling.top_p"),
                minP: try metadata.float(ifPresent: "general.sampling.min_p"),
                repetitionPenalty: try metadata.float(ifPresent: "general.sampling.penalty_repeat"))
        }
    }

    func makeSequence() throws(InferenceError) -> KVSequence {
        try KVSequence(shapes: model.shape.layers, convolutions: model.shape.convolutions, type: options.kv, context: context)
    }
}
