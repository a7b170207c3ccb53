import HearthKernels

/// Token ids to states: one row of the embedding matrix each.
struct TokenEmbedding: Sendable {
    let vocabulary: Int
    /// Factor of every value; 1 in most architectures.
    var scale: Float = 1
    /// `[vocabulary, width]`: the output's own matrix where the two are one, else the file's blocks.
    private let matrix: Linear
    /// Whether the same matrix gives the logits.
    let isTied: Bool

    init(_ h: Hyperparameters, scale: Float = 1, _ reader: inout WeightReader) throws(InferenceError) {
        let rows = try reader.rowCount("token_embd.weight", "one row per token")
        let source = try reader.matrix("token_embd.weight", rows, h.width, "a row of \(h.width) per token")
        vocabulary = rows
        isTied = !reader.has("output.weight")
        matrix = isTied ? try reader.linear(source) : try reader.rows(source)
        self.scale = scale
    }

    /// The product of a tied matrix.
    var tied: Linear? { isTied ? matrix : nil }

    func callAsFunction(_ pass: ForwardPass) {
        for (row, token) in pass.tokens.enumerated() {
            let values = unsafe pass.x + row * pass.width
            unsafe matrix.row(Int(token), into: values)
            if scale != 1 {
                for index in 0..<pass.width { unsafe values[index] *= scale }
            }
        }
    }
}
