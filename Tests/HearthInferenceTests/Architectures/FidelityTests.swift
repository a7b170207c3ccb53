import HearthInference
import HearthKernelTypes
import HearthKernels
import HearthTestSupport
import HearthTokens
import Testing

/// What fidelity is checked over.
enum Checked {
    static let architectures = [
        "llama-f32", "llama3-f32", "mistral-f32", "qwen2-f32", "qwen3-f32", "gemma2-f32", "gemma3-f32", "phi3-f32",
        "phi3-longrope-f32", "olmo2-f32", "granite-f32", "smollm3-f32", "qwen3moe-f32", "gpt-oss-f32", "lfm2-f32",
    ]
    /// Two or three layers.
    static let shallow = ["llama-f32", "llama3-f32", "mistral-f32"]
    static let quantised = [
        "f32", "f16", "bf16", "q8_0", "q4_0", "q4_1", "q5_0", "q5_1", "q2_k", "q3_k", "q4_k", "q5_k", "q6_k", "q4_k_m",
        "q5_k_m", "iq4_nl", "iq4_xs", "mxfp4",
    ]
    static let kernels = KernelSet.allCases.filter { $0.runs(on: CPUFeatures.current) }
}

/// Fixtures against the logits that float64 arithmetic gets from the weights in the file.
@Suite struct FidelityTests {
    /// Float32 sums of some hundred products err by a few 1e-6 of the logits' spread of 2; rounding keys and values to
    /// half precision moves these fixtures by 2e-3 to 3e-3 (Fixtures/README.md).
    @Test("float weights give the exact logits", arguments: Checked.architectures, Checked.kernels)
    func architecture(name: String, set: KernelSet) async throws {
        let reference = try Reference.named(name)
        let options = ModelOptions.plain.with { $0.kernels = set }
        let exact = try await Generator.fixture(name, options).lastLogits(reference.tokens)
        #expect(reference.largestDifference(to: exact) < 1e-4)

        let half = try await Generator.fixture(name, options.with { $0.kv = .f16 }).lastLogits(reference.tokens)
        // Four layers and more add up to twice of that.
        #expect(reference.largestDifference(to: half) < (Checked.shallow.contains(name) ? 5e-3 : 1e-2))
    }

    @Test("every position ranks the tokens as the reference does", arguments: Checked.architectures)
    func ranking(name: String) async throws {
        let reference = try Reference.named(name)
        let report = try await Generator.fixture(name).score(reference.tokens, keepLogits: true)
        // These are the reference engine's logits, 0.003 off exact for Gemma: its GELU is a table in half precision.
        let bound = name.hasPrefix("gemma") ? 5e-3 : 1e-3
        for (position, best) in reference.top.enumerated() {
            #expect(report.positions[position].first == Token(best[0][0]))
            let row = report.logits[position * report.vocabulary..<(position + 1) * report.vocabulary]
            for pair in best { #expect(abs(Double(row[row.startIndex + Int(pair[0])]) - pair[1]) < bound) }
        }
    }

    @Test("greedy tokens are the reference's as far as its margin is clear", arguments: Checked.architectures)
    func greedy(name: String) async throws {
        let reference = try Reference.named(name)
        let certain = reference.certain(name.hasPrefix("gemma") ? 1e-2 : 1e-3)
        #expect(certain.count > 4)
        #expect(try await Generator.fixture(name).greedy(reference.tokens, limit: certain.count) == certain)
    }

    /// An engine that rounds activations to 8 bits lands as far from exact as the reference engine does, in another
    /// direction: twice its largest difference bounds ours. Expanded weights (floats) have no such rounding.
    @Test("quantised weights give the exact logits up to the rounding of activations", arguments: Checked.quantised, Checked.kernels)
    func quantised(type: String, set: KernelSet) async throws {
        try await nearExact("quant-\(type)", type, set)
    }

    @Test("experts in MXFP4 give the exact logits up to the rounding of activations", arguments: Checked.kernels)
    func quantisedExperts(set: KernelSet) async throws {
        try await nearExact("gpt-oss-mxfp4", "mxfp4", set)
    }

    private func nearExact(_ name: String, _ type: String, _ set: KernelSet) async throws {
        let reference = try Reference.named(name)
        let logits = try await Generator.fixture(name, .plain.with { $0.kernels = set })
            .lastLogits(reference.tokens)
        let isFloat = ["f32", "f16", "bf16"].contains(type)
        let bound = isFloat ? 1e-4 : set == .reference ? 1e-3 : 2 * reference.max_abs_diff
        let difference = reference.largestDifference(to: logits)
        #expect(difference < bound, "\(type), \(set): \(difference), allowed \(bound)")
    }
}
