/// The walk that most architectures take: embedding, layers of attention and feed-forward, head.
struct Decoder: Sendable {
    let embedding: TokenEmbedding
    let layers: [Layer]
    let head: OutputHead

    struct Layer: Sendable {
        /// The branch that reads other positions.
        let mixing: Mixing
        /// The branch that works on each position alone.
        let feedForward: FeedForward

        enum Mixing: Sendable {
            case attention(AttentionBlock)
            case convolution(ShortConvolutionBlock)
        }

        enum FeedForward: Sendable {
            case dense(FeedForwardBlock)
            case experts(ExpertsBlock)
        }

        init(attention: AttentionBlock, feedForward: FeedForwardBlock) {
            mixing = .attention(attention)
            self.feedForward = .dense(feedForward)
        }

        init(attention: AttentionBlock, experts: ExpertsBlock) {
            mixing = .attention(attention)
            feedForward = .experts(experts)
        }

        init(convolution: ShortConvolutionBlock, feedForward: FeedForwardBlock) {
            mixing = .convolution(convolution)
            self.feedForward = .dense(feedForward)
        }
    }

    /// Tokens to the states after the last layer.
    func forward(_ pass: ForwardPass) throws {
        embedding(pass)
        // Caches are counted by what they are for.
        var (attentions, convolutions) = (0, 0)
        for layer in layers {
            switch layer.mixing {
            case .attention(let attention):
                try attention(pass, layer: attentions)
                attentions += 1
            case .convolution(let convolution):
                try convolution(pass, layer: convolutions)
                convolutions += 1
            }
            switch layer.feedForward {
            case .dense(let feedForward): try feedForward(pass)
            case .experts(let experts): try experts(pass)
            }
            try pass.finishLayer()
        }
    }

    /// States `first ..< first + count` to logits.
    func logits(_ pass: ForwardPass, first: Int, count: Int) throws {
        try head(pass, first: first, count: count)
    }
}
