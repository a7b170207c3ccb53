import HearthKernelTypes
import HearthKernels

/// Names of a layer's tensors: `names["attn_q"]` is `blk.3.attn_q.weight`.
struct LayerNames {
    private let prefix: String
    init(_ layer: Int) { prefix = "blk.\(layer)." }
    subscript(_ stem: String, _ kind: String = "weight") -> String { "\(prefix)\(stem).\(kind)" }
}

/// The matrices that most layers have, asked for in one way.
extension WeightReader {
    /// Queries, keys and values side by side, from three matrices or from one.
    mutating func qkv(_ names: LayerNames, _ h: Hyperparameters) throws(InferenceError) -> Linear {
        if has(names["attn_qkv"]) {
            return try linear(matrix(names["attn_qkv"], h.qkvWidth, h.width, h.headsReason))
        }
        let q = try matrix(names["attn_q"], h.heads * h.keyWidth, h.width, h.queryReason)
        let k = try matrix(names["attn_k"], h.kvHeads * h.keyWidth, h.width, h.keyReason)
        let v = try matrix(names["attn_v"], h.kvHeads * h.valueWidth, h.width, h.valueReason)
        return try linear(q, k, v)
    }

    /// Biases of queries, keys and values side by side; nil where the layer has none.
    mutating func qkvBias(_ names: LayerNames, _ h: Hyperparameters) throws(InferenceError) -> Vector? {
        if has(names["attn_qkv", "bias"]) { return try vector(names["attn_qkv", "bias"], h.qkvWidth, h.headsReason) }
        guard has(names["attn_q", "bias"]) || has(names["attn_k", "bias"]) || has(names["attn_v", "bias"]) else {
            return nil
        }
        let parts = [
            try vector(names["attn_q", "bias"], h.heads * h.keyWidth, h.queryReason),
            try vector(names["attn_k", "bias"], h.kvHeads * h.keyWidth, h.keyReason),
            try vector(names["attn_v", "bias"], h.kvHeads * h.valueWidth, h.valueReason),
        ]
        return Vector(joining: parts)
    }

    mutating func attentionOutput(_ names: LayerNames, _ h: Hyperparameters) throws(InferenceError) -> Linear {
        try linear(matrix(names["attn_output"], h.width, h.heads * h.valueWidth, h.headsReason))
    }

    /// Gate and up side by side, from two matrices or from one that holds gate first.
    mutating func gateUp(_ names: LayerNames, _ h: Hyperparameters) throws(InferenceError) -> Linear {
        if !has(names["ffn_gate"]) {
            return try linear(matrix(names["ffn_up"], 2 * h.feedForward, h.width, h.feedForwardReason))
        }
        let gate = try matrix(names["ffn_gate"], h.feedForward, h.width, h.feedForwardReason)
        let up = try matrix(names["ffn_up"], h.feedForward, h.width, h.feedForwardReason)
        return try linear(gate, up)
    }

    mutating func down(_ names: LayerNames, _ h: Hyperparameters) throws(InferenceError) -> Linear {
        try linear(matrix(names["ffn_down"], h.width, h.feedForward, h.feedForwardReason))
    }
}

/// Why a tensor must have its shape, in the numbers of the file.
extension Hyperparameters {
    var qkvWidth: Int { heads * keyWidth + kvHeads * (keyWidth + valueWidth) }
    var widthReason: String { "a width of \(width)" }
    var queryReason: String { "\(heads) query heads of \(keyWidth) over a width of \(width)" }
    var keyReason: String { "\(kvHeads) key heads of \(keyWidth) over a width of \(width)" }
    var valueReason: String { "\(kvHeads) value heads of \(valueWidth) over a width of \(width)" }
    var headsReason: String { "\(heads) query heads of \(keyWidth) and \(kvHeads) key and value heads over a width of \(width)" }
    var feedForwardReason: String { "a feed-forward of \(feedForward) over a width of \(width)" }
    var ropeReason: String { "\(rope.dimensions) rotated values in pairs" }

    /// `sinks` must live as long as the shape.
    func attentionShape(
        scale: Float? = nil, window: Int? = nil, softCap: Float? = nil, sinks: Vector? = nil
    ) -> AttentionShape {
        unsafe AttentionShape(
            heads: heads, kvHeads: kvHeads, keyWidth: keyWidth, valueWidth: valueWidth,
            scale: scale ?? 1 / Float(keyWidth).squareRoot(), window: window ?? self.window ?? 0, softCap: softCap ?? 0,
            sinks: sinks.map { unsafe UnsafePointer($0.values) })
    }

    /// Cosines and sines for all positions of the context; `factors` divides the frequency of each pair.
    func ropeTable(
        factors: Vector? = nil, magnitude: Double = 1, base: Float? = nil, factor: Float? = nil
    ) throws(InferenceError) -> RopeTable {
        try computing { () throws(KernelError) in
            if let yarn = rope.yarn {
                return try RopeTable(
                    frequencies: yarn.frequencies(base: Double(rope.base), width: rope.dimensions), magnitude: yarn.magnitude,
                    layout: rope.layout, positions: context)
            }
            return try RopeTable(
                frequencies: RopeTable.frequencies(
                    base: Double(base ?? rope.base), width: rope.dimensions, scale: Double(factor ?? rope.factor),
                    factors: factors?.floats ?? []),
                magnitude: magnitude, layout: rope.layout, positions: context)
        }
    }
}
