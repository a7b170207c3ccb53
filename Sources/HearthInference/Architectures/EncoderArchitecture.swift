import HearthKernelTypes
import HearthWeights

/// One family of encoders, which read a text in both directions and give a state for each token: a file each in this folder,
/// with the same parts in the same order as the decoders: hyperparameters, weights by name and shape, forward.
protocol EncoderArchitecture: Sendable {
    /// `general.architecture` of its files.
    static var name: String { get }

    /// Reads hyperparameters and asks for every weight.
    init(_ metadata: Metadata, _ reader: inout WeightReader) throws(InferenceError)

    /// What buffers are made from.
    var shape: EncoderShape { get }

    /// Takes the texts of `pass` from embedding to the last layer: `pass.state` holds the result.
    func forward(_ pass: EncoderPass) throws
}

/// Widths of the buffers of an encoder's forward pass, in values per token.
struct EncoderShape: Sendable {
    let width: Int
    /// Queries, keys and values side by side.
    let attentionInput: Int
    /// Outputs of all heads.
    let attentionOutput: Int
    let feedForward: Int
    /// Gate and up side by side where there is a gate.
    let feedForwardInput: Int
    let vocabulary: Int
    /// Most positions of a text.
    let context: Int
    let attention: AttentionShape
    /// How states become one vector where nobody says: as the file has it; nil where it says that they do not.
    let pooling: Pooling?

    init(_ h: Hyperparameters, vocabulary: Int, hasGate: Bool, pooling: Pooling?) {
        width = h.width
        attentionInput = h.qkvWidth
        attentionOutput = h.heads * h.valueWidth
        feedForward = h.feedForward
        feedForwardInput = h.feedForward * (hasGate ? 2 : 1)
        self.vocabulary = vocabulary
        context = h.context
        attention = h.encoderAttention
        self.pooling = pooling
    }
}

extension Hyperparameters {
    /// Of an encoder: LayerNorm in place of RMS norms, no mask.
    init(encoder metadata: Metadata, architecture: String, context: Int?) throws(InferenceError) {
        try self.init(
            metadata, architecture: architecture, layout: .halves, epsilon: "attention.layer_norm_epsilon", context: context)
        if try bool(ifPresent: "attention.causal") == true {
            throw .unsupportedSetting(key: "\(architecture).attention.causal", value: "true", supported: "false")
        }
        if let window {
            throw .unsupportedSetting(
                key: "\(architecture).attention.sliding_window", value: "\(window)", supported: "0: the whole text")
        }
    }

    /// Every token sees the whole text.
    var encoderAttention: AttentionShape {
        var shape = attentionShape(window: 0)
        shape.isCausal = false
        return shape
    }

    /// `pooling_type` by the numbers of the GGUF format. Where the key is missing it is the mean, which most models were
    /// trained with; nil where the file says that states stay apart.
    func pooling() throws(InferenceError) -> Pooling? {
        let key = "\(architecture).pooling_type"
        let number = try reading { () throws(CheckpointError) in try metadata.int(ifPresent: key) }
        guard let number else { return .mean }
        if number == 0 { return nil }
        guard let pooling = Pooling(rawValue: number) else {
            throw .unsupportedSetting(
                key: key, value: "\(number)", supported: "0 (none), 1 (mean), 2 (first token), 3 (last token)")
        }
        return pooling
    }
}
