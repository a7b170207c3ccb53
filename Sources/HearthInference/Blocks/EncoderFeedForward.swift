import HearthKernelTypes
import HearthKernels

/// state = norm(state + down(act(state))): the branch that works on each position alone.
struct EncoderFeedForward: Sendable {
    enum Input: Sendable {
        /// gelu(up(state) + bias); up is `[feedForward, width]`.
        case gelu(Linear, bias: Vector)
        /// silu(gate(state)) * up(state); gate, then up, side by side, `[2 * feedForward, width]`.
        case gated(Linear)
    }

    let input: Input
    /// `[width, feedForward]`
    let down: Linear
    var downBias: Vector?
    let norm: LayerNorm

    func callAsFunction(_ pass: EncoderPass) throws {
        switch input {
        case .gelu(let up, let bias):
            try unsafe pass.compute.multiply(up, pass.state, tokens: pass.count, into: pass.inner)
            try unsafe pass.compute.gelu(pass.inner, bias: bias.values, tokens: pass.count, into: pass.activated)
        case .gated(let gateUp):
            try unsafe pass.compute.multiply(gateUp, pass.state, tokens: pass.count, into: pass.inner)
            try unsafe pass.compute.gate(
                pass.inner, tokens: pass.count, width: down.inputs, activation: .silu, into: pass.activated)
        }
        try unsafe pass.compute.multiply(down, pass.activated, tokens: pass.count, into: pass.branch)
        try pass.leave(downBias, norm)
    }
}
