import HearthKernelTypes
import HearthKernels
import HearthWeights

/// gpt-oss: biases everywhere, a window on even layers, one score per head that takes weight and gives nothing (a sink),
/// positions stretched by YaRN, and experts with a clamped gate.
/// Source: OpenAI, "gpt-oss-120b & gpt-oss-20b Model Card" (2025), section 2.
struct GPTOSS: Architecture {
    static let name = "gpt-oss"
    let shape: DecoderShape
    private let decoder: Decoder

    init(_ metadata: Metadata, _ reader: inout WeightReader) throws(InferenceError) {
        // Hyperparameters
        let h = try Hyperparameters(
            metadata, architecture: Self.name, layout: .halves, yarn: true, hasExperts: true, context: reader.context)
        let e = try ExpertSettings(h)
        let rope = try h.ropeTable()
        // The model card's window where the file leaves it out.
        let window = h.window ?? 128
        let windows = try h.windows { $0 % 2 == 0 }

        // Weights
        let embedding = try TokenEmbedding(h, &reader)
        var layers: [Decoder.Layer] = []
        for index in 0..<h.layers {
            let names = LayerNames(index)
            let sinks = try reader.vector(names["attn_sinks"], h.heads, "one sink for each of \(h.heads) heads")
            let attention = AttentionBlock(
                norm: try reader.vector(names["attn_norm"], h.width, h.widthReason),
                qkv: try reader.qkv(names, h),
                qkvBias: try reader.qkvBias(names, h),
                rope: rope,
                shape: h.attentionShape(window: windows[index] ? window : 0, sinks: sinks),
                sinks: sinks,
                output: try reader.attentionOutput(names, h),
                outputBias: try reader.vector(ifPresent: names["attn_output", "bias"], h.width, h.widthReason),
                epsilon: h.epsilon)
            let norm = try reader.vector(names["post_attention_norm"], h.width, h.widthReason)
            layers.append(
                Decoder.Layer(
                    attention: attention, experts: try reader.experts(names, h, e, norm: norm, activation: .clamped)))
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
