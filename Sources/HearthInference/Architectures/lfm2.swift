import HearthKernelTypes
import HearthKernels
import HearthWeights

/// LFM 2: short gated convolutions with a few layers of attention among them, which norm each head of queries and keys.
/// Source: Liquid AI, "LFM2 Technical Report" (2025).
struct LFM2: Architecture {
    static let name = "lfm2"
    let shape: DecoderShape
    private let decoder: Decoder

    init(_ metadata: Metadata, _ reader: inout WeightReader) throws(InferenceError) {
        // Hyperparameters
        // Key heads of each layer; 0 marks a convolution.
        let key = "\(Self.name).attention.head_count_kv"
        let heads = try reading { () throws(CheckpointError) in try metadata.ints(key) }
        guard let kvHeads = heads.first(where: { $0 != 0 }), kvHeads > 0, kvHeads <= 1 << 24,
            heads.allSatisfy({ $0 == 0 || $0 == kvHeads })
        else {
            throw .unsupportedSetting(
                key: key, value: "\(heads)", supported: "0 for convolutions and one number for layers with attention")
        }
        let h = try Hyperparameters(
            metadata, architecture: Self.name, layout: .halves, kvHeads: kvHeads, context: reader.context)
        guard heads.count == h.layers else {
            throw .unsupportedSetting(key: key, value: "\(heads.count) values", supported: "one per layer, \(h.layers)")
        }
        let lengthKey = "\(Self.name).shortconv.l_cache"
        let length = try reading { () throws(CheckpointError) in try metadata.int(lengthKey) }
        // Published models read 3 positions.
        guard length >= 2, length <= 64 else {
            throw .unsupportedSetting(key: lengthKey, value: "\(length)", supported: "2 to 64")
        }
        let rope = try h.ropeTable()
        let attentionShape = h.attentionShape()

        // Weights
        let embedding = try TokenEmbedding(h, &reader)
        var layers: [Decoder.Layer] = []
        for index in 0..<h.layers {
            let names = LayerNames(index)
            let norm = try reader.vector(names["attn_norm"], h.width, h.widthReason)
            let feedForward = FeedForwardBlock(
                norm: try reader.vector(names["ffn_norm"], h.width, h.widthReason),
                gateUp: try reader.gateUp(names, h),
                down: try reader.down(names, h),
                epsilon: h.epsilon)
            if heads[index] == 0 {
                let convolution = try reader.shortConvolution(names, h, length: length, norm: norm)
                layers.append(Decoder.Layer(convolution: convolution, feedForward: feedForward))
                continue
            }
            let attention = AttentionBlock(
                norm: norm,
                qkv: try reader.qkv(names, h),
                queryNorm: try reader.vector(names["attn_q_norm"], h.keyWidth, h.queryReason),
                keyNorm: try reader.vector(names["attn_k_norm"], h.keyWidth, h.keyReason),
                rope: rope,
                shape: attentionShape,
                output: try reader.attentionOutput(names, h),
                epsilon: h.epsilon)
            layers.append(Decoder.Layer(attention: attention, feedForward: feedForward))
        }
        // The last norm goes by the name of one that follows the embedding in other models.
        let head = try OutputHead(h, embedding, norm: "token_embd_norm.weight", &reader)
        decoder = Decoder(embedding: embedding, layers: layers, head: head)
        let convolutions = heads.count { $0 == 0 }
        shape = DecoderShape(
            h, vocabulary: decoder.embedding.vocabulary,
            convolutions: convolutions == 0
                ? nil : ConvolutionShape(layers: convolutions, history: length - 1, width: h.width))
    }

    // Forward

    func forward(_ pass: ForwardPass) throws { try decoder.forward(pass) }

    func logits(_ pass: ForwardPass, first: Int, count: Int) throws {
        try decoder.logits(pass, first: first, count: count)
    }
}

extension WeightReader {
    fileprivate mutating func shortConvolution(
        _ names: LayerNames, _ h: Hyperparameters, length: Int, norm: Vector
    ) throws(InferenceError) -> ShortConvolutionBlock {
        let reason = "a convolution over \(length) positions of width \(h.width)"
        let channels = try table(names["shortconv.conv"], h.width, length, reason)
        // By position in place of by channel.
        let kernel = (0..<length).map { position in
            let weights = Vector(count: h.width)
            for channel in 0..<h.width { unsafe weights.values[channel] = channels[channel][position] }
            return weights
        }
        return ShortConvolutionBlock(
            norm: norm,
            input: try linear(matrix(names["shortconv.in_proj"], 3 * h.width, h.width, reason)),
            kernel: kernel,
            output: try linear(matrix(names["shortconv.out_proj"], h.width, h.width, reason)),
            epsilon: h.epsilon)
    }
}
