import Foundation
import HearthInference
import HearthTestSupport
import HearthWeights
import Testing

@Suite struct SafetensorsFidelityTests {
    /// The same weights as the float file, so the same bound: float32 sums only.
    @Test("a folder of safetensors gives the exact logits", arguments: ["llama", "qwen2", "qwen3", "gemma3"])
    func folder(name: String) async throws {
        let reference = try Reference.named("\(name)-f32")
        let generator = try await Generator.load(options: .plain) {
            try Checkpoint.open(Fixtures.url("safetensors/\(name)"))
        }
        let difference = reference.largestDifference(to: try await generator.lastLogits(reference.tokens))
        #expect(difference < 1e-4)
        let certain = reference.certain(1e-2)
        #expect(try await generator.greedy(reference.tokens, limit: certain.count) == certain)
    }
}
