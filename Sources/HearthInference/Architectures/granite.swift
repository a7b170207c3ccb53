import HearthKernelTypes
import HearthKernels
import HearthWeights

/// Granite 3: as llama, with factors on embedding, residuals, attention and logits.
/// Source: IBM, "Granite 3.0 Language Models" (2024); the factors are those of maximal update parametrisation.
struct Granite: Architecture {
    static let name = "granite"
    let shape: DecoderShape
    private let decoder: Decoder

    init(_ metadata: Metadata, _ reader: inout WeightReader) throws(InferenceError) {
        // Hyperparameters
        let h = try Hyperparameters(metadata, architecture: Self.name, layout: .pairs, context: reader.context)
        let residual = try h.float(ifPresent: "residual_scale") ?? 1
        // The format's switch for models without positions.
        let rotates = try h.bool(ifPresent: "rope.scaling.finetuned") ?? true
        let rope = rotates ? try h.ropeTable() : nil
        let attentionShape = h.attentionShape(scale: try h.float(ifPresent: "attention.scale"))
        let embeddingScale = try h.float(ifPresent: "embedding_scale") ?? 1

        // Weights
        let embedding = try TokenEmbedding(h, scale: embeddingScale, &reader)
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
                residualScale: residual,
                epsilon: h.epsilon)
            let feedForward = FeedForwardBlock(
                norm: try reader.vector(names["ffn_norm"], h.width, h.widthReason),
                gateUp: try reader.gateUp(names, h),
                down: try reader.down(names, h),
                residualScale: residual,
                epsilon: h.epsilon)
            layers.append(Decoder.Layer(attention: attention, feedForward: feedForward))
        }
        var head = try OutputHead(h, embedding, &reader)
        head.divisor = try h.float(ifPresent: "logit_scale") ?? 1
        decoder = Decoder(embedding: embedding, layers: layers, head: head)
        shape = DecoderShape(h, vocabulary: decoder.embedding.vocabulary)
    }

    // Forward

    func forward(_ pass: ForwardPass) throws { try decoder.forward(pass) }

    func logits(_ pass: ForwardPass, first: Int, count: Int) throws {
        try decoder.logits(pass, first: first, count: count)
    }
}
