import Foundation
import HearthInference
import HearthKernelTypes
import HearthKernels
import Testing

/// What is drawn, counted beside probabilities that are computed in Double by the rules of the chain: no arithmetic of the sampler's.
@Suite("How often each token is drawn")
struct DistributionTests {
    static func random(_ seed: UInt64, _ index: Int) -> Float { Float(Philox.uniform(seed: seed, index: UInt64(index))) }

    static let shapes: [(name: String, logits: [Float])] = [
        ("flat", (0..<50).map { random(1, $0) }),
        ("peaked", (0..<40).map { $0 == 11 ? 9 : random(2, $0) * 3 }),
        ("tied", (0..<33).map { (random(3, $0) * 4).rounded() }),
        ("with minus infinity and NaN", (0..<70).map { $0 % 3 == 0 ? -.infinity : $0 % 7 == 0 ? .nan : random(5, $0) * 5 }),
        ("huge", Array(repeating: 3e38, count: 9)),
        ("subnormal", (0..<9).map { Float(bitPattern: UInt32($0 * 3000 + 1)) }),
        ("one", [3]),
    ]

    static let options = [
        SamplingOptions(temperature: 1, topK: 0, topP: 1, minP: 0), SamplingOptions(temperature: 0.01, topK: 0, topP: 1, minP: 0),
        SamplingOptions(temperature: 100, topK: 0, topP: 1, minP: 0), SamplingOptions(temperature: 1, topK: 5, topP: 1, minP: 0),
        SamplingOptions(temperature: 2, topK: 0, topP: 0.8, minP: 0), SamplingOptions(temperature: 1.5, topK: 0, topP: 1, minP: 0.1),
        SamplingOptions(temperature: 0.9, topK: 20, topP: 0.93, minP: 0.02),
    ]

    /// The probability of each token that the filters keep.
    static func probabilities(_ logits: [Float], _ chain: SamplingChain) -> [(id: Int, probability: Double)] {
        var kept = logits.enumerated().filter { $0.element > -.infinity }.sorted { ($1.element, $0.offset) < ($0.element, $1.offset) }
        let best = Double(kept[0].element)
        if chain.topK > 0 { kept = Array(kept.prefix(chain.topK)) }
        if chain.topP < 1 {
            let total = kept.reduce(0) { $0 + exp(Double($1.element) - best) }
            var (reached, count) = (0.0, 0)
            while count < kept.count, reached < Double(chain.topP) * total {
                reached += exp(Double(kept[count].element) - best)
                count += 1
            }
            kept = Array(kept.prefix(count))
        }
        kept = kept.filter { exp(Double($0.element) - best) >= Double(chain.minP) }
        let weights = kept.map { exp((Double($0.element) - best) / Double(chain.temperature)) }
        let sum = weights.reduce(0, +)
        return zip(kept, weights).map { ($0.offset, $1 / sum) }
    }

    @Test("20,000 draws pass the chi-square test, and none is of a token that a filter takes away", arguments: shapes.indices)
    func chiSquare(shape: Int) throws {
        let (name, logits) = Self.shapes[shape]
        let draws = 20_000
        for options in Self.options {
            var options = options
            options.seed = 99
            let chain = try options.resolved()
            var sampler = Sampler(chain, vocabulary: logits.count, compute: Compute(set: .best(for: .current), threads: 1))
            var counts = [Int](repeating: 0, count: logits.count)
            for _ in 0..<draws {
                var copy = logits
                var span = copy.mutableSpan
                counts[Int(try sampler.choose(from: &span).token)] += 1
            }
            // Tokens of fewer than ten draws are one cell.
            var rare = (expected: 0.0, actual: 0.0)
            var (sum, cells, seen) = (0.0, 0.0, 0)
            func add(_ expected: Double, _ actual: Double) {
                sum += (actual - expected) * (actual - expected) / expected
                cells += 1
            }
            for (id, probability) in Self.probabilities(logits, chain) {
                seen += counts[id]
                let expected = probability * Double(draws)
                if expected < 10 {
                    rare = (rare.expected + expected, rare.actual + Double(counts[id]))
                } else {
                    add(expected, Double(counts[id]))
                }
            }
            if rare.expected >= 5 { add(rare.expected, rare.actual) } else { #expect(rare.actual <= rare.expected + 15) }
            #expect(seen == draws, "\(name), \(chain): \(draws - seen) that a filter takes away")
            // The seed is fixed. Five deviations above the mean are beyond what chance gives once in a million.
            let freedom = max(cells - 1, 0)
            #expect(sum <= freedom + 5 * (2 * max(freedom, 1)).squareRoot(), "\(name), \(chain): \(sum) with \(freedom) degrees")
        }
    }
}
