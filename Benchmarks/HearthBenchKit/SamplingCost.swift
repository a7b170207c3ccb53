import HearthInference
import HearthLocks
import HearthTokens

/// What choosing a token costs beside evaluating one: real logits of the model, its own sampling and greedy.
struct SamplingCost {
    /// Rows of logits that are chosen from in one repetition, and tokens of the decode steps beside them.
    static let tokens = 16

    private let generator: Generator
    private let repetitions: Int

    init(_ generator: Generator, repetitions: Int) {
        self.generator = generator
        self.repetitions = repetitions
    }

    func measure(_ random: inout RandomTokens) async throws -> [Bench.Measured] {
        let rows = Locked<[[Float]]>([])
        _ = try await generator.score(random.next(Self.tokens)) { _, logits in
            var row: [Float] = []
            row.reserveCapacity(logits.count)
            for id in logits.indices { row.append(logits[id]) }
            rows.withLock { $0.append(row) }
        }
        let logits = rows.withLock { $0 }
        var runs: [MeasuredRun] = []
        for _ in 0...repetitions { runs.append(MeasuredRun(random.next(Self.tokens), batched: 0)) }
        let steps = try await generator.measure(runs, batch: 1).dropFirst()
        let step = Samples.median(steps.map { Double($0.duration.wholeNanoseconds) / Double($0.evaluated) })

        return try [("sample", SamplingOptions(seed: 1)), ("sample greedy", .greedy)].map { name, options in
            let samples = try samples(options.resolved(over: generator.weights.samplingDefaults), logits)
            let choice = Samples.median(samples.nanoseconds.map(Double.init))
            return Bench.Measured(
                name: RowName(text: name, isTime: true), samples: samples, stepShare: step > 0 ? choice / (choice + step) : nil)
        }
    }

    /// Nanoseconds of one choice: the mean over the rows, once per repetition.
    private func samples(_ chain: SamplingChain, _ logits: [[Float]]) throws -> Samples {
        var nanoseconds: [Int64] = []
        for repetition in 0...repetitions {
            var sampler = Sampler(
                chain, vocabulary: generator.weights.vocabulary, compute: generator.weights.compute)
            var total = Duration.zero
            for row in logits {
                var row = row  // changed on the way
                try Task.checkCancellation()
                row[0] += 0  // the copy is made before the clock starts
                let start = ContinuousClock.now
                var span = row.mutableSpan
                _ = try sampler.choose(from: &span)
                total += .now - start
            }
            if repetition > 0 { nanoseconds.append(total.wholeNanoseconds / Int64(max(1, logits.count))) }
        }
        return Samples(tokens: 1, nanoseconds: nanoseconds)
    }
}
