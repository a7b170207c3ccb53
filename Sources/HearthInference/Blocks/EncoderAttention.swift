import HearthKernelTypes
import HearthKernels

/// state = norm(state + attention(state)): the branch that lets a position read all positions of its text.
struct EncoderAttention: Sendable {
    /// Queries, keys and values side by side, `[heads * keyWidth + kvHeads * (keyWidth + valueWidth), width]`.
    let qkv: Linear
    var qkvBias: Vector?
    /// Nil where positions are learned.
    var rope: RopeTable?
    let shape: AttentionShape
    /// `[width, heads * valueWidth]`
    let output: Linear
    var outputBias: Vector?
    let norm: LayerNorm

    func callAsFunction(_ pass: EncoderPass) throws {
        let queries = shape.heads * shape.keyWidth
        let keys = shape.kvHeads * shape.keyWidth
        let stride = qkv.outputs
        try unsafe pass.compute.multiply(qkv, pass.state, tokens: pass.count, into: pass.qkv)
        if let qkvBias { unsafe pass.addBias(qkvBias, to: pass.qkv) }

        // Each text by itself, from position 0: what stands beside it in the pass changes nothing.
        for text in pass.texts {
            let rows = unsafe pass.qkv + text.lowerBound * stride
            if let rope {
                try unsafe pass.compute.rope(
                    rows, tokens: text.count, heads: shape.heads, headWidth: shape.keyWidth, stride: stride, from: 0, table: rope)
                try unsafe pass.compute.rope(
                    rows + queries, tokens: text.count, heads: shape.kvHeads, headWidth: shape.keyWidth, stride: stride, from: 0,
                    table: rope)
            }
            try unsafe pass.compute.store(
                keys: rows + queries, values: rows + queries + keys, tokens: text.count, stride: stride, into: pass.keysAndValues,
                at: 0)
            try unsafe pass.compute.attend(
                rows, tokens: text.count, stride: stride, layer: pass.keysAndValues, from: 0, shape: shape,
                scratch: pass.scratch, into: pass.attended, at: text.lowerBound)
        }

        try unsafe pass.compute.multiply(output, pass.attended, tokens: pass.count, into: pass.branch)
        try pass.leave(outputBias, norm)
    }
}
