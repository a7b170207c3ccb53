import HearthKernels

/// States to logits: a last norm and the output matrix.
struct OutputHead: Sendable {
    private let norm: Vector
    /// `[vocabulary, width]`
    private let matrix: Linear
    private let epsilon: Float
    /// Logits are divided by this; 1 in most architectures.
    var divisor: Float = 1
    /// Logits l become `cap * tanh(l / cap)`; nil for none.
    var softCap: Float?

    init(
        _ h: Hyperparameters, _ embedding: TokenEmbedding, norm name: String = "output_norm.weight",
        _ reader: inout WeightReader
    ) throws(InferenceError) {
        norm = try reader.vector(name, h.width, h.widthReason)
        if let tied = embedding.tied {
            matrix = tied
        } else {
            matrix = try reader.linear(
                reader.matrix(
                    "output.weight", embedding.vocabulary, h.width, "\(embedding.vocabulary) tokens of width \(h.width)"))
        }
        epsilon = h.epsilon
    }

    /// Logits of the states `first ..< first + count`, into `pass.logits`.
    func callAsFunction(_ pass: ForwardPass, first: Int, count: Int) throws {
        try unsafe pass.compute.enter(
            pass.x + first * pass.width, adding: nil, weight: norm.values, epsilon: epsilon, tokens: count, into: pass.normed,
            for: matrix)
        try unsafe pass.compute.multiply(matrix, pass.normed, tokens: count, into: pass.logits)
        if divisor != 1 {
            for index in 0..<count * pass.vocabulary { unsafe pass.logits[index] /= divisor }
        }
        if let softCap {
            for index in 0..<count * pass.vocabulary {
                unsafe pass.logits[index] = Self.tanh(pass.logits[index] / softCap) * softCap
            }
        }
    }
    /// tanh x = 1 - 2 / (e^2x + 1)
    private static func tanh(_ x: Float) -> Float { Float(1 - 2 / (Mathematics.exp(2 * Double(x)) + 1)) }
}
