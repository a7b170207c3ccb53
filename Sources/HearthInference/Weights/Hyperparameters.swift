import HearthKernelTypes
import HearthKernels
import HearthWeights
import Synchronization

/// The numbers that most decoder architectures share, from a file's metadata. What only one of them has stays in its file.
struct Hyperparameters: Sendable {
    let architecture: String
    /// Values per token between the layers.
    let width: Int
    let layers: Int
    let heads: Int
    /// Each is read by `heads / kvHeads` query heads.
    let kvHeads: Int
    /// Values per head of queries and keys, and of values: explicit where the file says so, else width / heads.
    let keyWidth: Int
    let valueWidth: Int
    let feedForward: Int
    /// Added to the mean square in a norm.
    let epsilon: Float
    /// Positions of the longest sequence: as asked, else what the model was trained for.
    let context: Int
    /// Positions that it was trained for before its rotation was stretched (LongRoPE); else the trained context.
    let original: Int
    let rope: RopeSettings
    /// Positions that attention looks back, the token itself included; nil is all.
    let window: Int?
    let metadata: Metadata

    init(
        _ metadata: Metadata, architecture: String, layout: RopeLayout, longRope: Bool = false, yarn: Bool = false,
        kvHeads given: Int? = nil, hasExperts: Bool = false, epsilon epsilonName: String = "attention.layer_norm_rms_epsilon",
        context asked: Int?
    ) throws(InferenceError) {
        func positive(_ key: String, _ value: Int) throws(InferenceError) -> Int {
            // The largest models have a few hundred thousand of anything; more than 2^24 is a damaged file, and the bound
            // keeps every product of two of these numbers far from overflow.
            guard value > 0, value <= 1 << 24 else {
                throw .unsupportedSetting(key: "\(architecture).\(key)", value: "\(value)", supported: "1 to 16777216")
            }
            return value
        }
        func int(_ key: String) throws(InferenceError) -> Int {
            try positive(key, reading { () throws(CheckpointError) in try metadata.int("\(architecture).\(key)") })
        }
        func int(ifPresent key: String) throws(InferenceError) -> Int? {
            let value = try reading { () throws(CheckpointError) in
                try metadata.int(ifPresent: "\(architecture).\(key)")
            }
            return if let value { try positive(key, value) } else { nil }
        }
        func float(ifPresent key: String) throws(InferenceError) -> Float? {
            try reading { () throws(CheckpointError) in try metadata.float(ifPresent: "\(architecture).\(key)") }
        }

        self.architecture = architecture
        self.metadata = metadata
        width = try int("embedding_length")
        layers = try int("block_count")
        heads = try int("attention.head_count")
        // Given by architectures whose file has a number for each layer.
        kvHeads = if let given { given } else { try int(ifPresent: "attention.head_count_kv") ?? heads }
        guard heads % kvHeads == 0 else {
            throw .unsupportedSetting(
                key: "\(architecture).attention.head_count_kv", value: "\(kvHeads)",
                supported: "a divisor of the \(heads) heads")
        }
        let explicit = try int(ifPresent: "attention.key_length")
        guard explicit != nil || width % heads == 0 else {
            throw .unsupportedSetting(
                key: "\(architecture).attention.head_count", value: "\(heads)",
                supported: "a divisor of the width \(width) where `attention.key_length` is missing")
        }
        keyWidth = explicit ?? width / heads
        valueWidth = try int(ifPresent: "attention.value_length") ?? width / heads
        feedForward = try int("feed_forward_length")
        epsilon = try reading { () throws(CheckpointError) in
            try metadata.float("\(architecture).\(epsilonName)")
        }
        guard epsilon > 0, epsilon < 1 else {
            throw .unsupportedSetting(
                key: "\(architecture).\(epsilonName)", value: "\(epsilon)", supported: "0 to 1")
        }
        let trained = try int("context_length")
        if let asked, asked < 1 || asked > trained { throw .contextTooLong(asked: asked, trained: trained) }
        let original = try int(ifPresent: "rope.scaling.original_context_length")
        self.original = longRope ? original ?? trained : trained
        // Stretched positions are for those who ask for them: they cost accuracy on short texts.
        context = asked ?? min(trained, self.original)
        rope = try RopeSettings(
            metadata, architecture: architecture, layout: layout, longRope: longRope, yarn: yarn, headWidth: keyWidth,
            dimensions: int(ifPresent: "rope.dimension_count"), base: float(ifPresent: "rope.freq_base"))
        let window = try reading { () throws(CheckpointError) in
            try metadata.int(ifPresent: "\(architecture).attention.sliding_window")
        }
        self.window = if let window, window > 0 { window } else { nil }
        if !hasExperts { try refuse("expert_count", unless: 0) }
    }

    /// Stops at a setting that this engine does not compute for the architecture.
    func refuse(_ key: String, unless allowed: Int) throws(InferenceError) {
        let key = "\(architecture).\(key)"
        let value = try reading { () throws(CheckpointError) in try metadata.int(ifPresent: key) }
        if let value, value != allowed {
            throw .unsupportedSetting(key: key, value: "\(value)", supported: "\(allowed)")
        }
    }

    func bool(ifPresent key: String) throws(InferenceError) -> Bool? {
        try reading { () throws(CheckpointError) in try metadata.bool(ifPresent: "\(architecture).\(key)") }
    }

    /// Which layers look back over a window only: the architecture's `usual` pattern, or the file's own, which is one truth
    /// value per layer or the distance between full layers.
    func windows(_ usual: (Int) -> Bool) throws(InferenceError) -> [Bool] {
        let key = "\(architecture).attention.sliding_window_pattern"
        guard let value = metadata[key] else { return (0..<layers).map(usual) }
        if case .numbers = value {
            let pattern = try reading { () throws(CheckpointError) in try metadata.bools(ifPresent: key) } ?? []
            guard pattern.count == layers else {
                throw .unsupportedSetting(key: key, value: "\(pattern.count) values", supported: "one per layer, \(layers)")
            }
            return pattern
        }
        let period = try reading { () throws(CheckpointError) in try metadata.int(key) }
        guard period > 0 else { throw .unsupportedSetting(key: key, value: "\(period)", supported: "1 or more") }
        return (0..<layers).map { $0 % period != period - 1 }
    }

    /// A number of the architecture, or nil where the file does not have it.
    func float(ifPresent key: String) throws(InferenceError) -> Float? {
        try reading { () throws(CheckpointError) in try metadata.float(ifPresent: "\(architecture).\(key)") }
    }
}

/// Runs a reader of files and carries its error on as ours.
func reading<T>(_ body: () throws(CheckpointError) -> T) throws(InferenceError) -> T {
    do { return try body() } catch { throw .checkpoint(error) }
}

/// Runs a kernel and carries its error on as ours.
func computing<T>(_ body: () throws(KernelError) -> T) throws(InferenceError) -> T {
    do { return try body() } catch { throw .kernel(error) }
}

extension Compute {
    /// Products that a BLAS has made so far.
    var blasProductCount: Int { counters.blasProducts.load(ordering: .relaxed) }
}
