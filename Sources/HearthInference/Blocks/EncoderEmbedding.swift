import HearthKernels
import HearthWeights

/// Token ids to states: the token's row, the row of the first token type where there are types, the position's row where
/// positions are learned, then a LayerNorm. One text is all of the first type; the others are for pairs of texts.
struct EncoderEmbedding: Sendable {
    let vocabulary: Int
    /// `[vocabulary, width]`, the file's own blocks.
    private let words: Linear
    /// Row 0 of the token types, `[width]`.
    private let type: Vector?
    /// `[context or more, width]`
    private let positions: Linear?
    private let norm: LayerNorm

    init(_ h: Hyperparameters, hasPositions: Bool, _ reader: inout WeightReader) throws(InferenceError) {
        vocabulary = try reader.rowCount("token_embd.weight", "one row per token")
        words = try reader.rows(
            reader.matrix("token_embd.weight", vocabulary, h.width, "a row of \(h.width) per token"))
        type = try reader.firstTokenType(h)
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
                if let type {
                    for index in 0..<pass.width { unsafe values[index] += type.values[index] }
                }
                guard let positions else { continue }
                let place = unsafe pass.place.values
                unsafe positions.row(position, into: place)
                for index in 0..<pass.width { unsafe values[index] += place[index] }
            }
        }
        try unsafe norm(pass.branch, pass)
    }
}

extension WeightReader {
    /// Row 0 of the token types. They must be there where the file counts some.
    fileprivate mutating func firstTokenType(_ h: Hyperparameters) throws(InferenceError) -> Vector? {
        let name = "token_types.weight"
        let count = try reading { () throws(CheckpointError) in
            try h.metadata.int(ifPresent: "tokenizer.ggml.token_type_count")
        }
        guard has(name) || (count ?? 0) != 0 else { return nil }
        let reason = "one row per type of token"
        let types = try rowCount(name, reason)
        let table = try rows(matrix(name, types, h.width, reason))
        guard types > 0 else { throw .wrongShape(tensor: name, has: [types, h.width], needs: [1, h.width], reason: reason) }
        let type = Vector(count: h.width)
        unsafe table.row(0, into: type.values)
        return type
    }
}
