import HearthKernelTypes
import HearthKernels
import HearthWeights

/// Gemma 2: norms before and after both branches, GELU, scaled embedding, a window on even layers, and soft caps on
/// attention and logits.
/// Source: Gemma Team, "Gemma 2" (2024), section 2 and table 1.
struct Gemma2: Architecture {
    static let name = "gemma2"
    let shape: DecoderShape
    private let decoder: Decoder

    init(_ metadata: Metadata, _ reader: inout WeightReader) throws(InferenceError) {
        // Hyperparameters
        let h = try Hyperparameters(metadata, architecture: Self.name, layout: .halves, context: reader.context)
        let rope = try h.ropeTable()
        // The caps and the window are Gemma 2's own where the file leaves them out.
        let cap = try h.float(ifPresent: "attn_logit_softcapping") ?? 50
        let lastCap = try h.float(ifPresent: "final_logit_softcapping") ?? 30
        // The 27B model, the one of 46 layers, divides by the width per head instead of the head's own width.
        let scale: Float? = h.layers == 46 ? 1 / Float(h.width / h.heads).squareRoot() : nil
        let windowed = h.attentionShape(scale: scale, window: h.window ?? 4096, softCap: cap)
        let full = h.attentionShape(scale: scale, window: 0, softCap: cap)
        let windows = try h.windows { $0 % 2 == 0 }

        // Weights
        let embedding = try TokenEmbedding(h, scale: Float(h.width).squareRoot(), &reader)
        var layers: [Decoder.Layer] = []
        for index in 0..<h.layers {
            let names = LayerNames(index)
            let attention = AttentionBlock(
                norm: try reader.vector(names["attn_norm"], h.width, h.widthReason),
                qkv: try reader.qkv(names, h),
                rope: rope,
                shape: windows[index] ? windowed : full,
                output: try reader.attentionOutput(names, h),
                postNorm: try reader.vector(names["post_attention_norm"], h.width, h.widthReason),
                epsilon: h.epsilon)
            let feedForward = FeedForwardBlock(
                norm: try reader.vector(names["ffn_norm"], h.width, h.widthReason),
                gateUp: try reader.gateUp(names, h),
                activation: .gelu,
                down: try reader.down(names, h),
                postNorm: try reader.vector(names["post_ffw_norm"], h.width, h.widthReason),
                epsilon: h.epsilon)
            layers.append(Decoder.Layer(attention: attention, feedForward: feedForward))
        }
        var head = try OutputHead(h, embedding, &reader)
        head.softCap = lastCap
        decoder = Decoder(embedding: embedding, layers: layers, head: head)
        shape = DecoderShape(h, vocabulary: decoder.embedding.vocabulary)
    }

    // Forward

    func forward(_ pass: ForwardPass) throws { try decoder.forward(pass) }

    func logits(_ pass: ForwardPass, first: Int, count: Int) throws {
        try decoder.logits(pass, first: first, count: count)
    }
}
