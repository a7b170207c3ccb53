import HearthKernels

/// x += out(c * conv(b * v)) with b, c, v = in(norm(x)): a branch in which a position reads itself and the few before it.
///
/// The convolution is one of each channel by itself, over the products b * v of the last `kernel.count` positions; those of
/// before the pass come from the sequence's `ConvolutionState`. Source: Liquid AI, "LFM2" (2025), gated short convolutions.
struct ShortConvolutionBlock: Sendable {
    let norm: Vector
    /// b, c and v side by side, `[3 * width, width]`.
    let input: Linear
    /// The weights of each position, the oldest first and the current one last, `[width]` each.
    let kernel: [Vector]
    /// `[width, width]`
    let output: Linear
    let epsilon: Float

    /// - Parameter layer: counted among the layers with convolutions.
    func callAsFunction(_ pass: ForwardPass, layer: Int) throws {
        let width = pass.width
        let state = pass.convolutions
        try pass.enter(norm, epsilon: epsilon, for: input)
        try unsafe pass.compute.multiply(input, pass.normed, tokens: pass.count, into: pass.qkv)

        // v becomes b * v.
        let products = unsafe pass.qkv + 2 * width
        for token in 0..<pass.count {
            let (b, v) = unsafe (pass.qkv + token * 3 * width, products + token * 3 * width)
            for channel in 0..<width { unsafe v[channel] *= b[channel] }
        }
        let rows = unsafe state.rows(layer, behind: products, stride: 3 * width)
        for token in 0..<pass.count {
            let target = unsafe pass.normed[token]
            for (index, weights) in kernel.enumerated() {
                let row = unsafe rows[token + index - (kernel.count - 1)]
                if index == 0 {
                    for channel in 0..<width { unsafe target[channel] = weights.values[channel] * row[channel] }
                } else {
                    for channel in 0..<width { unsafe target[channel] += weights.values[channel] * row[channel] }
                }
            }
            let c = unsafe pass.qkv + token * 3 * width + width
            for channel in 0..<width { unsafe target[channel] *= c[channel] }
        }
        pass.normed.changed()
        state.advance(layer, by: pass.count, rows, from: pass.position)

        try unsafe pass.compute.multiply(output, pass.normed, tokens: pass.count, into: pass.branch)
        pass.leave(nil, epsilon: epsilon, scale: 1)
    }
}
