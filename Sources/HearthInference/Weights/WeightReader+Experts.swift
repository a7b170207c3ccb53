import HearthKernelTypes
import HearthKernels
import HearthWeights

/// How many experts a layer has, how many of them a token is given to, and how wide they are.
struct ExpertSettings: Sendable {
    let count: Int
    let used: Int
    let feedForward: Int

    init(_ h: Hyperparameters) throws(InferenceError) {
        func int(_ name: String) throws(InferenceError) -> Int {
            let key = "\(h.architecture).\(name)"
            let value = try reading { () throws(CheckpointError) in try h.metadata.int(key) }
            // As other sizes of `Hyperparameters`.
            guard value > 0, value <= 1 << 24 else {
                throw .unsupportedSetting(key: key, value: "\(value)", supported: "1 to 16777216")
            }
            return value
        }
        count = try int("expert_count")
        used = try int("expert_used_count")
        feedForward = try int("expert_feed_forward_length")
        guard used <= count else {
            throw .unsupportedSetting(
                key: "\(h.architecture).expert_used_count", value: "\(used)", supported: "up to the \(count) experts")
        }
        // Experts that every token is given to, and weights that do not sum to 1, are other architectures'.
        try h.refuse("expert_shared_count", unless: 0)
        if let isScaled = try h.bool(ifPresent: "expert_weights_norm"), !isScaled {
            throw .unsupportedSetting(key: "\(h.architecture).expert_weights_norm", value: "false", supported: "true")
        }
        if let scale = try h.float(ifPresent: "expert_weights_scale"), scale != 1, scale != 0 {
            throw .unsupportedSetting(key: "\(h.architecture).expert_weights_scale", value: "\(scale)", supported: "1")
        }
    }

    func reason(_ h: Hyperparameters) -> String { "\(count) experts of \(feedForward) over a width of \(h.width)" }
}

extension WeightReader {
    /// Router and experts of a layer, without the norm before them.
    mutating func experts(
        _ names: LayerNames, _ h: Hyperparameters, _ e: ExpertSettings, norm: Vector, activation: GateActivation = .silu
    ) throws(InferenceError) -> ExpertsBlock {
        let reason = e.reason(h)
        let router = try linear(matrix(names["ffn_gate_inp"], e.count, h.width, reason))
        let gates = try tensor(names["ffn_gate_exps"], [e.count, e.feedForward, h.width], reason)
        let ups = try tensor(names["ffn_up_exps"], [e.count, e.feedForward, h.width], reason)
        let downs = try tensor(names["ffn_down_exps"], [e.count, h.width, e.feedForward], reason)
        let gateBias = try table(ifPresent: names["ffn_gate_exps", "bias"], e.count, e.feedForward, reason)
        let upBias = try table(ifPresent: names["ffn_up_exps", "bias"], e.count, e.feedForward, reason)
        let downBias = try table(ifPresent: names["ffn_down_exps", "bias"], e.count, h.width, reason)
        if (gateBias == nil) != (upBias == nil) {
            let missing = names[gateBias == nil ? "ffn_gate_exps" : "ffn_up_exps", "bias"]
            throw .missingTensor(missing, shape: [e.count, e.feedForward], reason: reason)
        }
        var experts: [ExpertsBlock.Expert] = []
        for index in 0..<e.count {
            experts.append(
                ExpertsBlock.Expert(
                    gateUp: try linear(slice(gates, index), slice(ups, index)),
                    gateUpBias: gateBias.map { Vector(joining: [$0[index], upBias![index]]) },
                    down: try linear(slice(downs, index)),
                    downBias: downBias?[index]))
        }
        if compute.set != .reference { for tensor in [gates, ups, downs] { tensor.discard() } }
        return ExpertsBlock(
            norm: norm, router: router,
            routerBias: try vector(ifPresent: names["ffn_gate_inp", "bias"], e.count, reason), used: e.used,
            experts: experts, activation: activation, epsilon: h.epsilon)
    }

    /// The rows of a small matrix, as Float32.
    mutating func table(_ name: String, _ rows: Int, _ columns: Int, _ reason: String) throws(InferenceError) -> [Vector] {
        let matrix = try self.rows(matrix(name, rows, columns, reason))
        return (0..<rows).map { row in
            let vector = Vector(count: columns)
            unsafe matrix.row(row, into: vector.values)
            return vector
        }
    }

    mutating func table(
        ifPresent name: String, _ rows: Int, _ columns: Int, _ reason: String
    ) throws(InferenceError) -> [Vector]? {
        has(name) ? try table(name, rows, columns, reason) : nil
    }

    /// Matrix `index` of a tensor `[count, rows, columns]`.
    private func slice(_ tensor: TensorHandle, _ index: Int) throws(InferenceError) -> WeightSource {
        let (count, rows, columns) = (tensor.shape[0], tensor.shape[1], tensor.shape[2])
        // Rows are whole blocks, so each matrix has the same number of bytes. The mapping lives as long as its file.
        let size = tensor.byteCount / count
        let source = unsafe tensor.withBytes { bytes in
            unsafe WeightSource(
                name: "\(tensor.name)[\(index)]", type: tensor.type, rows: rows, columns: columns,
                bytes: UnsafeRawBufferPointer(rebasing: bytes[index * size..<(index + 1) * size]), owner: tensor.file)
        }
        return try brought(source, of: tensor)
    }
}
