package import HearthInference
import HearthKernelTypes
package import HearthWeights

/// Bytes of memory that evaluating one token must read: every weight that it uses once, and what the cache holds.
package struct TokenBytes: Sendable {
    package let weights: Int
    package let cachePerPosition: Int
    /// Positions that layers with a sliding window look back; nil where no layer has one.
    package let window: Int?

    package init(_ checkpoint: Checkpoint, _ loaded: LanguageWeights) throws {
        let metadata = checkpoint.metadata
        let key = "\(loaded.architecture)."
        let isTied = checkpoint.tensor("output.weight") == nil
        let experts = try metadata.int(ifPresent: key + "expert_count") ?? 0
        let used = try metadata.int(ifPresent: key + "expert_used_count") ?? experts
        weights = checkpoint.tensors.reduce(0) { sum, tensor in
            // A matrix that is looked up by row and never multiplied costs a row.
            if tensor.name == "token_embd.weight", !isTied { return sum }
            let type = loaded.options.quantize.flatMap { QuantisePlan.type(of: tensor, asked: $0) } ?? tensor.type
            let bytes = type.byteCount(of: tensor.count) ?? tensor.byteCount
            // A token is given to some of a layer's experts.
            return sum + (experts > 0 && tensor.name.contains("_exps.") ? bytes / experts * used : bytes)
        }
        cachePerPosition = loaded.cacheBytesPerPosition
        window = try metadata.int(ifPresent: key + "attention.sliding_window").flatMap { $0 > 0 ? $0 : nil }
    }

    package init(weights: Int, cachePerPosition: Int, window: Int?) {
        self.weights = weights
        self.cachePerPosition = cachePerPosition
        self.window = window
    }

    /// For each of `count` tokens behind `depth` others: the mean, since each finds one more in the cache than the one before.
    ///
    /// Where some layers have a window all are counted as if they had one, so that a share of the bandwidth is never more than
    /// what was reached.
    package func perToken(count: Int, depth: Int) -> Int {
        var positions = Double(depth) + Double(count + 1) / 2
        if let window { positions = min(positions, Double(window)) }
        return weights + Int(positions * Double(cachePerPosition))
    }
}
