/// What attention of one layer computes, with widths per head.
///
/// `weight(q, p) = exp(scale * dot(q, key[p]))` over the positions that the query sees, divided by their sum;
/// the output is the weighted sum of the values.
@safe package struct AttentionShape: @unchecked Sendable {
    package var heads: Int
    package var kvHeads: Int
    package var keyWidth: Int
    package var valueWidth: Int
    /// Factor of the dot product, usually `1 / sqrt(keyWidth)`.
    package var scale: Float
    /// A query at position t sees `t - window + 1 ... t`; 0 for all positions up to t.
    package var window: Int
    /// Scores s become `cap * tanh(s / cap)` (Gemma 2); 0 for none.
    package var softCap: Float
    /// Whether a query sees nothing behind its own position. Without it every query of a call sees every position up to the last
    /// token of the call (encoders), and there is no window.
    package var isCausal = true
    /// One more score per head that takes weight and gives no value (gpt-oss), `[heads]`; nil for none. Kept alive by the caller.
    package var sinks: UnsafePointer<Float>?

    /// Without sinks.
    package init(
        heads: Int, kvHeads: Int, keyWidth: Int, valueWidth: Int, scale: Float, window: Int = 0, softCap: Float = 0
    ) {
        unsafe self.init(
            heads: heads, kvHeads: kvHeads, keyWidth: keyWidth, valueWidth: valueWidth, scale: scale, window: window,
            softCap: softCap, sinks: nil)
    }

    package init(
        heads: Int, kvHeads: Int, keyWidth: Int, valueWidth: Int, scale: Float, window: Int = 0, softCap: Float = 0,
        sinks: UnsafePointer<Float>?
    ) {
        self.heads = heads
        self.kvHeads = kvHeads
        self.keyWidth = keyWidth
        self.valueWidth = valueWidth
        self.scale = scale
        self.window = window
        self.softCap = softCap
        unsafe self.sinks = unsafe sinks
    }
}

/// Where the two numbers of a rotated pair lie in a head.
package enum RopeLayout: Sendable, Hashable {
    /// `x[2i], x[2i+1]` (the original paper; Llama in GGUF).
    case pairs
    /// `x[i], x[i + width/2]` (GPT-NeoX; Qwen, Gemma, Phi).
    case halves
}

/// What is applied to the gate before it multiplies the other half.
package enum GateActivation: Sendable, Hashable {
    /// `x / (1 + exp(-x))`
    case silu
    /// GELU by its tanh form: `x / (1 + exp(-2u))`, `u = sqrt(2/pi) (x + 0.044715 x^3)`
    case gelu
    /// `g / (1 + exp(-1.702 g))`, g at most 7, times the other half plus 1, which is kept within -7 and 7 (gpt-oss).
    case clamped
}
