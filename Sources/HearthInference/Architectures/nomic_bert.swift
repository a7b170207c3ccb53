import HearthKernelTypes
import HearthKernels
import HearthWeights

/// Nomic's BERT: rotary positions on two halves in place of learned ones, a gated feed-forward (SwiGLU), and no biases but those
/// of the norms, or some where the file has them.
/// Source: Nussbaum et al., "Nomic Embed: Training a Reproducible Long Context Text Embedder" (2024), section 3.
struct NomicBERT: EncoderArchitecture {
    static let name = "nomic-bert"
    let shape: EncoderShape
    private let encoder: Encoder

    init(_ metadata: Metadata, _ reader: inout WeightReader) throws(InferenceError) {
        // Hyperparameters
        let h = try Hyperparameters(encoder: metadata, architecture: Self.name, context: reader.context)
        let pooling = try h.pooling()
        let rope = try h.ropeTable()

        // Weights
        let embedding = try EncoderEmbedding(h, hasPositions: false, &reader)
        var layers: [Encoder.Layer] = []
        for index in 0..<h.layers {
            let names = LayerNames(index)
            let attention = EncoderAttention(
                qkv: try reader.qkv(names, h),
                qkvBias: try reader.qkvBias(names, h),
                rope: rope,
                shape: h.encoderAttention,
                output: try reader.attentionOutput(names, h),
                outputBias: try reader.vector(ifPresent: names["attn_output", "bias"], h.width, h.widthReason),
                norm: try reader.layerNorm(names["attn_output_norm"], names["attn_output_norm", "bias"], h))
            let feedForward = EncoderFeedForward(
                input: .gated(try reader.gateUp(names, h)),
                down: try reader.down(names, h),
                downBias: try reader.vector(ifPresent: names["ffn_down", "bias"], h.width, h.widthReason),
                norm: try reader.layerNorm(names["layer_output_norm"], names["layer_output_norm", "bias"], h))
            layers.append(Encoder.Layer(attention: attention, feedForward: feedForward))
        }
        encoder = Encoder(embedding: embedding, layers: layers)
        shape = EncoderShape(h, vocabulary: embedding.vocabulary, hasGate: true, pooling: pooling)
    }

    // Forward

    func forward(_ pass: EncoderPass) throws { try encoder.forward(pass) }
}
