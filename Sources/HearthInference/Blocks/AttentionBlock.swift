import HearthKernelTypes
import HearthKernels

/// x += attention(norm(x)): the branch that lets a position read those before it.
///
/// Every part that an architecture does not have is nil; the order of the parts is that of the computation.
struct AttentionBlock: Sendable {
    /// RMS norm of the input, `[width]`.
    var norm: Vector?
    /// Queries, keys and values side by side, `[heads * keyWidth + kvHeads * (keyWidth + valueWidth), width]`.
    let qkv: Linear
    /// Added to `qkv`'s outputs.
    var qkvBias: Vector?
    /// Norms of queries and keys: of each head where `[keyWidth]`, of all heads together where `[heads * keyWidth]`.
    var queryNorm: Vector?
    var keyNorm: Vector?
    /// Nil where a layer does not rotate.
    var rope: RopeTable?
    let shape: AttentionShape
    /// Keeps what the shape points to.
    var sinks: Vector?
    /// `[width, heads * valueWidth]`
    let output: Linear
    var outputBias: Vector?
    /// RMS norm of the branch's result.
    var postNorm: Vector?
    /// Factor of the branch's result; 1 in most architectures.
    var residualScale: Float = 1
    let epsilon: Float

    func callAsFunction(_ pass: ForwardPass, layer: Int) throws {
        try pass.enter(norm, epsilon: epsilon, for: qkv)

        // q, k, v, a row per token
        let stride = qkv.outputs
        try unsafe pass.compute.multiply(qkv, pass.normed, tokens: pass.count, into: pass.qkv)

        // Norm and rotate queries and keys, keep keys and values, then read those of all positions so far.
        let cache = pass.cache(layer)
        let steps = unsafe HeadSteps(
            heads: shape.heads, bias: qkvBias.map { unsafe UnsafePointer($0.values) }, queryNorm: queryNorm.map(\.ofHeads),
            keyNorm: keyNorm.map(\.ofHeads), epsilon: epsilon, rope: rope)
        try unsafe pass.compute.keep(
            pass.qkv, tokens: pass.count, stride: stride, steps: steps, in: cache, at: pass.position)
        try unsafe pass.compute.attend(
            pass.qkv, tokens: pass.count, stride: stride, layer: cache, from: pass.position, shape: shape,
            scratch: pass.scratch, into: pass.attended)

        try unsafe pass.compute.multiply(output, pass.attended, tokens: pass.count, into: pass.branch)
        if let outputBias { unsafe pass.addBias(outputBias, to: pass.branch) }
        pass.leave(postNorm, epsilon: epsilon, scale: residualScale)
    }
}

extension Vector {
    fileprivate var ofHeads: HeadSteps.Norm { unsafe HeadSteps.Norm(weight: values, count: count) }
}
