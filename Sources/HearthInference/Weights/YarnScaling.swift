import HearthKernelTypes
import HearthKernels
import HearthWeights

/// YaRN: pairs that turn slowly are slowed down by a factor, fast ones are kept, with a ramp between; rotated values grow a
/// little, since attention over more positions is flatter.
/// Source: Peng et al., "YaRN" (2023), sections 3.2 to 3.4.
struct YarnScaling: Sendable {
    /// How much longer texts are than those of the training.
    let factor: Double
    /// Positions of those.
    let original: Double
    /// A pair that turns more often than this over the original length is kept; one that turns less often than `slow` is
    /// slowed down by the whole factor.
    let fast: Double
    let slow: Double
    /// The ramp goes from one whole pair to another. So do programs that read GGUF; gpt-oss's own code does not.
    let isRounded: Bool

    init(_ metadata: Metadata, architecture: String, factor: Float?) throws(InferenceError) {
        func key(_ name: String) -> String { "\(architecture).rope.scaling.\(name)" }
        func float(_ name: String) throws(InferenceError) -> Float? {
            try reading { () throws(CheckpointError) in try metadata.float(ifPresent: key(name)) }
        }
        let original = try reading { () throws(CheckpointError) in try metadata.int(key("original_context_length")) }
        guard original > 0, original <= 1 << 24 else {
            throw .unsupportedSetting(key: key("original_context_length"), value: "\(original)", supported: "1 to 16777216")
        }
        guard let factor, factor >= 1, factor.isFinite else {
            throw .unsupportedSetting(
                key: key("factor"), value: factor.map { "\($0)" } ?? "missing", supported: "1 or more")
        }
        // The paper's alpha and beta for Llama, which the format assumes where the keys are missing.
        let (fast, slow) = (try float("yarn_beta_fast") ?? 32, try float("yarn_beta_slow") ?? 1)
        guard slow > 0, fast > slow, fast.isFinite else {
            throw .unsupportedSetting(
                key: key("yarn_beta_fast"), value: "\(fast)", supported: "more than `yarn_beta_slow`, which is \(slow)")
        }
        // Other mixtures of kept and slowed pairs, and other sizes.
        for (name, usual) in [("yarn_ext_factor", Float(1)), ("yarn_attn_factor", 1), ("yarn_log_multiplier", 0)] {
            if let value = try float(name), value != usual {
                throw .unsupportedSetting(key: key(name), value: "\(value)", supported: "\(usual)")
            }
        }
        isRounded = try reading { () throws(CheckpointError) in try metadata.bool(ifPresent: key("yarn_truncate")) } ?? true
        self.factor = Double(factor)
        self.original = Double(original)
        self.fast = Double(fast)
        self.slow = Double(slow)
    }

    /// Factor of rotated queries, and of rotated keys.
    var magnitude: Double { 1 + 0.1 * Mathematics.log(factor) }

    func frequencies(base: Double, width: Int) throws(KernelError) -> [Double] {
        /// Index of the pair that turns `turns` times over the original length.
        func pair(_ turns: Double) -> Double {
            Double(width) * Mathematics.log(original / (turns * 2 * .pi)) / (2 * Mathematics.log(base))
        }
        let low = max(isRounded ? pair(fast).rounded(.down) : pair(fast), 0)
        let high = min(isRounded ? pair(slow).rounded(.up) : pair(slow), Double(width - 1))
        return try RopeTable.frequencies(base: base, width: width).enumerated().map { index, frequency in
            let slowed = min(max((Double(index) - low) / max(0.001, high - low), 0), 1)
            return frequency / factor * slowed + frequency * (1 - slowed)
        }
    }
}
