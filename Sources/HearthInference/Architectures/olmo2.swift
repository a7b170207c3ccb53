import HearthKernelTypes
import HearthKernels
import HearthWeights

/// OLMo 2: no norm before a branch, one after each, and norms of queries and keys over all heads together.
/// Source: OLMo team, "2 OLMo 2 Furious" (2024), section 2.
struct OLMo2: Architecture {
    static let name = "olmo2"
    let shape: DecoderShape
    private let decoder: Decoder

    init(_ metadata: Metadata, _ reader: inout WeightReader) throws(InferenceError) {
        // Hyperparameters
        let h = try Hyperparameters(metadata, architecture: Self.name, layout: .halves, context: reader.context)
        let rope = try h.ropeTable()
        let attentionShape = h.attentionShape()

        // Weights
        let embedding = try TokenEmbedding(h, &reader)
        var layers: [Decoder.Layer] = []
        for index in 0..<h.layers {
            let names = LayerNames(index)
            let attention = AttentionBlock(
                qkv: try reader.qkv(names, h),
                queryNorm: try reader.vector(names["attn_q_norm"], h.heads * h.keyWidth, h.queryReason),
                keyNorm: try reader.vector(names["attn_k_norm"], h.kvHeads * h.keyWidth, h.keyReason),
                rope: rope,
                shape: attentionShape,
                output: try reader.attentionOutput(names, h),
                postNorm: try reader.vector(names["post_attention_norm"], h.width, h.widthReason),
                epsilon: h.epsilon)
            let feedForward = FeedForwardBlock(
                gateUp: try reader.gateUp(names, h),
                down: try reader.down(names, h),
                postNorm: try reader.vector(names["post_ffw_norm"], h.width, h.widthReason),
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
