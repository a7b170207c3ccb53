package import HearthInference

/// Measures one loaded model as llama-bench does.
///
/// * pp N: N random tokens are read into an empty cache in batches; only the last one's logits are computed.
/// * tg N: N random tokens are evaluated one at a time from an empty cache, logits computed each time.
///
/// Each repetition has an empty cache and tokens of its own, so nothing of one run helps the next; one run before them
/// warms up and is not counted.
package struct Bench: Sendable {
    let generator: Generator

    package init(_ generator: Generator) { self.generator = generator }

    package enum Test: Sendable, Equatable {
        case prompt(tokens: Int, batch: Int)
        case generation(tokens: Int)

        var tokens: Int {
            switch self {
            case .prompt(let tokens, _), .generation(let tokens): tokens
            }
        }
        var batch: Int { if case .prompt(_, let batch) = self { batch } else { 1 } }
    }

    package func samples(_ test: Test, repetitions: Int, seed: UInt64 = 1) async throws -> Samples {
        var random = RandomTokens(seed: seed, vocabulary: generator.weights.vocabulary)
        var nanoseconds: [Int64] = []
        var evaluated = test.tokens
        for repetition in 0...repetitions {
            let run = try await generator.measure(random.next(test.tokens), batch: test.batch)
            evaluated = run.evaluated
            if repetition > 0 { nanoseconds.append(Int64(clamping: run.duration.nanoseconds)) }
        }
        return Samples(tokens: evaluated, nanoseconds: nanoseconds)
    }
}

extension Duration {
    /// Whole nanoseconds; a duration of centuries is cut at the end of the type.
    fileprivate var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflow ? .max : product + attoseconds / 1_000_000_000
    }
}
