import HearthKernelTypes
import HearthKernels
import HearthWeights

/// Llama 1 to 3, Mistral, SmolLM2 and all that call themselves so: RMS norms before both branches, rotary positions on
/// neighbouring pairs, grouped-query attention, a gated feed-forward with SiLU.
/// Sources: Touvron et al., "LLaMA" (2023) and "Llama 2" (2023); Grattafiori et al., "The Llama 3 Herd of Models" (2024).
struct Llama: Architecture {
    static let name = "llama"

    // Hyperparameters

    let shape: DecoderShape
    private let h: Hyperparameters

    // Weights

    private let embedding: TokenEmbedding
    private let layers: [Layer]
    private let head: OutputHead

    struct Layer: Sendable {
        let attention: AttentionBlock
        let feedForward: FeedForwardBlock
    }

    init(_ metadata: Metadata, _ reader: inout WeightReader) throws(InferenceError) {
        let h = try Hyperparameters(metadata, architecture: Self.name, layout: .pairs)
        self.h = h
        embedding = try TokenEmbedding(h, &reader)
        let rope = try h.ropeTable(factors: reader.vector(ifPresent: "rope_freqs.weight", h.rope.dimensions / 2, h.ropeReason))
        let attentionShape = h.attentionShape()
        var layers: [Layer] = []
        for index in 0..<h.layers {
            let names = LayerNames(index)
            layers.append(
                Layer(
                    attention: AttentionBlock(
                        norm: try reader.vector(names["attn_norm"], h.width, h.widthReason),
                        qkv: try reader.qkv(names, h),
                        qkvBias: try reader.qkvBias(names, h),
                        rope: rope,
                        shape: attentionShape,
                        output: try reader.attentionOutput(names, h),
                        outputBias: try reader.vector(ifPresent: names["attn_output", "bias"], h.width, h.widthReason),
                        epsilon: h.epsilon),
                    feedForward: FeedForwardBlock(
                        norm: try reader.vector(names["ffn_norm"], h.width, h.widthReason),
                        gateUp: try reader.gateUp(names, h),
                        down: try reader.down(names, h),
                        epsilon: h.epsilon)))
        }
        self.layers = layers
        head = try OutputHead(h, embedding, &reader)
        shape = DecoderShape(h, vocabulary: embedding.vocabulary)
    }

    // Forward

    func forward(_ pass: ForwardPass) throws {
        embedding(pass)
        for (index, layer) in layers.enumerated() {
            try layer.attention(pass, layer: index)
            try layer.feedForward(pass)
            try pass.finishLayer()
        }
    }

    func logits(_ pass: ForwardPass, first: Int, count: Int) throws {
        try head(pass, first: first, count: count)
    }
}
