import HearthKernelTypes

/// Names of tensors in safetensors, and what GGUF calls them: the one place where they are translated.
struct TensorNames {
    private let family: ModelFamily
    private let layer: [String: String]

    init(_ family: ModelFamily) {
        self.family = family
        layer = switch family.architecture {
        case _ where family.isEncoder: Self.encoderLayer
        case "lfm2": Self.convolutionLayer
        // Its second norm keeps the name that it has in safetensors.
        case "gpt-oss": Self.layer.merging(["post_attention_layernorm": "post_attention_norm", "mlp.router": "ffn_gate_inp"]) { $1 }
        case "qwen3moe": Self.layer.merging(["post_attention_layernorm": "ffn_norm", "mlp.gate": "ffn_gate_inp"]) { $1 }
        default: Self.layer.merging(family.postNorms ? Self.postNorms : ["post_attention_layernorm": "ffn_norm"]) { $1 }
        }
    }

    /// GGUF's name; nil for a tensor that nobody reads.
    /// - Throws: for a name that this family has no place for, since leaving weights out gives wrong answers.
    func translate(_ name: String, _ file: MappedFile) throws(CheckpointError) -> String? {
        if Self.unread.contains(where: { name.hasSuffix($0) }) { return nil }
        // Models that were saved with or without the head that was trained on them.
        var parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        if let first = parts.first, first == "model" || first == "bert" { parts.removeFirst() }
        if family.isEncoder, parts.first == "pooler" || parts.first == "cls" { return nil }
        if family.isEncoder, parts.first == "encoder" { parts.removeFirst() }
        // A vector that belongs to no matrix, and has no suffix.
        if family.architecture == "gpt-oss", parts.count == 4, parts[0] == "layers", parts[2...] == ["self_attn", "sinks"],
            let index = Int(parts[1]), index >= 0
        {
            return "blk.\(index).attn_sinks.weight"
        }
        guard let kind = parts.popLast(), kind == "weight" || kind == "bias" else { throw unknown(name, file) }
        let table = family.isEncoder ? Self.encoderTop : Self.top
        if let top = table[parts.joined(separator: ".")] { return "\(top).\(kind)" }
        guard parts.count > 2, parts[0] == "layers" || parts[0] == "layer", let index = Int(parts[1]), index >= 0,
            let stem = layer[parts[2...].joined(separator: ".")]
        else { throw unknown(name, file) }
        return "blk.\(index).\(stem).\(kind)"
    }

    /// The tensor under its GGUF name, with what happens to its bytes.
    func handle(
        _ record: SafetensorsReader.Record, name: String, config: ConfigReader, _ file: MappedFile
    ) throws(CheckpointError) -> TensorHandle {
        guard let type = record.type else {
            throw CheckpointError(file.path, .unsupportedDType(tensor: record.name, dtype: record.dtype))
        }
        let isVector = record.shape.count == 1
        if family.addsOne, isVector, name.hasSuffix("norm.weight") {
            return TensorHandle(
                name: name, type: .f32, shape: record.shape, byteRange: record.byteRange, file: file,
                change: .addOne(from: type))
        }
        // [channels, 1, positions] has a middle that says nothing.
        if name.hasSuffix(".shortconv.conv.weight"), record.shape.count == 3, record.shape[1] == 1 {
            return TensorHandle(
                name: name, type: type, shape: [record.shape[0], record.shape[2]], byteRange: record.byteRange, file: file)
        }
        var change: TensorChange?
        let isQuery = name.contains(".attn_q.")
        if family.pairsRows, isQuery || name.contains(".attn_k.") {
            let all = try config.int("num_attention_heads")
            let heads = isQuery ? all : try config.int(ifPresent: "num_key_value_heads") ?? all
            guard let rows = record.shape.first, heads > 0, rows % heads == 0, rows / heads % 2 == 0 else {
                throw CheckpointError(
                    file.path, .badRecord(tensor: record.name, reason: "its shape \(record.shape) does not hold \(heads) heads of an even width"))
            }
            change = .pairRows(heads: heads)
        }
        return TensorHandle(
            name: name, type: type, shape: record.shape, byteRange: record.byteRange, file: file, change: change)
    }

    private func unknown(_ name: String, _ file: MappedFile) -> CheckpointError {
        CheckpointError(file.path, .unknownTensor(tensor: name, family: family.modelType))
    }

    /// Tables that every program computes for itself.
    private static let unread = ["rotary_emb.inv_freq", "embeddings.position_ids"]

    private static let top = [
        "embed_tokens": "token_embd", "norm": "output_norm", "embedding_norm": "token_embd_norm", "lm_head": "output",
    ]

    private static let layer = [
        "input_layernorm": "attn_norm",
        "self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v",
        "self_attn.qkv_proj": "attn_qkv", "self_attn.o_proj": "attn_output",
        "self_attn.q_norm": "attn_q_norm", "self_attn.k_norm": "attn_k_norm",
        "mlp.gate_proj": "ffn_gate", "mlp.up_proj": "ffn_up", "mlp.gate_up_proj": "ffn_up", "mlp.down_proj": "ffn_down",
    ]

    /// LFM2's.
    private static let convolutionLayer = [
        "operator_norm": "attn_norm", "ffn_norm": "ffn_norm",
        "conv.conv": "shortconv.conv", "conv.in_proj": "shortconv.in_proj", "conv.out_proj": "shortconv.out_proj",
        "self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v",
        "self_attn.out_proj": "attn_output", "self_attn.q_layernorm": "attn_q_norm", "self_attn.k_layernorm": "attn_k_norm",
        "feed_forward.w1": "ffn_gate", "feed_forward.w3": "ffn_up", "feed_forward.w2": "ffn_down",
    ]

    private static let postNorms = [
        "post_attention_layernorm": "post_attention_norm", "pre_feedforward_layernorm": "ffn_norm",
        "post_feedforward_layernorm": "post_ffw_norm",
    ]

    private static let encoderTop = [
        "embeddings.word_embeddings": "token_embd", "embeddings.position_embeddings": "position_embd",
        "embeddings.token_type_embeddings": "token_types", "embeddings.LayerNorm": "token_embd_norm",
    ]

    private static let encoderLayer = [
        "attention.self.query": "attn_q", "attention.self.key": "attn_k", "attention.self.value": "attn_v",
        "attention.output.dense": "attn_output", "attention.output.LayerNorm": "attn_output_norm",
        "intermediate.dense": "ffn_up", "output.dense": "ffn_down", "output.LayerNorm": "layer_output_norm",
    ]
}
