import HearthKernels

/// The walk that encoders take: embedding, then layers of attention and feed-forward.
struct Encoder: Sendable {
    let embedding: EncoderEmbedding
    let layers: [Layer]

    struct Layer: Sendable {
        /// The branch that reads other positions.
        let attention: EncoderAttention
        /// The branch that works on each position alone.
        let feedForward: EncoderFeedForward
    }

    /// Texts to the states after the last layer.
    func forward(_ pass: EncoderPass) throws {
        try embedding(pass)
        for layer in layers {
            try layer.attention(pass)
            try layer.feedForward(pass)
            try pass.finishLayer()
        }
    }
}

/// Mean and variance of a state to 0 and 1, then a weight and a bias for each value.
struct LayerNorm: Sendable {
    /// `[width]`
    let weight: Vector
    let bias: Vector
    let epsilon: Float

    /// state = norm(values), a row per token.
    func callAsFunction(_ values: UnsafePointer<Float>, _ pass: EncoderPass) throws {
        try unsafe pass.compute.layerNorm(
            values, weight: weight.values, bias: bias.values, epsilon: epsilon, tokens: pass.count, into: pass.state)
    }
}

extension WeightReader {
    mutating func layerNorm(_ weight: String, _ bias: String, _ h: Hyperparameters) throws(InferenceError) -> LayerNorm {
        LayerNorm(
            weight: try vector(weight, h.width, h.widthReason), bias: try vector(bias, h.width, h.widthReason),
            epsilon: h.epsilon)
    }
}
