import HearthInference
import HearthKernelTypes
import HearthTokens
import Testing

/// Guesses from earlier text: faster where they are right, and never another reply.
@Suite struct PromptLookupTests {
    struct Reply: Equatable {
        var tokens: [Token]
        var logProbabilities: [UInt32]
        var finishReason: FinishReason
        var evaluated: Int
    }

    func reply(
        _ generator: Generator, _ prompt: [Token], guesses: Int, limit: Int = 100, sampling: SamplingOptions = .greedy,
        stopAt: Int = .max
    ) async throws -> (Reply, GenerationReport) {
        let seen = Notes<UInt32>()
        var request = GenerationRequest(prompt: prompt, sampling: sampling, limit: limit)
        request.guesses = guesses
        let report = try await generator.generate(request) { step in
            guard case .token(_, let logProbability) = step else { return .goOn }
            seen.add(logProbability.bitPattern)
            return seen.all.count == stopAt ? .stop : .goOn
        }
        return (
            Reply(
                tokens: report.tokens, logProbabilities: seen.all, finishReason: report.finishReason, evaluated: report.evaluated),
            report
        )
    }

    @Test(
        "guesses save passes and change neither tokens nor probabilities",
        arguments: ["llama-f32", "quant-q4_1", "gemma2-f32", "gemma3-f32", "qwen3moe-f32", "gpt-oss-mxfp4"])
    func sameReply(name: String) async throws {
        let generator = try await Generator.fixture(name, ModelOptions(kv: .f16, threads: 2))
        var right = 0
        for seed in 1...4 {
            // A prompt that says everything three times over.
            let prompt = Array(repeatElement(tokens(7, seed: seed), count: 3).joined())
            let (plain, _) = try await reply(generator, prompt, guesses: 0)
            await generator.removeCache()
            for guesses in [1, 3, 7, 15] {
                let (guessed, report) = try await reply(generator, prompt, guesses: guesses)
                #expect(guessed == plain, "\(name), seed \(seed), \(guesses) guesses")
                #expect(report.forwardPasses == 1 + (report.output - 1) - report.guessedRight)
                #expect(report.guessedRight <= report.guessed)
                right += report.guessedRight
                await generator.removeCache()
            }
        }
        // Small random models go round in circles: there is something to find.
        #expect(right > 0)
    }

    @Test("what keeps guesses from being made is told beforehand, and is what keeps them")
    func obstacles() async throws {
        let penalised = SamplingOptions(temperature: 0, repetitionPenalty: 1.1)
        let rows: [(String, ModelOptions, SamplingOptions, GuessObstacle?)] = [
            ("llama-f32", .plain, .greedy, nil),
            ("llama-f32", .plain, SamplingOptions(), .drawn(temperature: 0.7)),
            ("llama-f32", .plain, SamplingOptions(temperature: 0.25), .drawn(temperature: 0.25)),
            ("llama-f32", .plain, penalised, .penalties),
            ("llama-f32", .plain.with { $0.backend = .blas }, .greedy, .blas),
            ("lfm2-f32", .plain, .greedy, .state),
        ]
        for (name, options, sampling, obstacle) in rows {
            let generator = try await Generator.fixture(name, options)
            #expect(try generator.weights.obstacleToGuesses(sampling) == obstacle, "\(name), \(sampling)")
            // Everything three times over: there is something to guess.
            let prompt = Array(repeatElement(tokens(7, seed: 1), count: 3).joined())
            let (_, report) = try await reply(generator, prompt, guesses: 7, sampling: sampling)
            #expect((report.guessed > 0) == (obstacle == nil), "\(name), \(sampling): \(report.guessed) guesses")
        }
        let weights = try await Generator.fixture("llama-f32").weights
        #expect(try weights.obstacleToGuesses(.greedy, isConstrained: true) == .constraint)
    }

    @Test("a reply that ends among guesses leaves the cache that it leaves without them", arguments: 1...12)
    func ends(length: Int) async throws {
        let generator = try await Generator.fixture("llama-f32")
        let prompt = Array(repeatElement(tokens(7, seed: 3), count: 3).joined())
        for stops in [false, true] {
            var cached: [Int] = []
            for guesses in [0, 15] {
                await generator.removeCache()
                let (first, _) = try await reply(
                    generator, prompt, guesses: guesses, limit: stops ? 100 : length, stopAt: stops ? length : .max)
                #expect(first.tokens.count == length)
                let (_, next) = try await reply(generator, prompt + first.tokens + [1, 2, 3], guesses: guesses, limit: 1)
                cached.append(next.cached)
            }
            #expect(cached[0] == cached[1] && cached[0] == prompt.count + length - 1)
        }
    }

    @Test("nothing is guessed for a draw, with penalties or where the state cannot go back")
    func noGuesses() async throws {
        let prompt = Array(repeatElement(tokens(7, seed: 3), count: 3).joined())
        for (name, sampling) in [
            ("llama-f32", SamplingOptions(temperature: 1, seed: 1)),
            ("llama-f32", SamplingOptions(temperature: 0, repetitionPenalty: 1.1)), ("lfm2-f32", .greedy),
        ] {
            let generator = try await Generator.fixture(name)
            let (_, report) = try await reply(generator, prompt, guesses: 7, sampling: sampling)
            #expect(report.guessed == 0 && report.output == 100)
        }
        let generator = try await Generator.fixture("llama-f32")
        for guesses in [-1, 16] {
            let error = await #expect(throws: InferenceError.self) { try await reply(generator, prompt, guesses: guesses) }
            guard case .badOption(name: "guesses", _, "0 to 15") = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
    }
}
