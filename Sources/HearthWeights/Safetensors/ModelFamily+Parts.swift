import HearthJSON

/// What `config.json` says of a mixture of experts.
enum ExpertSettings {
    static func describe(
        _ config: ConfigReader, _ architecture: String, into metadata: inout MetadataBuilder
    ) throws(CheckpointError) {
        func key(_ name: String) -> String { "\(architecture).\(name)" }
        let isQwen = architecture == "qwen3moe"
        metadata.set(key("expert_count"), try config.int(isQwen ? "num_experts" : "num_local_experts"))
        metadata.set(key("expert_used_count"), try config.int("num_experts_per_tok"))
        metadata.set(
            key("expert_feed_forward_length"), try config.int(isQwen ? "moe_intermediate_size" : "intermediate_size"))
        guard isQwen else {
            // The clamp that the activation has here.
            try config.refuse("swiglu_limit", unless: ["7.0"], config.double(ifPresent: "swiglu_limit").map { "\($0)" })
            return
        }
        // False where it is missing, in the model's own code.
        let isScaled = try config.bool(ifPresent: "norm_topk_prob") ?? false
        try config.refuse("norm_topk_prob", unless: ["true"], "\(isScaled)")
        try config.refuse(
            "decoder_sparse_step", unless: ["1"], config.int(ifPresent: "decoder_sparse_step").map { "\($0)" })
        let dense = try config.ints(ifPresent: "mlp_only_layers")
        if !dense.isEmpty {
            throw CheckpointError(config.path, .badSetting(key: "mlp_only_layers", value: "\(dense)", supported: "[]"))
        }
    }
}

/// What `config.json` says of LFM2's short convolutions.
enum Convolutions {
    static func describe(
        _ config: ConfigReader, heads: Int, into metadata: inout MetadataBuilder
    ) throws(CheckpointError) {
        metadata.set("lfm2.shortconv.l_cache", try config.int("conv_L_cache"))
        let layers = try config.int("num_hidden_layers")
        // A number of layers far from any model's is refused where the model is built; memory is not asked for it here.
        guard layers > 0, layers <= 1 << 16 else {
            throw CheckpointError(
                config.path, .badSetting(key: "num_hidden_layers", value: "\(layers)", supported: "1 to 65536"))
        }
        let keyHeads = try config.int(ifPresent: "num_key_value_heads") ?? heads
        var counts = [Int32](repeating: 0, count: layers)
        guard let attention = Int32(exactly: keyHeads), attention > 0 else {
            throw CheckpointError(
                config.path, .badSetting(key: "num_key_value_heads", value: "\(keyHeads)", supported: "1 or more"))
        }
        if let kinds = config["layer_types"]?.arrayValue {
            guard kinds.count == layers else {
                throw CheckpointError(
                    config.path,
                    .badSetting(
                        key: "layer_types", value: "\(kinds.count) values", supported: "one per layer, \(layers)"))
            }
            for (index, kind) in kinds.enumerated() {
                switch kind.stringValue {
                case "full_attention": counts[index] = attention
                case "conv": break
                default:
                    throw CheckpointError(
                        config.path,
                        .badSetting(key: "layer_types", value: kind.description, supported: "conv, full_attention"))
                }
            }
        } else {
            for index in try config.ints(ifPresent: "full_attn_idxs") {
                guard counts.indices.contains(index) else {
                    throw CheckpointError(
                        config.path,
                        .badSetting(key: "full_attn_idxs", value: "\(index)", supported: "0 to \(layers - 1)"))
                }
                counts[index] = attention
            }
        }
        try metadata.set("lfm2.attention.head_count_kv", ints: counts)
    }

    /// The width that the model's code makes of the one that is written down: two thirds of it, perhaps times a factor, rounded
    /// up to whole multiples.
    static func feedForward(_ config: ConfigReader) throws(CheckpointError) -> Int {
        let plain = try config.int(ifPresent: "intermediate_size")
        let older = try config.int(ifPresent: "block_ff_dim")
        guard let written = plain ?? older else { throw CheckpointError(config.path, .missingKey("intermediate_size")) }
        guard written > 0, written <= 1 << 24 else {
            throw CheckpointError(
                config.path, .badSetting(key: "intermediate_size", value: "\(written)", supported: "1 to 16777216"))
        }
        guard try config.bool(ifPresent: "block_auto_adjust_ff_dim") ?? true else { return written }
        let factor = try config.double(ifPresent: "block_ffn_dim_multiplier") ?? 1
        let multiple = try config.int(ifPresent: "block_multiple_of") ?? 256
        guard factor > 0, factor <= 256, multiple > 0, multiple <= 1 << 24 else {
            throw CheckpointError(
                config.path,
                .badSetting(key: "block_ffn_dim_multiplier", value: "\(factor)", supported: "more than 0, up to 256"))
        }
        let width = Int(factor * Double(2 * written / 3))
        return (width + multiple - 1) / multiple * multiple
    }
}
