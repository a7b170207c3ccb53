import HearthKernelTypes
import HearthKernels
import HearthWeights

/// Qwen 3 with experts: as qwen3, each layer's feed-forward a choice of experts whose weights sum to 1.
/// Source: Yang et al., "Qwen3 Technical Report" (2025), section 2.
struct Qwen3MoE: Architecture {
    static let name = "qwen3moe"
    let shape: DecoderShape
    private let decoder: Decoder

    init(_ metadata: Metadata, _ reader: inout WeightReader) throws(InferenceError) {
        // Hyperparameters
        let h = try Hyperparameters(
            metadata, architecture: Self.name, layout: .halves, hasExperts: true, context: reader.context)
        let e = try ExpertSettings(h)
        let rope = try h.ropeTable()
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
                queryNorm: try reader.vector(names["attn_q_norm"], h.keyWidth, h.queryReason),
                keyNorm: try reader.vector(names["attn_k_norm"], h.keyWidth, h.keyReason),
                rope: rope,
                shape: attentionShape,
                output: try reader.attentionOutput(names, h),
                epsilon: h.epsilon)
            let norm = try reader.vector(names["ffn_norm"], h.width, h.widthReason)
            layers.append(Decoder.Layer(attention: attention, experts: try reader.experts(names, h, e, norm: norm)))
        }
        let head = try OutputHead(h, embedding, &reader)
        decoder = Decoder(embedding: embedding, layers: layers, head: head)
        shape = DecoderShape(h, vocabulary: decoder.embedding.vocabulary, experts: e)
    }

    // Forward

    func forward(_ pass: ForwardPass) throws { try decoder.forward(pass) }

    func logits(_ pass: ForwardPass, first: Int, count: Int) throws {
        try decoder.logits(pass, first: first, count: count)
    }
}
