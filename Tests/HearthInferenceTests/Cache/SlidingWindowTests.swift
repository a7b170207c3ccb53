import HearthInference
import HearthTestSupport
import HearthTokens
import Testing

@Suite struct SlidingWindowTests {
    /// Windows of 8, so that 20 tokens turn them over twice; the cells that a shorter prefix needs must still be right.
    @Test(
        "T-40 a window that has turned over gives what a cold run gives",
        arguments: ["gemma2-f32", "gemma3-f32"], [15, 9, 1])
    func turnedOver(name: String, shared: Int) async throws {
        let first = tokens(20, seed: 1)
        let second = Array(first.prefix(shared)) + tokens(6, seed: 2)
        let warm = try await Generator.fixture(name)
        _ = try await warm.generate(GenerationRequest(prompt: first, sampling: .greedy, limit: 4))
        let again = try await warm.generate(GenerationRequest(prompt: second, sampling: .greedy, limit: 8))
        let cold = try await Generator.fixture(name).generate(
            GenerationRequest(prompt: second, sampling: .greedy, limit: 8))
        #expect(again.cached == shared && cold.cached == 0)
        #expect(again.tokens == cold.tokens)

        // The logits themselves, bit for bit: the shared part first, then the rest behind it.
        let split = try await Generator.fixture(name).score(second, split: shared, keepLogits: true)
        let whole = try await Generator.fixture(name).score(second, keepLogits: true)
        #expect(Array(split.logits.suffix(split.vocabulary)) == Array(whole.logits.suffix(whole.vocabulary)))
    }
}
