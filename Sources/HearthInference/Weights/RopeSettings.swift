import HearthKernelTypes
import HearthKernels
import HearthWeights

/// How a file wants positions rotated into queries and keys.
struct RopeSettings: Sendable {
    let layout: RopeLayout
    /// Values of a head that are rotated; those behind stay as they are.
    let dimensions: Int
    /// Pair j turns by `position * base^(-2j / dimensions)`.
    let base: Float
    /// Positions are divided by this (linear scaling); 1 for none.
    let factor: Float
    /// Multiplies the rotated values (LongRoPE's attention factor); 1 for none.
    let magnitude: Float
    /// How slow pairs are slowed down further; nil where they are not.
    let yarn: YarnScaling?

    init(
        _ metadata: Metadata, architecture: String, layout: RopeLayout, longRope: Bool, yarn: Bool, headWidth: Int,
        dimensions: Int?, base: Float?
    ) throws(InferenceError) {
        self.layout = layout
        self.dimensions = dimensions ?? headWidth
        // 10000 is the paper's, and what the format assumes where the key is missing.
        self.base = base ?? 10_000
        guard self.dimensions % 2 == 0, self.dimensions <= headWidth else {
            throw .unsupportedSetting(
                key: "\(architecture).rope.dimension_count", value: "\(self.dimensions)",
                supported: "an even number up to the head width \(headWidth)")
        }
        guard self.base > 1, self.base.isFinite else {
            throw .unsupportedSetting(
                key: "\(architecture).rope.freq_base", value: "\(self.base)", supported: "more than 1")
        }

        func key(_ name: String) -> String { "\(architecture).rope.\(name)" }
        let type = try reading { () throws(CheckpointError) in try metadata.text(ifPresent: key("scaling.type")) }
        let factor = try reading { () throws(CheckpointError) in try metadata.float(ifPresent: key("scaling.factor")) }
        let older = try reading { () throws(CheckpointError) in try metadata.float(ifPresent: key("scale_linear")) }
        switch type {
        case "none": self.factor = 1
        // The factors for each pair are tensors.
        case "longrope" where longRope: self.factor = 1
        // Its factor is for some of the pairs only.
        case "yarn" where yarn: self.factor = 1
        // Before there was a type, a factor meant linear scaling.
        case nil, "linear": self.factor = factor ?? older ?? 1
        case .some(let other):
            throw .unsupportedSetting(
                key: key("scaling.type"), value: "\"\(other)\"",
                supported: "none, linear" + (longRope ? ", longrope" : "") + (yarn ? ", yarn" : ""))
        }
        guard self.factor > 0, self.factor.isFinite else {
            throw .unsupportedSetting(key: key("scaling.factor"), value: "\(self.factor)", supported: "more than 0")
        }
        self.yarn = type == "yarn" ? try YarnScaling(metadata, architecture: architecture, factor: factor) : nil
        let magnitude = try reading { () throws(CheckpointError) in
            try metadata.float(ifPresent: key("scaling.attn_factor"))
        }
        self.magnitude = magnitude ?? 1
        if let magnitude, magnitude != 1, !longRope {
            throw .unsupportedSetting(key: key("scaling.attn_factor"), value: "\(magnitude)", supported: "1")
        }
    }
}
