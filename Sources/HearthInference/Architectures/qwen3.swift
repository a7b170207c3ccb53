import HearthKernelTypes
import HearthKernels
import HearthWeights

/// Qwen 3: as llama, with a norm on each head of queries and keys and rotary positions on two halves.
/// Source: Yang et al., "Qwen3 Technical Report" (2025).
struct Qwen3: Architecture {
    static let name = "qwen3"
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
                norm: try reader.vector(names["attn_norm"], h.width, h.widthReason),
                qkv: try reader.qkv(names, h),
                qkvBias: try reader.qkvBias(names, h),
                queryNorm: try reader.vector(names["attn_q_norm"], h.keyWidth, h.queryReason),
                keyNorm: try reader.vector(names["attn_k_norm"], h.keyWidth, h.keyReason),
                rope: rope,
                shape: attentionShape,
                output: try reader.attentionOutput(names, h),
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
