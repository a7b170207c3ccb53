import HearthKernels

/// Token ids to states: the token's row, the row of the first token type, the position's row where positions are learned, then a
/// LayerNorm. One text is all of the first type; the others are for pairs of texts.
struct EncoderEmbedding: Sendable {
    let vocabulary: Int
    /// `[vocabulary, width]`, the file's own blocks.
    private let words: Linear
    /// Row 0 of the token types, `[width]`.
    private let type: Vector
    /// `[context or more, width]`
    private let positions: Linear?
    private let norm: LayerNorm

    init(_ h: Hyperparameters, hasPositions: Bool, _ reader: inout WeightReader) throws(InferenceError) {
        vocabulary = try reader.rowCount("token_embd.weight", "one row per token")
        words = try reader.rows(
            reader.matrix("token_embd.weight", vocabulary, h.width, "a row of \(h.width) per token"))
        let types = try reader.rowCount("token_types.weight", "one row per type of token")
        let table = try reader.rows(
            reader.matrix("token_types.weight", types, h.width, "a row of \(h.width) per type of token"))
        guard types > 0 else {
            throw .wrongShape(
                tensor: "token_types.weight", has: [types, h.width], needs: [1, h.width], reason: "one row per type of token")
        }
        type = Vector(count: h.width)
        unsafe table.row(0, into: type.values)
        if hasPositions {
            let name = "position_embd.weight"
            let rows = try reader.rowCount(name, "one row per position")
            guard rows >= h.context else {
                throw .wrongShape(
                    tensor: name, has: [rows, h.width], needs: [h.context, h.width], reason: "\(h.context) positions")
            }
            positions = try reader.rows(reader.matrix(name, rows, h.width, "a row of \(h.width) per position"))
        } else {
            positions = nil
        }
        norm = try reader.layerNorm("token_embd_norm.weight", "token_embd_norm.bias", h)
    }

    func callAsFunction(_ pass: EncoderPass) throws {
        for text in pass.texts {
            for (position, row) in text.enumerated() {
                let values = unsafe pass.branch + row * pass.width
                unsafe words.row(Int(pass.tokens[row]), into: values)
                for index in 0..<pass.width { unsafe values[index] += type.values[index] }
                guard let positions else { continue }
                let place = unsafe pass.place.values
                unsafe positions.row(position, into: place)
                for index in 0..<pass.width { unsafe values[index] += place[index] }
            }
        }
        try unsafe norm(pass.branch, pass)
    }
}
