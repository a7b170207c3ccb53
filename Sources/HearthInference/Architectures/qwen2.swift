import HearthKernelTypes
import HearthKernels
import HearthWeights

/// Qwen 2 and 2.5: as llama, with biases on queries, keys and values and rotary positions on two halves.
/// Source: Yang et al., "Qwen2 Technical Report" (2024).
struct Qwen2: Architecture {
    static let name = "qwen2"
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
