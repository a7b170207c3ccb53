import HearthKernelTypes
import HearthKernels

/// x += sum over the chosen experts of weight * down(act(gate(norm(x))) * up(norm(x))): a feed-forward branch of which each
/// position reads a few parts only.
///
/// A router gives every expert a logit; the `used` largest are chosen, the lower index of equals, and weighted by the softmax
/// of their logits (which is the softmax over all, scaled to sum 1). Source: Shazeer et al., "Outrageously Large Neural
/// Networks" (2017), section 2.1.
///
/// The tokens of a pass are computed expert by expert in ascending order, so that a token's sum has the same order of terms
/// whatever tokens are beside it.
struct ExpertsBlock: Sendable {
    struct Expert: Sendable {
        /// Gate, then up, side by side, `[2 * feedForward, width]`.
        let gateUp: Linear
        var gateUpBias: Vector?
        /// `[width, feedForward]`
        let down: Linear
        var downBias: Vector?
    }

    let norm: Vector
    /// `[experts, width]`
    let router: Linear
    var routerBias: Vector?
    let used: Int
    let experts: [Expert]
    var activation: GateActivation = .silu
    let epsilon: Float

    func callAsFunction(_ pass: ForwardPass) throws {
        let buffers = pass.experts!
        // The router reads floats, the experts mostly the quantised twin: for these it is made.
        try pass.enter(norm, epsilon: epsilon, for: experts.first?.gateUp ?? router)

        // Who computes what
        try unsafe pass.compute.multiply(router, pass.normed, tokens: pass.count, into: buffers.logits)
        if let routerBias { unsafe pass.addBias(routerBias, to: buffers.logits) }
        buffers.choose(used, of: experts.count, tokens: pass.count)

        unsafe pass.branch.update(repeating: 0, count: pass.count * pass.width)
        for (index, expert) in experts.enumerated() {
            let rows = buffers.gather(index, tokens: pass.count)
            guard rows > 0 else { continue }
            // All tokens: the twin of `normed` that the router quantised serves once more.
            let input = rows == pass.count ? pass.normed : buffers.input(from: pass.normed)
            try unsafe pass.compute.multiply(expert.gateUp, input, tokens: rows, into: pass.gateUp)
            if let bias = expert.gateUpBias { unsafe pass.addBias(bias, to: pass.gateUp, rows: rows) }
            try unsafe pass.compute.gate(
                pass.gateUp, tokens: rows, width: expert.down.inputs, activation: activation,
                into: pass.gated, for: expert.down)
            try unsafe pass.compute.multiply(expert.down, pass.gated, tokens: rows, into: buffers.output)
            if let bias = expert.downBias { unsafe pass.addBias(bias, to: buffers.output, rows: rows) }
            unsafe buffers.scatter(to: pass.branch)
        }
        pass.leave(nil, epsilon: epsilon, scale: 1)
    }
}
