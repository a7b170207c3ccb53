import Foundation
import HearthJSON

/// What a `model_type` of `config.json` means here: which architecture of GGUF it is and where the layouts differ.
struct ModelFamily {
    let modelType: String
    /// GGUF's `general.architecture`.
    let architecture: String
    /// Rows of q and k are pairs side by side in GGUF, two halves in safetensors.
    var pairsRows = false
    /// Norm weights are stored minus 1.
    var addsOne = false
    /// Norms after both branches, named so that `post_attention_layernorm` is the first of them.
    var postNorms = false
    /// The output matrix is the embedding where `config.json` does not say.
    var tiesOutput = false
    /// Feed-forward branches are mixtures of experts.
    var hasExperts = false
    /// Some layers may look back over a window only.
    var hasWindows = false
    /// A bidirectional encoder, which gives states and no logits.
    var isEncoder = false

    static let all = [
        ModelFamily(modelType: "llama", architecture: "llama", pairsRows: true),
        ModelFamily(modelType: "mistral", architecture: "llama", pairsRows: true),
        ModelFamily(modelType: "qwen2", architecture: "qwen2"),
        ModelFamily(modelType: "qwen3", architecture: "qwen3"),
        ModelFamily(modelType: "qwen3_moe", architecture: "qwen3moe", hasExperts: true),
        ModelFamily(modelType: "gpt_oss", architecture: "gpt-oss", hasExperts: true, hasWindows: true),
        ModelFamily(modelType: "lfm2", architecture: "lfm2", tiesOutput: true),
        ModelFamily(modelType: "gemma2", architecture: "gemma2", addsOne: true, postNorms: true, tiesOutput: true, hasWindows: true),
        ModelFamily(modelType: "gemma3_text", architecture: "gemma3", addsOne: true, postNorms: true, tiesOutput: true, hasWindows: true),
        ModelFamily(modelType: "phi3", architecture: "phi3"),
        ModelFamily(modelType: "olmo2", architecture: "olmo2", postNorms: true),
        ModelFamily(modelType: "granite", architecture: "granite", pairsRows: true),
        ModelFamily(modelType: "smollm3", architecture: "smollm3", pairsRows: true, tiesOutput: true),
        ModelFamily(modelType: "bert", architecture: "bert", isEncoder: true),
    ]

    static func named(_ config: ConfigReader) throws(CheckpointError) -> ModelFamily {
        guard let type = try config.text(ifPresent: "model_type") else { throw CheckpointError(config.path, .missingKey("model_type")) }
        guard let family = all.first(where: { $0.modelType == type }) else {
            throw CheckpointError(
                config.path,
                .badSetting(key: "model_type", value: type, supported: all.map(\.modelType).joined(separator: ", ")))
        }
        return family
    }

    /// Puts what `config.json` says under GGUF's keys.
    func describe(_ config: ConfigReader, folder: URL, into metadata: inout MetadataBuilder) throws(CheckpointError) {
        func key(_ name: String) -> String { "\(architecture).\(name)" }
        let name = try config.text(ifPresent: "_name_or_path")?.split(separator: "/").last.map(String.init)
        metadata.set("general.architecture", architecture)
        metadata.set("general.name", name ?? folder.standardizedFileURL.lastPathComponent)
        let width = try config.int("hidden_size")
        let heads = try config.int("num_attention_heads")
        guard heads > 0, width > 0 else {
            throw CheckpointError(config.path, .badSetting(key: "num_attention_heads", value: "\(heads)", supported: "1 or more"))
        }
        metadata.set(key("embedding_length"), width)
        metadata.set(key("block_count"), try config.int("num_hidden_layers"))
        let isLFM2 = architecture == "lfm2"
        metadata.set(key("feed_forward_length"), isLFM2 ? try Convolutions.feedForward(config) : try config.int("intermediate_size"))
        metadata.set(key("context_length"), try config.int("max_position_embeddings"))
        metadata.set(key("attention.head_count"), heads)
        if isEncoder {
            metadata.set(key("attention.layer_norm_epsilon"), try config.double(ifPresent: "layer_norm_eps") ?? 1e-12)
            metadata.set(key("attention.causal"), false)
            metadata.set("tokenizer.ggml.token_type_count", try config.int(ifPresent: "type_vocab_size"))
            metadata.set(key("pooling_type"), try Pooling.type(of: folder))
            try config.refuse("hidden_act", unless: ["gelu"], config.text(ifPresent: "hidden_act"))
            try config.refuse("position_embedding_type", unless: ["absolute"], config.text(ifPresent: "position_embedding_type"))
            return
        }

        if isLFM2 {
            try Convolutions.describe(config, heads: heads, into: &metadata)
        } else {
            metadata.set(key("attention.head_count_kv"), try config.int(ifPresent: "num_key_value_heads") ?? heads)
        }
        if hasExperts { try ExpertSettings.describe(config, architecture, into: &metadata) }
        metadata.set(key("attention.layer_norm_rms_epsilon"), try config.double(isLFM2 ? "norm_eps" : "rms_norm_eps"))
        let headWidth = try config.int(ifPresent: "head_dim") ?? width / heads
        metadata.set(key("attention.key_length"), headWidth)
        metadata.set(key("attention.value_length"), headWidth)
        try rope(config, headWidth: headWidth, into: &metadata)
        try windows(config, into: &metadata)

        let older = try config.text(ifPresent: "hidden_act")
        let activation = try config.text(ifPresent: "hidden_activation") ?? older
        // Gemma's first descriptions say "gelu" and mean the tanh form, which its code computes.
        try config.refuse("hidden_act", unless: addsOne ? ["gelu_pytorch_tanh", "gelu"] : ["silu"], activation)
        if addsOne, let scalar = try config.double(ifPresent: "query_pre_attn_scalar") {
            try config.refuse(
                "query_pre_attn_scalar", unless: ["\(Double(headWidth))", "\(Double(width / heads))"], "\(scalar)")
        }
        metadata.set(key("attn_logit_softcapping"), try config.double(ifPresent: "attn_logit_softcapping"))
        metadata.set(key("final_logit_softcapping"), try config.double(ifPresent: "final_logit_softcapping"))
        metadata.set(key("embedding_scale"), try config.double(ifPresent: "embedding_multiplier"))
        metadata.set(key("residual_scale"), try config.double(ifPresent: "residual_multiplier"))
        metadata.set(key("attention.scale"), try config.double(ifPresent: "attention_multiplier"))
        metadata.set(key("logit_scale"), try config.double(ifPresent: "logits_scaling"))
    }

    private func rope(
        _ config: ConfigReader, headWidth: Int, into metadata: inout MetadataBuilder
    ) throws(CheckpointError) {
        func key(_ name: String) -> String { "\(architecture).rope.\(name)" }
        let scaling = RopeFactors.scaling(config)
        let part = try config.double(ifPresent: "partial_rotary_factor") ?? 1
        metadata.set(key("dimension_count"), Int(exactly: (Double(headWidth) * part).rounded(.down)) ?? headWidth)
        let newer = try scaling?.double(ifPresent: "rope_theta")
        metadata.set(key("freq_base"), try config.double(ifPresent: "rope_theta") ?? newer)
        metadata.set(key("freq_base_swa"), try config.double(ifPresent: "rope_local_base_freq"))
        guard let scaling, let type = try RopeFactors.type(scaling) else { return }
        switch type {
        case "default", "llama3": break  // llama3's factors are a tensor
        case "linear":
            metadata.set(key("scaling.type"), "linear")
            metadata.set(key("scaling.factor"), try scaling.double("factor"))
        case "yarn" where architecture == "gpt-oss":
            metadata.set(key("scaling.type"), "yarn")
            metadata.set(key("scaling.factor"), try scaling.double("factor"))
            metadata.set(key("scaling.original_context_length"), try scaling.int("original_max_position_embeddings"))
            metadata.set(key("scaling.yarn_beta_fast"), try scaling.double(ifPresent: "beta_fast"))
            metadata.set(key("scaling.yarn_beta_slow"), try scaling.double(ifPresent: "beta_slow"))
            metadata.set(key("scaling.yarn_truncate"), try scaling.bool(ifPresent: "truncate"))
            for name in ["attention_factor", "mscale", "mscale_all_dim"] {
                if let value = try scaling.double(ifPresent: name) {
                    throw CheckpointError(config.path, .badSetting(key: "rope_scaling.\(name)", value: "\(value)", supported: "none"))
                }
            }
        case "longrope" where architecture == "phi3":
            let trained = try config.int("original_max_position_embeddings")
            let longest = try config.int("max_position_embeddings")
            guard trained > 1, longest > 0 else {
                throw CheckpointError(config.path, .badSetting(key: "original_max_position_embeddings", value: "\(trained)", supported: "2 or more"))
            }
            metadata.set(key("scaling.original_context_length"), trained)
            // Ding et al., "LongRoPE" (2024), as Phi-3's own code has it: sqrt(1 + ln(s) / ln(L)) for s > 1.
            let ratio = Double(longest) / Double(trained)
            metadata.set(key("scaling.attn_factor"), ratio <= 1 ? 1 : (1 + log(ratio) / log(Double(trained))).squareRoot())
        default:
            throw CheckpointError(
                config.path, .badSetting(key: "rope_scaling", value: type, supported: "default, linear, llama3, longrope for phi3, and yarn for gpt_oss"))
        }
    }

    /// Which layers look back over a window only.
    private func windows(_ config: ConfigReader, into metadata: inout MetadataBuilder) throws(CheckpointError) {
        let window = try config.int(ifPresent: "sliding_window")
        let kinds = config["layer_types"]?.arrayValue?.map { $0.stringValue == "sliding_attention" }
        if hasWindows {
            metadata.set("\(architecture).attention.sliding_window", window)
            if let kinds {
                try metadata.set("\(architecture).attention.sliding_window_pattern", bools: kinds)
            } else {
                metadata.set(
                    "\(architecture).attention.sliding_window_pattern", try config.int(ifPresent: "sliding_window_pattern"))
            }
            return
        }
        if kinds?.contains(true) == true {
            throw CheckpointError(config.path, .badSetting(key: "layer_types", value: "sliding_attention", supported: "full_attention"))
        }
        let isUsed = try config.bool(ifPresent: "use_sliding_window")
        if isUsed == true {
            throw CheckpointError(config.path, .badSetting(key: "use_sliding_window", value: "true", supported: "false"))
        }
        // A window as long as the context is none.
        if isUsed == nil, kinds == nil, let window, try window < config.int("max_position_embeddings") {
            metadata.set("\(architecture).attention.sliding_window", window)
        }
        if architecture == "smollm3", let rotated = config["no_rope_layers"]?.arrayValue {
            for (index, item) in rotated.enumerated() where (item.intValue == 0) != (index % 4 == 3) {
                throw CheckpointError(
                    config.path,
                    .badSetting(key: "no_rope_layers", value: "\(item) for layer \(index)", supported: "0 for every fourth"))
            }
        }
    }
}

/// How the states of an encoder become one vector, by GGUF's numbers: 1 mean, 2 first token, 3 last.
enum Pooling {
    static func type(of folder: URL) throws(CheckpointError) -> Int {
        guard let config = try ConfigReader(folder.appending(path: "1_Pooling"), "config.json", required: false) else { return 1 }
        if try config.bool(ifPresent: "pooling_mode_mean_tokens") == true { return 1 }
        if try config.bool(ifPresent: "pooling_mode_cls_token") == true { return 2 }
        if try config.bool(ifPresent: "pooling_mode_lasttoken") == true { return 3 }
        throw CheckpointError(config.path, .badSetting(key: "pooling mode", value: "another one", supported: "mean_tokens, cls_token, lasttoken"))
    }
}
