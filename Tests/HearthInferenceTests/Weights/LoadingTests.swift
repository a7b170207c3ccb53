import Foundation
import HearthInference
import HearthKernelTypes
import HearthKernels
import HearthTestSupport
import HearthWeights
import Testing

/// Files that are whole, but not models of their architecture.
@Suite struct LoadingTests {
    /// The error of loading a fixture in which one text is replaced by another of the same length, once or everywhere.
    func error(in name: String = "llama-f32", _ old: String, _ new: String, everywhere: Bool = false) throws -> String? {
        var bytes = try Fixtures.bytes("\(name).gguf")
        #expect(old.utf8.count == new.utf8.count)
        var start = bytes.startIndex
        var found = 0
        while let range = bytes.range(of: Data(old.utf8), in: start..<bytes.endIndex), everywhere || found == 0 {
            bytes.replaceSubrange(range, with: Data(new.utf8))
            start = range.upperBound
            found += 1
        }
        #expect(found > 0)
        return try load(bytes)
    }

    func load(_ bytes: Data, _ options: ModelOptions = .plain) throws -> String? {
        let file = FileManager.default.temporaryDirectory.appending(path: "hearth-\(UUID().uuidString).gguf")
        try bytes.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        do {
            _ = try LanguageWeights.load(Checkpoint.open(file), options: options)
            return nil
        } catch let error as InferenceError {
            return "\(error)"
        }
    }

    @Test("an architecture that is not here is refused by name")
    func architecture() throws {
        #expect(try error("llama", "llamb")?.hasPrefix("`general.architecture` is \"llamb\"") == true)
    }

    @Test("a missing tensor is named with the shape it needs")
    func missing() throws {
        #expect(
            try error("blk.1.ffn_down.weight", "blk.1.ffn_dawn.weight") == """
                The tensor `blk.1.ffn_down.weight` of shape [64, 96] is missing (a feed-forward of 96 over a width of 64). \
                The file may be cut or made by another converter: fetch or convert it again.
                """)
    }

    @Test("a tensor of another shape is named with the numbers that need it")
    func shape() throws {
        // Two names of equal length, exchanged: the output of one is the input of the other.
        var bytes = try Fixtures.bytes("mistral-f32.gguf")
        for (old, new) in [
            ("blk.0.attn_k.weight", "blk.0.attn_x.weight"), ("blk.0.attn_q.weight", "blk.0.attn_k.weight"),
            ("blk.0.attn_x.weight", "blk.0.attn_q.weight"),
        ] {
            bytes.replaceSubrange(try #require(bytes.range(of: Data(old.utf8))), with: Data(new.utf8))
        }
        #expect(
            try load(bytes) == """
                `blk.0.attn_q.weight` has shape [64, 64]; 4 query heads of 32 over a width of 64 need [128, 64]. Check that \
                the metadata belongs to these weights.
                """)
    }

    @Test("a missing key is named")
    func key() throws {
        let text = try error("llama.block_count", "llama.clock_bount")
        #expect(text?.contains("llama.block_count") == true)
    }

    /// The error of loading a fixture in which the whole number behind a key is another one.
    func error(in name: String, key: String, at index: Int = 0, becomes number: UInt32) throws -> String? {
        var bytes = try Fixtures.bytes("\(name).gguf")
        let range = try #require(bytes.range(of: Data(key.utf8)))
        // Behind the key: the type, and for an array the type of its numbers and their count in 64 bits.
        let type = bytes[range.upperBound]
        let place = range.upperBound + 4 + (type == 9 ? 12 : 0) + 4 * index
        unsafe withUnsafeBytes(of: number.littleEndian) { unsafe bytes.replaceSubrange(place..<place + 4, with: Data($0)) }
        return try load(bytes)
    }

    @Test("settings of experts, of stretched positions and of short convolutions are checked")
    func settings() throws {
        #expect(
            try error(in: "qwen3moe-f32", key: "qwen3moe.expert_used_count", becomes: 9) == """
                `qwen3moe.expert_used_count` is 9; supported: up to the 8 experts. Choose a conversion of the model without it.
                """)
        #expect(
            try error(in: "qwen3moe-f32", key: "qwen3moe.expert_count", becomes: 7) == """
                `blk.0.ffn_gate_inp.weight` has shape [8, 64]; 7 experts of 32 over a width of 64 need [7, 64]. Check that the \
                metadata belongs to these weights.
                """)
        #expect(
            try error(
                in: "gpt-oss-f32", key: "gpt-oss.rope.scaling.factor", becomes: Float(0.5).bitPattern) == """
                `gpt-oss.rope.scaling.factor` is 0.5; supported: 1 or more. Choose a conversion of the model without it.
                """)
        #expect(
            try error(in: "gpt-oss-f32", key: "gpt-oss.rope.scaling.original_context_length", becomes: 0) == """
                `gpt-oss.rope.scaling.original_context_length` is 0; supported: 1 to 16777216. Choose a conversion of the \
                model without it.
                """)
        #expect(
            try error(in: "lfm2-f32", key: "lfm2.attention.head_count_kv", at: 0, becomes: 1) == """
                `lfm2.attention.head_count_kv` is [1, 0, 2, 0]; supported: 0 for convolutions and one number for layers with \
                attention. Choose a conversion of the model without it.
                """)
        #expect(
            try error(in: "lfm2-f32", key: "lfm2.attention.head_count_kv", at: 2, becomes: 0)?.contains("[0, 0, 0, 0]")
                == true)
        #expect(
            try error(in: "lfm2-f32", key: "lfm2.shortconv.l_cache", becomes: 65) == """
                `lfm2.shortconv.l_cache` is 65; supported: 2 to 64. Choose a conversion of the model without it.
                """)
    }

    @Test("weights that the architecture does not read are refused, never left out")
    func unused() throws {
        // Without its key and query norms, qwen3 is no qwen2: it must not load as one.
        let text = try error(in: "qwen3-f32", "qwen3", "qwen2", everywhere: true)
        #expect(text?.hasPrefix("The architecture qwen2 has no place for 4 tensors") == true, "\(text ?? "loaded")")
    }

    @Test("options outside their range are refused")
    func options() throws {
        let bytes = try Fixtures.bytes("llama-f32.gguf")
        #expect(try load(bytes, .plain.with { $0.context = 513 })?.hasPrefix("A context of 513 tokens") == true)
        #expect(try load(bytes, .plain.with { $0.context = 0 })?.hasPrefix("The option context is 0") == true)
        #expect(try load(bytes, .plain.with { $0.threads = 0 })?.hasPrefix("The option threads is 0") == true)
        #expect(try load(bytes, .plain.with { $0.threads = 1 }) == nil)
    }

    @Test("weights that do not fit into the memory there is are refused before they are read, and only those")
    func memory() throws {
        func error(_ name: String, _ options: ModelOptions, machine: Int?, group: Int? = nil) throws -> String? {
            do {
                _ = try LanguageWeights.load(
                    Checkpoint.open(Fixtures.url("\(name).gguf")), options: options,
                    memory: MemoryReadings(machine: machine, group: group))
                return nil
            } catch let error as InferenceError { return "\(error)" }
        }
        let matrices = try Checkpoint.open(Fixtures.url("llama-f32.gguf")).tensors.filter { $0.shape.count == 2 }
        let embedding = try #require(matrices.first { $0.name == "token_embd.weight" })
        let isTied = !matrices.contains { $0.name == "output.weight" }
        let needed = matrices.reduce(0) { $0 + $1.byteCount } - (isTied ? 0 : embedding.byteCount)
        #expect(try error("llama-f32", .plain, machine: nil) == nil)
        // What the system may hold in reserve is taken for there.
        let least = needed - needed / 32
        #expect(try error("llama-f32", .plain, machine: least) == nil)
        #expect(
            try error("llama-f32", .plain, machine: least - 1) == """
                The weights take 0 MB of memory; this process can have 0 MB, which is what the machine has free. Close other \
                programs, or choose a smaller model or smaller weights. HEARTH_MEMORY_CHECK=0 in the environment loads them all \
                the same.
                """)
        #expect(
            try error("llama-f32", .plain, machine: .max, group: least - 1) == """
                The weights take 0 MB of memory; this process can have 0 MB, by the limit of its control group (a container's, say). \
                Raise that limit, or choose a smaller model or smaller weights. HEARTH_MEMORY_CHECK=0 in the environment loads \
                them all the same.
                """)
        // Smaller weights fit, and the reference set leaves them in the file.
        #expect(try error("llama-f32", .plain.with { $0.quantize = .q8_0 }, machine: needed / 2) == nil)
        #expect(try error("llama-f32", .plain.with { $0.kernels = .reference }, machine: 0) == nil)
    }

    @Test("an embedding model is refused likewise")
    func memoryOfEncoder() throws {
        let checkpoint = try Checkpoint.open(Fixtures.url("bert-f32.gguf"))
        #expect(throws: InferenceError.self) {
            try EncoderWeights.load(checkpoint, options: .plain, memory: MemoryReadings(machine: 1 << 30, group: 1000))
        }
        _ = try EncoderWeights.load(checkpoint, options: .plain, memory: MemoryReadings(machine: 1 << 30, group: 1 << 30))
    }

    @Test("a cache type that the heads do not fit is refused when it is asked for", arguments: ["llama-f32", "mistral-f32"])
    func cacheType(name: String) async throws {
        let generator = try await Generator.fixture(name, .plain.with { $0.kv = .q8_0 })
        let prompt = tokens(5, seed: 1)
        if name == "mistral-f32" {  // heads of 32
            #expect(try await generator.greedy(prompt, limit: 3).count == 3)
        } else {  // heads of 16
            let error = await #expect(throws: InferenceError.self) { try await generator.greedy(prompt, limit: 3) }
            #expect(
                error.map { "\($0)" } == """
                    The option kv is q8_0; allowed: f32, f16 for heads of width 16 (q8_0 needs a multiple of 32).
                    """)
        }
    }
}
