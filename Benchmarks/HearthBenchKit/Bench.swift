package import HearthInference
import HearthTokens

/// Measures one loaded model, as llama-bench does where it has the test too.
///
/// * pp N: N random tokens are read in batches; only the last one's logits are computed.
/// * tg N: N random tokens are evaluated one at a time, logits computed each time.
///
/// Each repetition has tokens of its own behind a cache that holds the depth's and nothing else, so nothing of one run helps
/// the next; one run before them warms up and is not counted.
package struct Bench: Sendable {
    let generator: Generator
    let repetitions: Int

    package init(_ generator: Generator, repetitions: Int) {
        self.generator = generator
        self.repetitions = repetitions
    }

    /// One row's figures.
    package struct Measured: Sendable {
        package var name: RowName
        package var samples: Samples
        /// How many times sooner than without the cache.
        package var gain: Double?
        /// Share of a decode step.
        package var stepShare: Double?

        package init(name: RowName, samples: Samples, gain: Double? = nil, stepShare: Double? = nil) {
            self.name = name
            self.samples = samples
            self.gain = gain
            self.stepShare = stepShare
        }
    }

    /// Tokens of the warm-up's part that goes one by one: code, tables and caches are warm long before.
    private static let warmUpTokens = 16

    /// - Throws: `InferenceError` where the model has no room for it, `BenchError.reused`; `CancellationError`.
    package func measure(_ test: BenchTest, batch: Int, seed: UInt64 = 1) async throws -> [Measured] {
        let context = generator.weights.context
        guard test.positions <= context else {
            throw InferenceError.promptTooLong(tokens: test.positions, context: context)
        }
        var random = RandomTokens(seed: seed, vocabulary: generator.weights.vocabulary)
        switch test {
        case .prompt(let tokens, let depth):
            let samples = try await evaluate(prompt: tokens, single: 0, behind: depth, batch, &random)
            return [Measured(name: .prompt(tokens, depth: depth), samples: samples)]
        case .generation(let tokens, let depth):
            let samples = try await evaluate(prompt: 0, single: tokens, behind: depth, batch, &random)
            return [Measured(name: .generation(tokens, depth: depth), samples: samples)]
        case .both(let prompt, let tokens, let depth):
            let samples = try await evaluate(prompt: prompt, single: tokens, behind: depth, batch, &random)
            return [Measured(name: .both(prompt, tokens, depth: depth), samples: samples)]
        case .request(let prompt, let tokens): return try await request(prompt, tokens, &random)
        case .prefix(let prompt, let cached): return try await prefix(prompt, cached, &random)
        case .sampling: return try await SamplingCost(generator, repetitions: repetitions).measure(&random)
        }
    }

    private func evaluate(
        prompt: Int, single: Int, behind depth: Int, _ batch: Int, _ random: inout RandomTokens
    ) async throws -> Samples {
        let before = random.next(depth)
        var runs = [MeasuredRun(random.next(prompt + min(single, Self.warmUpTokens)), batched: prompt)]
        for _ in 0..<repetitions { runs.append(MeasuredRun(random.next(prompt + single), batched: prompt)) }
        let results = try await generator.measure(runs, behind: before, batch: batch).dropFirst()
        return Samples(
            tokens: results.first?.evaluated ?? 0, nanoseconds: results.map { $0.duration.wholeNanoseconds })
    }

    /// Whole requests: greedy or not is the model's own default.
    private func request(_ prompt: Int, _ tokens: Int, _ random: inout RandomTokens) async throws -> [Measured] {
        var reports: [GenerationReport] = []
        for repetition in 0...repetitions {
            let report = try await fresh(random.next(prompt), limit: tokens, seed: UInt64(repetition))
            if repetition > 0 { reports.append(report) }
        }
        let times = RequestTimes(reports)
        return [
            Measured(name: .firstToken(prompt), samples: times.firstToken),
            Measured(name: .eachToken(tokens, behind: prompt), samples: times.afterFirst),
        ]
    }

    private func prefix(_ prompt: Int, _ cached: Int, _ random: inout RandomTokens) async throws -> [Measured] {
        var without: [GenerationReport] = []
        var with: [GenerationReport] = []
        for repetition in 0...repetitions {
            let tokens = random.next(prompt)
            let cold = try await fresh(tokens, limit: 1, seed: 0)
            _ = try await fresh(Array(tokens.prefix(cached)), limit: 0, seed: 0)
            let warm = try await generator.generate(request(tokens, limit: 1, seed: 0))
            if repetition > 0 {
                without.append(cold)
                with.append(warm)
            }
        }
        let (cold, warm) = (RequestTimes(without).firstToken, RequestTimes(with).firstToken)
        let gain = Samples.median(cold.nanoseconds.map(Double.init)) / Samples.median(warm.nanoseconds.map(Double.init))
        return [
            Measured(name: .firstToken(prompt, cached: 0), samples: cold),
            // What the engine found in its cache, which may be less than was put there.
            Measured(
                name: .firstToken(prompt, cached: with.map(\.cached).min() ?? 0), samples: warm,
                gain: gain.isFinite ? gain : nil),
        ]
    }

    /// A request that finds nothing cached.
    private func fresh(_ prompt: [Token], limit: Int, seed: UInt64) async throws -> GenerationReport {
        await generator.removeCache()
        let report = try await generator.generate(request(prompt, limit: limit, seed: seed))
        guard report.cached == 0 else { throw BenchError.reused(tokens: report.cached, of: report.input) }
        return report
    }

    private func request(_ prompt: [Token], limit: Int, seed: UInt64) -> GenerationRequest {
        GenerationRequest(prompt: prompt, sampling: SamplingOptions(seed: seed), limit: limit)
    }
}

/// What requests took, by the engine's own count of tokens.
package struct RequestTimes: Sendable {
    /// From the tokenised prompt to the first token.
    package let firstToken: Samples
    /// Tokens after the first and the time after the first; without a speed where there are none.
    package let afterFirst: Samples

    init(_ reports: [GenerationReport]) {
        self.init(reports.map { ($0.output, $0.timing) })
    }

    /// - Parameter requests: tokens of each reply, and its times.
    package init(_ requests: [(output: Int, timing: GenerationTiming)]) {
        firstToken = Samples(tokens: 1, nanoseconds: requests.map { $0.timing.timeToFirstToken.wholeNanoseconds })
        // Nothing ends these replies but their limit; were they of different lengths, no single count would be true.
        let outputs = Set(requests.map(\.output))
        let after = outputs.count == 1 ? max(0, outputs.first! - 1) : 0
        afterFirst = Samples(tokens: after, nanoseconds: requests.map { $0.timing.decode.wholeNanoseconds })
    }
}

extension Duration {
    /// Whole nanoseconds; a duration of centuries is cut at the end of the type.
    var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? .max : product + attoseconds / 1_000_000_000
    }
}
