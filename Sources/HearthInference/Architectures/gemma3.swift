import HearthKernelTypes
import HearthKernels
import HearthWeights

/// Gemma 3 (text): as Gemma 2 with a norm on each head of queries and keys in place of the soft caps; five layers of six look
/// back over a window only and rotate with a base of their own.
/// Source: Gemma Team, "Gemma 3 Technical Report" (2025), section 2.
struct Gemma3: Architecture {
    static let name = "gemma3"
    let shape: DecoderShape
    private let decoder: Decoder

    init(_ metadata: Metadata, _ reader: inout WeightReader) throws(InferenceError) {
        // Hyperparameters
        let h = try Hyperparameters(metadata, architecture: Self.name, layout: .halves, context: reader.context)
        // Scaling of positions is for the full layers; windowed ones keep the base that the window was trained with.
        let rope = try h.ropeTable()
        let windowBase = try h.float(ifPresent: "rope.freq_base_swa") ?? 10_000
        let windowRope = try h.ropeTable(base: windowBase, factor: 1)
        let lastCap = try h.float(ifPresent: "final_logit_softcapping")
        // The 27B model, the one of 62 layers, divides by the width per head instead of the head's own width.
        let scale: Float? = h.layers == 62 ? 1 / Float(h.width / h.heads).squareRoot() : nil
        let windowed = h.attentionShape(scale: scale, window: h.window ?? 1024)
        let full = h.attentionShape(scale: scale, window: 0)
        let windows = try h.windows { $0 % 6 != 5 }

        // Weights
        let embedding = try TokenEmbedding(h, scale: Float(h.width).squareRoot(), &reader)
        var layers: [Decoder.Layer] = []
        for index in 0..<h.layers {
            let names = LayerNames(index)
            let attention = AttentionBlock(
                norm: try reader.vector(names["attn_norm"], h.width, h.widthReason),
                qkv: try reader.qkv(names, h),
                queryNorm: try reader.vector(names["attn_q_norm"], h.keyWidth, h.queryReason),
                keyNorm: try reader.vector(names["attn_k_norm"], h.keyWidth, h.keyReason),
                rope: windows[index] ? windowRope : rope,
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
