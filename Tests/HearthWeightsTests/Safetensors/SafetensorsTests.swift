import Foundation
import HearthKernelTypes
import HearthTestSupport
import HearthWeights
import Testing

/// Writes folders as the Hugging Face libraries do, right and wrong ones.
struct SafetensorsFolder {
    static let config = """
        {"model_type": "llama", "hidden_size": 4, "intermediate_size": 4, "num_hidden_layers": 1, "num_attention_heads": 1,
         "num_key_value_heads": 1, "rms_norm_eps": 1e-5, "max_position_embeddings": 16, "vocab_size": 4}
        """
    var files: [String: [UInt8]] = ["config.json": Array(config.utf8)]

    static func file(_ header: String, data: Int) -> [UInt8] {
        var bytes = GGUFBytes()
        bytes.u64(UInt64(header.utf8.count))
        return bytes.bytes + Array(header.utf8) + [UInt8](repeating: 0, count: data)
    }

    init(header: String, data: Int) { files["model.safetensors"] = Self.file(header, data: data) }
    init(bytes: [UInt8]) { files["model.safetensors"] = bytes }

    func open() throws -> Checkpoint {
        let folder = FileManager.default.temporaryDirectory.appending(path: "hearth-safe-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, bytes) in files {
            let file = folder.appending(path: name)
            try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(bytes).write(to: file)
        }
        return try Checkpoint.open(folder)
    }

    func refusal() throws -> CheckpointError.Cause? {
        do {
            _ = try open()
            return nil
        } catch let error as CheckpointError { return error.cause }
    }
}

@Suite("Safetensors")
struct SafetensorsTests {
    static let name = "model.norm.weight"

    static func tensor(_ offsets: String, shape: String = "[4]") -> String {
        "{\"\(name)\": {\"dtype\": \"F32\", \"shape\": \(shape), \"data_offsets\": \(offsets)}}"
    }

    @Test("A small model opens under GGUF's names")
    func small() throws {
        let checkpoint = try SafetensorsFolder(header: Self.tensor("[0, 16]"), data: 16).open()
        #expect(checkpoint.tensors.map(\.name) == ["output_norm.weight"])
        #expect(checkpoint.tensors[0].shape == [4])
        #expect(try checkpoint.metadata.int("llama.embedding_length") == 4)
        #expect(checkpoint.format == "safetensors")
    }

    @Test("T-12 a header length that does not fit is refused before memory is asked for")
    func headerLength() throws {
        var all = [UInt8](repeating: 0xFF, count: 8) + [UInt8](repeating: 0x20, count: 12)
        #expect(try SafetensorsFolder(bytes: all).refusal() == .headerLength(.max, left: 12))
        all.replaceSubrange(0..<8, with: [0, 0, 0, 0, 0, 0, 0, 0])
        #expect(try SafetensorsFolder(bytes: all).refusal() == .headerLength(0, left: 12))
        all[0] = 13
        #expect(try SafetensorsFolder(bytes: all).refusal() == .headerLength(13, left: 12))
        #expect(
            try SafetensorsFolder(bytes: [1, 2, 3]).refusal()
                == .endsEarly(what: "the length of the header", offset: 0, needs: 8, left: 3))
    }

    @Test("T-13 a shape must fill its byte range exactly", arguments: [16, 65_536])
    func shapeAgainstRange(size: Int) throws {
        let cause = try SafetensorsFolder(header: Self.tensor("[0, \(size)]", shape: "[4, 4]"), data: size).refusal()
        #expect(
            cause
                == .badRecord(
                    tensor: Self.name, reason: "its shape [4, 4] of F32 needs 64 bytes, and its range has \(size)"))
    }

    @Test(
        "T-14 an index that leads out of the folder is refused before a file is opened",
        arguments: [
            #""../outside.safetensors""#, #""/etc/outside.safetensors""#, #""sub/../../x.safetensors""#,
            #""x\u0000.safetensors""#, "7", #""""#, #"".safetensors""#,
        ])
    func index(file: String) throws {
        var folder = SafetensorsFolder(header: Self.tensor("[0, 16]"), data: 16)
        // The first entry is not there either: nobody looked for it.
        folder.files["model.safetensors.index.json"] = Array(
            #"{"weight_map": {"a": "missing.safetensors", "w": \#(file)}}"#.utf8)
        let cause = try folder.refusal()
        guard case .outsideFolder(tensor: "w", _) = cause else {
            Issue.record("\(String(describing: cause))")
            return
        }
    }

    @Test(
        "T-15 offsets of a wrong form are refused, naming the tensor",
        arguments: ["[8, 4]", "[8]", "[-4, 4]", "[0.5, 4]", "[\"0\", \"4\"]", "[0, 18446744073709551615]"])
    func offsets(text: String) throws {
        let cause = try SafetensorsFolder(header: Self.tensor(text), data: 16).refusal()
        guard case .badRecord(tensor: Self.name, let reason) = cause else {
            Issue.record("\(String(describing: cause))")
            return
        }
        #expect(reason.contains("data_offsets"))
    }

    @Test("Ends behind the file, overlaps, unknown names, types and damaged JSON are refused")
    func refusals() throws {
        func cause(_ header: String, _ data: Int = 16) throws -> CheckpointError.Cause? {
            try SafetensorsFolder(header: header, data: data).refusal()
        }
        #expect(try cause(Self.tensor("[0, 16]"), 15) == .tensorPastEnd(tensor: Self.name, end: 16, size: 15))
        let two = #"{"model.norm.weight": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}, "lm_head.weight": {"dtype": "F32", "shape": [2], "data_offsets": [4, 12]}}"#
        #expect(try cause(two) == .overlap(first: "model.norm.weight", second: "lm_head.weight"))
        #expect(
            try cause(#"{"model.extra.weight": {"dtype": "F32", "shape": [1], "data_offsets": [0, 4]}}"#)
                == .unknownTensor(tensor: "model.extra.weight", family: "llama"))
        #expect(
            try cause(#"{"model.norm.weight": {"dtype": "I64", "shape": [2], "data_offsets": [0, 16]}}"#)
                == .unsupportedDType(tensor: "model.norm.weight", dtype: "I64"))
        guard case .badJSON = try cause("{\"a\": ") else {
            Issue.record("damaged JSON was taken")
            return
        }
    }

    @Test("Every prefix of a small file is refused, and none stops the program")
    func everyPrefix() throws {
        let whole = SafetensorsFolder.file(Self.tensor("[0, 16]"), data: 16)
        for length in 0..<whole.count { #expect(try SafetensorsFolder(bytes: Array(whole.prefix(length))).refusal() != nil) }
    }

    @Test("A setting that is not computed is refused by name")
    func settings() throws {
        func refusal(_ extra: String) throws -> CheckpointError.Cause? {
            var folder = SafetensorsFolder(header: Self.tensor("[0, 16]"), data: 16)
            folder.files["config.json"] = Array(SafetensorsFolder.config.dropLast().utf8) + Array(", \(extra)}".utf8)
            return try folder.refusal()
        }
        #expect(try refusal(#""hidden_act": "relu""#) == .badSetting(key: "hidden_act", value: "relu", supported: "silu"))
        #expect(
            try refusal(#""rope_scaling": {"type": "yarn", "factor": 4}"#)
                == .badSetting(key: "rope_scaling", value: "yarn", supported: "default, linear, llama3, longrope for phi3, and yarn for gpt_oss"))
        #expect(
            try refusal(#""use_sliding_window": true"#) == .badSetting(key: "use_sliding_window", value: "true", supported: "false"))
    }

    @Test("How an encoder's states become one vector is read from the folder of its pooling, and is the mean without one")
    func pooling() throws {
        let header = #"{"bert.embeddings.LayerNorm.weight": {"dtype": "F32", "shape": [4], "data_offsets": [0, 16]}}"#
        var folder = SafetensorsFolder(header: header, data: 16)
        folder.files["config.json"] = Array(
            """
            {"model_type": "bert", "hidden_size": 4, "intermediate_size": 4, "num_hidden_layers": 1, "num_attention_heads": 1,
             "max_position_embeddings": 16, "hidden_act": "gelu", "layer_norm_eps": 1e-12}
            """.utf8)
        let plain = try folder.open()
        #expect(plain.tensors.map(\.name) == ["token_embd_norm.weight"])
        #expect(try plain.metadata.int("bert.pooling_type") == 1)
        for (mode, number) in [("mean_tokens", 1), ("cls_token", 2), ("lasttoken", 3)] {
            folder.files["1_Pooling/config.json"] = Array("{\"pooling_mode_\(mode)\": true}".utf8)
            #expect(try folder.open().metadata.int("bert.pooling_type") == number)
        }
        folder.files["1_Pooling/config.json"] = Array(#"{"pooling_mode_max_tokens": true}"#.utf8)
        #expect(
            try folder.refusal()
                == .badSetting(key: "pooling mode", value: "another one", supported: "mean_tokens, cls_token, lasttoken"))
    }

    @Test("Rows of q and k become pairs, and Gemma's norms get their 1 back")
    func changes() throws {
        let llama = try Checkpoint.open(Fixtures.url("safetensors/llama"))
        let twin = try Checkpoint.open(Fixtures.url("llama-f32.gguf"))
        let gemma = try Checkpoint.open(Fixtures.url("safetensors/gemma3"))
        let gemmaTwin = try Checkpoint.open(Fixtures.url("gemma3-f32.gguf"))
        for (mine, other) in [(llama, twin), (gemma, gemmaTwin)] {
            #expect(Set(mine.tensors.map(\.name)) == Set(other.tensors.map(\.name)))
            for tensor in mine.tensors {
                let expected = try #require(other.tensor(tensor.name))
                #expect(tensor.shape == expected.shape)
                let a = try Self.floats(tensor.loaded())
                let b = try Self.floats(expected)
                #expect(zip(a, b).allSatisfy { abs($0 - $1) <= 1e-6 }, "\(tensor.name)")
            }
        }
    }

    static func floats(_ tensor: TensorHandle) throws -> [Float] {
        unsafe tensor.withBytes { bytes in
            (0..<tensor.count).map { index in
                tensor.type == .f32
                    ? unsafe bytes.loadUnaligned(fromByteOffset: index * 4, as: Float.self)
                    : Float(bitPattern: UInt32(unsafe bytes.loadUnaligned(fromByteOffset: index * 2, as: UInt16.self)) << 16)
            }
        }
    }

    @Test("The tokenizer of a folder says what the GGUF file of the same model says", arguments: ["llama", "qwen2", "qwen3"])
    func tokenizer(name: String) throws {
        let mine = try Checkpoint.open(Fixtures.url("safetensors/\(name)")).metadata
        let other = try Checkpoint.open(Fixtures.url("\(name)-f32.gguf")).metadata
        for key in ["tokenizer.ggml.tokens", "tokenizer.ggml.merges"] {
            let (a, b) = (Array(try mine.strings(key)), Array(try other.strings(key)))
            #expect(a == b)
        }
        // GGUF's writer calls a special token that no text uses unused; here it is one of the control tokens.
        let kinds = zip(try mine.ints("tokenizer.ggml.token_type"), try other.ints("tokenizer.ggml.token_type"))
        #expect(kinds.allSatisfy { $0 == $1 || ($0, $1) == (3, 5) })
        for key in ["bos_token_id", "eos_token_id"] {
            #expect(try mine.int("tokenizer.ggml.\(key)") == other.int("tokenizer.ggml.\(key)"))
        }
        #expect(try mine.text(ifPresent: "tokenizer.chat_template") == other.text(ifPresent: "tokenizer.chat_template"))
    }
}
