import HearthKernelTypes
import HearthKernels
import HearthWeights

/// Phi 3 and 4: one matrix for queries, keys and values, one for gate and up, rotary positions on two halves, and for long
/// contexts two sets of factors (LongRoPE).
/// Sources: Abdin et al., "Phi-3 Technical Report" (2024); Ding et al., "LongRoPE" (2024).
struct Phi3: Architecture {
    static let name = "phi3"
    let shape: DecoderShape
    private let decoder: Decoder

    init(_ metadata: Metadata, _ reader: inout WeightReader) throws(InferenceError) {
        // Hyperparameters
        let h = try Hyperparameters(metadata, architecture: Self.name, layout: .halves, longRope: true, context: reader.context)
        // The context decides which factors hold: one up to the original length reads the short ones.
        let kind = h.context > h.original ? "long" : "short"
        let other = h.context > h.original ? "short" : "long"
        let factors = try reader.vector(
            ifPresent: "rope_factors_\(kind).weight", h.rope.dimensions / 2, h.ropeReason)
        reader.ignore("rope_factors_\(other).weight")
        let rope = try h.ropeTable(factors: factors, magnitude: Double(h.rope.magnitude))
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
