import HearthBenchKit
import HearthInference
import HearthTestSupport
import HearthWeights
import Testing

@Suite("Bench")
struct BenchTests {
    static func generator() async throws -> Generator {
        try await Generator.load(options: ModelOptions(threads: 1)) {
            try Checkpoint.open(Fixtures.url("llama-f32.gguf"))
        }
    }

    @Test("T-96 the same tokens a second time are read as a whole again: nothing is reused")
    func nothingIsReused() async throws {
        let generator = try await Self.generator()
        let tokens: [Int32] = (0..<24).map { $0 * 7 % 300 }
        for _ in 0..<3 {
            #expect(try await generator.measure(tokens, batch: 8).evaluated == tokens.count)
        }
        // Neither is what a reply left behind.
        _ = try await generator.generate(GenerationRequest(prompt: tokens, sampling: .greedy, limit: 2))
        #expect(try await generator.measure(tokens, batch: 8).evaluated == tokens.count)
    }

    @Test("T-97 samples count the tokens that the engine evaluated, one time for each repetition")
    func samples() async throws {
        let bench = Bench(try await Self.generator())
        let read = try await bench.samples(.prompt(tokens: 32, batch: 8), repetitions: 3)
        #expect(read.tokens == 32)
        #expect(read.nanoseconds.count == 3)
        #expect(read.nanoseconds.allSatisfy { $0 > 0 })
        let made = try await bench.samples(.generation(tokens: 5), repetitions: 2)
        #expect(made.tokens == 5)
        #expect(made.speeds?.count == 2)
    }

    @Test("more tokens than the context are refused with both numbers")
    func tooLong() async throws {
        let bench = Bench(try await Self.generator())
        await #expect(throws: InferenceError.self) {
            try await bench.samples(.prompt(tokens: 1_000_000, batch: 8), repetitions: 1)
        }
    }
}
