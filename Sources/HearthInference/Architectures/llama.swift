import HearthKernelTypes
import HearthKernels
import HearthWeights

/// Llama 1 to 3, Mistral, SmolLM2 and all that call themselves so: RMS norms before both branches, rotary positions on
/// neighbouring pairs, grouped-query attention, a gated feed-forward with SiLU.
/// Sources: Touvron et al., "LLaMA" (2023) and "Llama 2" (2023); Grattafiori et al., "The Llama 3 Herd of Models" (2024).
struct Llama: Architecture {
    static let name = "llama"
    let shape: DecoderShape
    private let decoder: Decoder

    init(_ metadata: Metadata, _ reader: inout WeightReader) throws(InferenceError) {
        // Hyperparameters
        let h = try Hyperparameters(metadata, architecture: Self.name, layout: .pairs, context: reader.context)
        // Llama 3.1 and later slow long wavelengths down by a factor for each pair, kept as a tensor.
        let factors = try reader.vector(ifPresent: "rope_freqs.weight", h.rope.dimensions / 2, h.ropeReason)
        let rope = try h.ropeTable(factors: factors)
        let attentionShape = h.attentionShape()

        // Weights
        let embedding = try TokenEmbedding(h, &reader)
        var layers: [Decoder.Layer] = []
        for index in 0..<h.layers {
            let names = LayerNames(index)
            let attention = AttentionBlock(
                norm: try reader.vector(names["attn_norm"], h.width, h.widthReason),
                qkv: try reader.qkv(names, h),
                qkvBias: try reader.qkvBias(names, h),
                rope: rope,
                shape: attentionShape,
                output: try reader.attentionOutput(names, h),
                outputBias: try reader.vector(ifPresent: names["attn_output", "bias"], h.width, h.widthReason),
                epsilon: h.epsilon)
            let feedForward = FeedForwardBlock(
                norm: try reader.vector(names["ffn_norm"], h.width, h.widthReason),
                gateUp: try reader.gateUp(names, h),
                down: try reader.down(names, h),
                epsilon: h.epsilon)
            layers.append(Decoder.Layer(attention: attention, feedForward: feedForward))
        }
        let head = try OutputHead(h, embedding, &reader)
        decoder = Decoder(embedding: embedding, layers: layers, head: head)
        shape = DecoderShape(h, vocabulary: decoder.embedding.vocabulary)
    }

    // Forward

    func forward(_ pass: ForwardPass) throws { try decoder.forward(pass) }

    func logits(_ pass: ForwardPass, first: Int, count: Int) throws {
        try decoder.logits(pass, first: first, count: count)
    }
}
