import HearthKernelTypes
import HearthKernels

/// x += down(act(gate(norm(x))) * up(norm(x))): the branch that works on each position alone.
struct FeedForwardBlock: Sendable {
    /// RMS norm of the input, `[width]`; nil where the state is read as it is.
    var norm: Vector?
    /// Gate, then up, side by side, `[2 * feedForward, width]`.
    let gateUp: Linear
    var activation: GateActivation = .silu
    /// `[width, feedForward]`
    let down: Linear
    /// RMS norm of the branch's result.
    var postNorm: Vector?
    var residualScale: Float = 1
    let epsilon: Float

    func callAsFunction(_ pass: ForwardPass) throws {
        try pass.enter(norm, epsilon: epsilon, for: gateUp)
        try unsafe pass.compute.multiply(gateUp, pass.normed, tokens: pass.count, into: pass.gateUp)
        try unsafe pass.compute.gate(
            pass.gateUp, tokens: pass.count, width: down.inputs, activation: activation, into: pass.gated,
            for: down)
        try unsafe pass.compute.multiply(down, pass.gated, tokens: pass.count, into: pass.branch)
        pass.leave(postNorm, epsilon: epsilon, scale: residualScale)
    }
}
