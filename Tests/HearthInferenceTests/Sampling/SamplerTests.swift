import HearthInference
import HearthKernelTypes
import HearthKernels
import HearthTokens
import Synchronization
import Testing

@Suite struct SamplerTests {
    /// One choice from `logits` after `seen`, with everything off that is not asked for.
    func choose(
        _ logits: [Float], _ options: SamplingOptions, seen: [Token] = [], allowed: TokenSet? = nil
    ) throws -> Sampler.Choice {
        var sampler = Sampler(try plain(options), vocabulary: logits.count)
        for token in seen { sampler.note(token) }
        var copy = logits
        var span = copy.mutableSpan
        return try sampler.choose(from: &span, allowed: allowed)
    }

    func plain(_ options: SamplingOptions) throws(InferenceError) -> SamplingChain {
        var options = options
        options.temperature = options.temperature ?? 1
        options.topP = options.topP ?? 1
        options.seed = options.seed ?? 1
        return try options.resolved()
    }

    /// How often each token comes in `draws` draws.
    func counts(_ logits: [Float], _ options: SamplingOptions, draws: Int = 4000) throws -> [Int] {
        var sampler = Sampler(try plain(options), vocabulary: logits.count)
        var counts = Array(repeating: 0, count: logits.count)
        for _ in 0..<draws {
            var copy = logits
            var span = copy.mutableSpan
            counts[Int(try sampler.choose(from: &span).token)] += 1
        }
        return counts
    }

    @Test("a vocabulary beyond what masses can be summed of is refused")
    func hugeVocabulary() throws {
        try Sampler.check(vocabulary: 1 << 21)
        #expect {
            try Sampler.check(vocabulary: (1 << 21) + 1)
        } throws: { "\($0)".contains("`rows of token_embd.weight` is 2097153; supported: 1 to 2097152 tokens.") }
    }

    @Test("T-42 a top-k of 0, or of more than there are, keeps all", arguments: [0, 8, 1000])
    func topKEnds(k: Int) throws {
        let logits: [Float] = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]
        let all = try counts(logits, SamplingOptions(topK: k))
        #expect(all.allSatisfy { $0 > 200 })
        #expect(try counts(logits, SamplingOptions(topK: 3)).prefix(5) == [0, 0, 0, 0, 0])
        #expect(try counts(logits, SamplingOptions(topK: 1))[7] == 4000)
    }

    @Test("T-43 a top-p of almost nothing keeps the first, of 1 everything", arguments: [0, 1e-9, 1] as [Float])
    func topPEnds(p: Float) throws {
        let counts = try counts([3, 1, 0, -1], SamplingOptions(topP: p))
        if p == 1 {
            #expect(counts.allSatisfy { $0 > 0 })
        } else {
            #expect(counts == [4000, 0, 0, 0])
        }
    }

    @Test("top-p keeps the candidate that crosses it and none after")
    func topPCrossing() throws {
        // Probabilities 0.5, 0.25, 0.125, 0.125: 0.7 is crossed by the second.
        let logits: [Float] = [0, -0.6931472, -1.3862944, -1.3862944]
        let kept = try counts(logits, SamplingOptions(topP: 0.7))
        #expect(kept[0] > 0 && kept[1] > 0 && kept[2] == 0 && kept[3] == 0)
    }

    @Test("T-44 no usable logit is an error, and one NaN has probability 0")
    func unusableLogits() throws {
        for bad in [-Float.infinity, .nan, .infinity] {
            let logits = Array(repeating: bad, count: 8)
            for options in [SamplingOptions.greedy, SamplingOptions(), SamplingOptions(topK: 2)] {
                let error = #expect(throws: InferenceError.self) { try choose(logits, options) }
                guard case .noUsableLogits(let unusable, 8, 0) = error else {
                    Issue.record("\(String(describing: error))")
                    continue
                }
                #expect(unusable == (bad == -.infinity ? 0 : 8))
            }
        }
        var sampler = Sampler(try plain(SamplingOptions()), vocabulary: 8)
        for _ in 0..<500 {
            var logits: [Float] = [1, 1, 1, .nan, 1, 1, 1, 1]
            var span = logits.mutableSpan
            let choice = try sampler.choose(from: &span)
            #expect(choice.token != 3)
            #expect(abs(choice.logProbability - -1.9459101) < 1e-5)  // ln(1/7)
        }
        #expect(sampler.unusableLogits == 500)
    }

    @Test("T-45 temperature 0 takes the lowest id of equals, whatever the seed", arguments: [1, 2] as [UInt64])
    func greedy(seed: UInt64) throws {
        #expect(try choose([1, 5, 5, 0], SamplingOptions(temperature: 0, seed: seed)).token == 1)
    }

    @Test("T-46 the repetition penalty lowers a negative logit too")
    func repetitionPenalty() throws {
        var sampler = Sampler(try plain(SamplingOptions(repetitionPenalty: 1.5)), vocabulary: 2)
        sampler.note(0)
        sampler.note(1)
        sampler.note(1)
        var logits: [Float] = [-2, 2]
        var span = logits.mutableSpan
        _ = try sampler.choose(from: &span)
        #expect(logits == [-3, 2 / 1.5])
    }

    @Test("presence counts once and frequency every time, over the last 64 tokens only")
    func presenceAndFrequency() throws {
        var sampler = Sampler(
            try plain(SamplingOptions(frequencyPenalty: 0.25, presencePenalty: 1)), vocabulary: 4)
        for token in [0, 1, 1, 2] as [Token] { sampler.note(token) }
        var logits: [Float] = [4, 4, 4, 4]
        var span = logits.mutableSpan
        _ = try sampler.choose(from: &span)
        #expect(logits == [2.75, 2.5, 2.75, 4])

        var late = Sampler(try plain(SamplingOptions(presencePenalty: 1)), vocabulary: 4)
        late.note(0)
        for _ in 0..<64 { late.note(1) }
        logits = [4, 4, 4, 4]
        var lateSpan = logits.mutableSpan
        _ = try late.choose(from: &lateSpan)
        #expect(logits == [4, 3, 4, 4])
    }

    @Test("the reported probability is the model's own, before penalty and temperature")
    func logProbability() throws {
        let choice = try choose(
            [0, 1, -5], SamplingOptions(temperature: 0, repetitionPenalty: 1.01), seen: [1])
        // ln(e / (1 + e + e^-5))
        #expect(choice.token == 1)
        #expect(abs(choice.logProbability - -0.3150708) < 1e-5)
    }

    @Test("a mask is obeyed, and one that leaves nothing is an error")
    func mask() throws {
        var allowed = TokenSet(count: 4)
        allowed.insert(2)
        #expect(try choose([9, 8, 1, 0], SamplingOptions(temperature: 0), allowed: allowed).token == 2)
        #expect(try choose([9, 8, 1, 0], SamplingOptions(), allowed: allowed).token == 2)
        let error = #expect(throws: InferenceError.self) {
            try choose([9, 8, -.infinity, 0], SamplingOptions(), allowed: allowed)
        }
        guard case .noTokenAllowed(0) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("a temperature near 0 is nearly greedy and divides nothing into NaN", arguments: [1e-3, 1e-30, 1e-44].map { Float($0) })
    func smallTemperature(temperature: Float) throws {
        #expect(try counts([1, 5, 4.9, 0], SamplingOptions(temperature: temperature), draws: 100) == [0, 100, 0, 0])
    }

    @Test("the set of kernels and the number of threads do not change a choice or a probability")
    func sets() throws {
        let computes = KernelSet.allCases.filter { $0.runs(on: .current) }.flatMap { set in
            [1, 2].map { Compute(set: set, threads: $0) }
        }
        for (round, options) in [
            SamplingOptions.greedy, SamplingOptions(temperature: 0.8, topK: 40, topP: 0.95), SamplingOptions(topP: 0.9),
            SamplingOptions(temperature: 1.5, topP: 1), SamplingOptions(temperature: 0.5, topP: 1, minP: 0.02, repetitionPenalty: 1.2),
        ].enumerated() {
            var options = options
            options.seed = UInt64(round)
            let chain = try options.resolved()
            let size = 40_000
            let logits = (0..<size).map { Float(Philox.uniform(seed: 5, index: UInt64($0 + round * size))) * 14 }
            let choices = try computes.map { compute in
                var sampler = Sampler(chain, vocabulary: size, compute: compute)
                return try (0..<20).map { _ in
                    var copy = logits
                    var span = copy.mutableSpan
                    let choice = try sampler.choose(from: &span)
                    return [UInt32(choice.token), choice.logProbability.bitPattern]
                }
            }
            #expect(choices.allSatisfy { $0 == choices[0] }, "\(options)")
        }
    }

    /// Numbers of a vocabulary of 262,144 that each of some choices goes over, on average, in vocabularies.
    func passes(_ logits: [Float], _ options: SamplingOptions) throws -> Double {
        let compute = Compute(set: .best(for: .current), threads: 2)
        var sampler = Sampler(try plain(options), vocabulary: logits.count, compute: compute)
        let choices = 8
        for _ in 0..<choices {
            var copy = logits
            var span = copy.mutableSpan
            _ = try sampler.choose(from: &span)
        }
        return Double(compute.counters.drawNumbers.load(ordering: .relaxed)) / Double(logits.count * choices)
    }

    @Test("where some tokens stand out, no filter and no draw goes through a large vocabulary after it was summed")
    func peaked() throws {
        let logits = (0..<262_144).map { id -> Float in
            let noise = Float(Philox.uniform(seed: 3, index: UInt64(id))) * 8
            return id % 5000 == 77 ? noise + 16 : noise
        }
        for options in [
            SamplingOptions(topK: 40), SamplingOptions(topP: 0.95), SamplingOptions(topK: 40, topP: 0.95), SamplingOptions(topP: 1, minP: 0.05),
            SamplingOptions(temperature: 0.7, topP: 0.9, minP: 0.01), SamplingOptions(temperature: 1, topP: 1),
        ] {
            // The highest, and the sum; some tenths for the tokens that were collected.
            #expect(try passes(logits, options) < 2.3, "\(options)")
        }
        #expect(try passes(logits, SamplingOptions(temperature: 0.7, topP: 1)) < 3.3)
        #expect(try passes(logits, .greedy) == 2)
    }

    @Test("a flat vocabulary of 262,144 is drawn from in linear time, whatever the chain")
    func flat() throws {
        // Every token is a candidate, equals among them: where sorting or an unlucky choice of pivots would show.
        let size = 262_144
        let kinds: [(Int) -> Float] = [
            { _ in 1 }, { id in Float(id % 1000) * 1e-4 }, { id in Float(id % 2) },
            { id in Float(Philox.uniform(seed: 4, index: UInt64(id))) },
        ]
        for kind in kinds {
            let logits = (0..<size).map(kind)
            for options in [SamplingOptions(topP: 0.95), SamplingOptions(temperature: 2, topP: 1), SamplingOptions(topK: 100_000)] {
                #expect(try passes(logits, options) < 10, "\(options)")
            }
        }
    }
}
