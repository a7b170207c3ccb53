import HearthKernelTypes
import HearthKernels
import HearthWeights

/// BERT: learned positions, biases everywhere, a LayerNorm behind each branch, and a feed-forward with GELU (error-function form).
/// Source: Devlin et al., "BERT: Pre-training of Deep Bidirectional Transformers" (2018), section 3.
struct BERT: EncoderArchitecture {
    static let name = "bert"
    let shape: EncoderShape
    private let encoder: Encoder

    init(_ metadata: Metadata, _ reader: inout WeightReader) throws(InferenceError) {
        // Hyperparameters
        let h = try Hyperparameters(encoder: metadata, architecture: Self.name, context: reader.context)
        let pooling = try h.pooling()

        // Weights
        let embedding = try EncoderEmbedding(h, hasPositions: true, &reader)
        var layers: [Encoder.Layer] = []
        for index in 0..<h.layers {
            let names = LayerNames(index)
            let attention = EncoderAttention(
                qkv: try reader.qkv(names, h),
                qkvBias: try reader.qkvBias(names, h),
                rope: nil,
                shape: h.encoderAttention,
                output: try reader.attentionOutput(names, h),
                outputBias: try reader.vector(names["attn_output", "bias"], h.width, h.widthReason),
                norm: try reader.layerNorm(names["attn_output_norm"], names["attn_output_norm", "bias"], h))
            let up = try reader.matrix(names["ffn_up"], h.feedForward, h.width, h.feedForwardReason)
            let feedForward = EncoderFeedForward(
                input: .gelu(
                    try reader.linear(up),
                    bias: try reader.vector(names["ffn_up", "bias"], h.feedForward, h.feedForwardReason)),
                down: try reader.down(names, h),
                downBias: try reader.vector(names["ffn_down", "bias"], h.width, h.widthReason),
                norm: try reader.layerNorm(names["layer_output_norm"], names["layer_output_norm", "bias"], h))
            layers.append(Encoder.Layer(attention: attention, feedForward: feedForward))
        }
        encoder = Encoder(embedding: embedding, layers: layers)
        shape = EncoderShape(h, vocabulary: embedding.vocabulary, hasGate: false, pooling: pooling)
    }

    // Forward

    func forward(_ pass: EncoderPass) throws { try encoder.forward(pass) }
}
