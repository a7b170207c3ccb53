import HearthKernelTypes
import HearthWeights
import Testing

@Suite("Experts in safetensors")
struct ExpertTensorsTests {
    private static let qwen = """
        {"model_type": "qwen3_moe", "hidden_size": 2, "intermediate_size": 4, "num_hidden_layers": 1, "num_attention_heads": 1,
         "rms_norm_eps": 1e-5, "max_position_embeddings": 16, "num_experts": 2, "num_experts_per_tok": 1,
         "moe_intermediate_size": 1, "norm_topk_prob": true}
        """
    private static let gptOSS = """
        {"model_type": "gpt_oss", "hidden_size": 32, "intermediate_size": 1, "num_hidden_layers": 1, "num_attention_heads": 1,
         "rms_norm_eps": 1e-5, "max_position_embeddings": 16, "num_local_experts": 1, "num_experts_per_tok": 1}
        """

    private func folder(_ config: String, _ tensors: [(name: String, dtype: String, shape: String, bytes: [UInt8])])
        -> SafetensorsFolder
    {
        var header: [String] = []
        var data: [UInt8] = []
        for tensor in tensors {
            header.append(
                "\"\(tensor.name)\": {\"dtype\": \"\(tensor.dtype)\", \"shape\": \(tensor.shape), "
                    + "\"data_offsets\": [\(data.count), \(data.count + tensor.bytes.count)]}")
            data += tensor.bytes
        }
        let text = "{\(header.joined(separator: ", "))}"
        var folder = SafetensorsFolder(bytes: SafetensorsFolder.file(text, data: 0) + data)
        folder.files["config.json"] = Array(config.utf8)
        return folder
    }

    private func bytes(_ checkpoint: Checkpoint, _ name: String) throws -> (
        type: ElementType, shape: [Int], bytes: [UInt8]
    ) {
        let tensor = try #require(checkpoint.tensor(name)).loaded()
        return (tensor.type, tensor.shape, unsafe tensor.withBytes { unsafe Array($0) })
    }

    private func expert(_ index: Int, _ stem: String, _ bytes: [UInt8], shape: String = "[1, 2]") -> (
        String, String, String, [UInt8]
    ) {
        ("model.layers.0.mlp.experts.\(index).\(stem)_proj.weight", "BF16", shape, bytes)
    }

    @Test("experts that are kept one by one are stacked in the order of their numbers, not of the file")
    func stacked() throws {
        let checkpoint = try folder(
            Self.qwen, [expert(1, "gate", [5, 6, 7, 8]), expert(0, "gate", [1, 2, 3, 4])]
        ).open()
        let gate = try bytes(checkpoint, "blk.0.ffn_gate_exps.weight")
        #expect(gate.type == .bf16 && gate.shape == [2, 1, 2])
        #expect(gate.bytes == [1, 2, 3, 4, 5, 6, 7, 8])
        #expect(try checkpoint.metadata.int("qwen3moe.expert_feed_forward_length") == 1)
    }

    @Test("a missing expert, and one of another shape, are named")
    func unlike() throws {
        #expect(
            try folder(Self.qwen, [expert(0, "up", [1, 2, 3, 4]), expert(2, "up", [1, 2, 3, 4])]).refusal()
                == .badRecord(tensor: "blk.0.ffn_up_exps.weight", reason: "expert 1 is missing"))
        #expect(
            try folder(Self.qwen, [expert(0, "up", [1, 2, 3, 4]), expert(1, "up", [1, 2, 3, 4], shape: "[2, 1]")])
                .refusal()
                == .badRecord(
                    tensor: "model.layers.0.mlp.experts.1.up_proj.weight",
                    reason: "it is BF16 [2, 1], and the first expert's BF16 [1, 2]"))
    }

    @Test("packed MXFP4 becomes GGUF's blocks, gate and up row by row in turns")
    func packed() throws {
        let base = "model.layers.0.mlp.experts."
        // Row 0 is gate's: value i is i % 16; row 1 is up's: value i is 15 - i % 16.
        let gate: [UInt8] = [
            0x10, 0x32, 0x54, 0x76, 0x98, 0xBA, 0xDC, 0xFE, 0x10, 0x32, 0x54, 0x76, 0x98, 0xBA, 0xDC, 0xFE,
        ]
        let up: [UInt8] = gate.map { ~$0 }
        let twice: [UInt8] = (0..<16).map { UInt8($0 * 17) }
        let turned: [UInt8] = twice.reversed()
        let checkpoint = try folder(
            Self.gptOSS,
            [
                (base + "gate_up_proj_blocks", "U8", "[1, 2, 1, 16]", gate + up),
                (base + "gate_up_proj_scales", "U8", "[1, 2, 1]", [120, 121]),
                (base + "gate_up_proj_bias", "BF16", "[1, 2]", [1, 2, 3, 4]),
            ]
        ).open()
        let first = try bytes(checkpoint, "blk.0.ffn_gate_exps.weight")
        #expect(first.type == .mxfp4 && first.shape == [1, 1, 32])
        // Value i in the low half beside value 16 + i, which is the same here.
        #expect(first.bytes == [120] + twice)
        let second = try bytes(checkpoint, "blk.0.ffn_up_exps.weight")
        #expect(second.bytes == [121] + turned)
        #expect(try bytes(checkpoint, "blk.0.ffn_gate_exps.bias").bytes == [1, 2])
        #expect(try bytes(checkpoint, "blk.0.ffn_up_exps.bias").bytes == [3, 4])
    }

    @Test("blocks without scales, and a form that is not known, are refused by name")
    func oddForms() throws {
        let base = "model.layers.0.mlp.experts."
        let blocks = (base + "gate_up_proj_blocks", "U8", "[1, 2, 1, 16]", [UInt8](repeating: 0, count: 32))
        #expect(
            try folder(Self.gptOSS, [blocks]).refusal()
                == .unknownTensor(tensor: base + "gate_up_proj_blocks", family: "gpt_oss"))
        let scales = (base + "gate_up_proj_scales", "U8", "[1, 1, 2]", [UInt8]([0, 0]))
        #expect(
            try folder(Self.gptOSS, [blocks, scales]).refusal()
                == .badRecord(
                    tensor: base + "gate_up_proj_scales", reason: "U8 [1, 1, 2] is no form of experts that is known"))
    }

    @Test("settings that are not computed here are refused by name")
    func settings() throws {
        for (key, value, cause) in [
            ("\"norm_topk_prob\": true", "\"norm_topk_prob\": false", "norm_topk_prob"),
            ("\"norm_topk_prob\": true", "\"norm_topk_prob\": true, \"mlp_only_layers\": [0]", "mlp_only_layers"),
            ("\"norm_topk_prob\": true", "\"norm_topk_prob\": true, \"decoder_sparse_step\": 2", "decoder_sparse_step"),
        ] {
            guard
                case .badSetting(let named, _, _) = try folder(
                    Self.qwen.replacing(key, with: value), [expert(0, "up", [1, 2, 3, 4])]
                ).refusal()
            else {
                Issue.record("\(value) was taken")
                continue
            }
            #expect(named == cause)
        }
    }

    @Test(
        "LFM2's feed-forward width is what its code makes of the one that is written down",
        arguments: [
            (
                #""block_ff_dim": 12288, "block_auto_adjust_ff_dim": true, "block_multiple_of": 256, "block_ffn_dim_multiplier": 1.0"#,
                8192
            ),
            (#""intermediate_size": 6656, "block_auto_adjust_ff_dim": true"#, 4608),
            (#""intermediate_size": 96, "block_auto_adjust_ff_dim": false"#, 96),
        ])
    func lfm2(settings: String, width: Int) throws {
        let config = """
            {"model_type": "lfm2", "hidden_size": 4, "num_hidden_layers": 3, "num_attention_heads": 2, "num_key_value_heads": 1,
             "norm_eps": 1e-5, "max_position_embeddings": 16, "conv_L_cache": 3, "full_attn_idxs": [1], \(settings)}
            """
        let checkpoint = try folder(
            config, [("model.layers.0.conv.conv.weight", "BF16", "[4, 1, 3]", [UInt8](repeating: 0, count: 24))]
        ).open()
        #expect(try checkpoint.metadata.int("lfm2.feed_forward_length") == width)
        #expect(try checkpoint.metadata.ints("lfm2.attention.head_count_kv") == [0, 1, 0])
        #expect(checkpoint.tensor("blk.0.shortconv.conv.weight")?.shape == [4, 3])
    }
}
