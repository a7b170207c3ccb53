/// The walk that most architectures take: embedding, layers of attention and feed-forward, head.
struct Decoder: Sendable {
    let embedding: TokenEmbedding
    let layers: [Layer]
    let head: OutputHead

    struct Layer: Sendable {
        let attention: AttentionBlock
        let feedForward: FeedForwardBlock
    }

    /// Tokens to the states after the last layer.
    func forward(_ pass: ForwardPass) throws {
        embedding(pass)
        for (index, layer) in layers.enumerated() {
            try layer.attention(pass, layer: index)
            try layer.feedForward(pass)
            try pass.finishLayer()
        }
    }

    /// States `first ..< first + count` to logits.
    func logits(_ pass: ForwardPass, first: Int, count: Int) throws {
        try head(pass, first: first, count: count)
    }
}
