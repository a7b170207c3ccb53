import HearthBenchKit
import HearthInference
import HearthTestSupport
import HearthWeights
import Testing

@Suite("Bench")
struct BenchTests {
    static func generator(_ name: String = "llama-f32.gguf") async throws -> Generator {
        try await Generator.load(options: ModelOptions(threads: 1)) { try Checkpoint.open(Fixtures.url(name)) }
    }

    @Test("T-96 the same tokens a second time are read as a whole again: nothing is reused")
    func nothingIsReused() async throws {
        let generator = try await Self.generator()
        let run = MeasuredRun((0..<24).map { $0 * 7 % 300 }, batched: 24)
        for result in try await generator.measure([run, run, run], batch: 8) { #expect(result.evaluated == 24) }
        // Neither is what a reply left behind.
        _ = try await generator.generate(GenerationRequest(prompt: run.tokens, sampling: .greedy, limit: 2))
        #expect(try await generator.measure([run], batch: 8).map(\.evaluated) == [24])
    }

    @Test("T-96 tokens of the depth are in the cache and never count as read", arguments: ["llama-f32.gguf", "lfm2-f32.gguf"])
    func depthIsNotCounted(model: String) async throws {
        let generator = try await Self.generator(model)
        let depth: [Int32] = (0..<40).map { $0 * 5 % 300 }
        // The second run begins with the same token as the first, and the third repeats the depth.
        let runs = [
            MeasuredRun([7, 8, 9, 10, 11], batched: 5), MeasuredRun([7, 9, 8], batched: 0),
            MeasuredRun(Array(depth.prefix(12)), batched: 9),
        ]
        #expect(try await generator.measure(runs, behind: depth, batch: 8).map(\.evaluated) == [5, 3, 12])
    }

    @Test("T-96 five requests read five prompts from an empty cache, and a cached prefix is told as such")
    func requests() async throws {
        let bench = Bench(try await Self.generator(), repetitions: 5)
        let rows = try await bench.measure(.request(prompt: 24, tokens: 4), batch: 8)
        #expect(rows.map(\.name.full) == ["ttft24", "tpot4 @ d24"])
        #expect(rows.allSatisfy { $0.name.cached == nil && $0.samples.nanoseconds.count == 5 })

        let prefix = try await bench.measure(.prefix(prompt: 24, cached: 20), batch: 8)
        #expect(prefix.map(\.name.full) == ["ttft24 (0 cached)", "ttft24 (20 cached)"])
        #expect(prefix[0].gain == nil)
        #expect(try #require(prefix[1].gain) > 0)
    }

    @Test("T-97 samples count the tokens that the engine evaluated, one time for each repetition")
    func samples() async throws {
        let bench = Bench(try await Self.generator(), repetitions: 3)
        for (test, count, name) in [
            (BenchTest.prompt(tokens: 32, depth: 0), 32, "pp32"), (.generation(tokens: 5, depth: 16), 5, "tg5 @ d16"),
            (.both(prompt: 8, generation: 4, depth: 16), 12, "pp8+tg4 @ d16"),
        ] {
            let row = try #require(try await bench.measure(test, batch: 8).first)
            #expect(row.name.full == name)
            #expect(row.samples.tokens == count)
            #expect(row.samples.nanoseconds.count == 3)
            #expect(row.samples.nanoseconds.allSatisfy { $0 > 0 })
        }
    }

    static func report(output: Int, first: Duration, decode: Duration) -> (output: Int, timing: GenerationTiming) {
        var timing = GenerationTiming()
        timing.timeToFirstToken = first
        timing.decode = decode
        return (output, timing)
    }

    @Test("T-97 decode speed is tokens after the first over the time after the first, and that time is told apart")
    func afterFirst() {
        let times = RequestTimes([
            Self.report(output: 9, first: .milliseconds(100), decode: .milliseconds(40)),
            Self.report(output: 9, first: .milliseconds(120), decode: .milliseconds(80)),
        ])
        #expect(times.firstToken.nanoseconds == [100_000_000, 120_000_000])
        #expect(times.firstToken.speeds == nil)
        #expect(times.afterFirst.speeds == [200, 100])
    }

    @Test("T-98 a reply of one token or none has no decode speed", arguments: [0, 1])
    func oneOrNone(output: Int) throws {
        let times = RequestTimes([Self.report(output: output, first: .milliseconds(5), decode: .zero)])
        #expect(times.afterFirst.speeds == nil)
        #expect(times.firstToken.nanoseconds == [5_000_000])
    }

    @Test("T-98 a request of one token through the engine is reported as not measured")
    func oneToken() async throws {
        let rows = try await Bench(try await Self.generator(), repetitions: 1)
            .measure(.request(prompt: 8, tokens: 1), batch: 8)
        #expect(rows[1].samples.tokens == 0)
        #expect(rows[1].samples.speeds == nil)
        #expect(rows[0].samples.nanoseconds.allSatisfy { $0 > 0 })
    }

    @Test("sampling is timed as the model's own and greedy, each as a share of a step")
    func sampling() async throws {
        let rows = try await Bench(try await Self.generator(), repetitions: 2).measure(.sampling, batch: 8)
        #expect(rows.map(\.name.full) == ["sample", "sample greedy"])
        for row in rows {
            let share = try #require(row.stepShare)
            #expect(share > 0 && share < 1)
            #expect(row.samples.speeds == nil)
        }
    }

    @Test("more tokens than the context are refused with both numbers, the depth among them")
    func tooLong() async throws {
        let generator = try await Self.generator()
        let (bench, context) = (Bench(generator, repetitions: 1), generator.weights.context)
        for test in [
            BenchTest.prompt(tokens: context + 1, depth: 0), .generation(tokens: 1, depth: context),
            .both(prompt: context, generation: 1, depth: 0), .request(prompt: context, tokens: 1),
        ] {
            await #expect {
                try await bench.measure(test, batch: 8)
            } throws: {
                guard case .promptTooLong(context + 1, let room) = $0 as? InferenceError else { return false }
                return room == context
            }
        }
    }
}
