import HearthInference
import HearthKernelTypes
import HearthKernels
import HearthTokens
import Testing

/// The sampler beside a plain twin that sorts everything: the same token, always.
@Suite struct SamplerTwinTests {
    /// Logits of all kinds, by name; each from random numbers.
    static let kinds: [(name: String, logit: @Sendable (Int, Float) -> Float)] = [
        ("flat", { _, random in random * 2 }),
        ("wide", { _, random in random * 60 }),
        ("all equal", { _, _ in -3.25 }),
        ("two neighbours", { _, random in random < 0.5 ? 7 : Float(7).nextDown }),
        ("ties", { _, random in (random * 20).rounded() }),
        ("ties among minus infinity", { id, random in id % 3 == 0 ? (random * 9).rounded() : -.infinity }),
        ("nearly all masked", { id, random in id % 1001 == 5 ? random * 3 : -.infinity }),
        ("one peak", { id, random in id == 3 ? 40 : random * 8 }),
        ("few peaks", { id, random in id % 10_000 == 7 ? 20 + random : random * 8 }),
        ("periodic", { id, _ in Float(id % 128) * 0.05 }),
        ("huge range", { id, random in (random - 0.5) * 2 * 3e38 * (id % 2 == 0 ? 1 : 1e-30) }),
        ("the ends of the range", { id, _ in id % 2 == 0 ? .greatestFiniteMagnitude : -.greatestFiniteMagnitude }),
        ("subnormal", { _, random in (random - 0.5) * 1e-37 * 0x1p-10 }),
        ("zeros of both signs", { id, random in random < 0.3 ? -1 : id % 2 == 0 ? 0 : -0.0 }),
        ("geometric", { _, random in -Float(sign: .plus, exponent: Int(random * 200) - 100, significand: 1 + random) }),
        ("descending", { id, _ in -Float(id) * 1e-3 }),
    ]

    static func chains(_ seed: UInt64) throws -> [SamplingChain] {
        func random(_ index: UInt64) -> Float { Float(Philox.uniform(seed: seed, index: index)) }
        var all: [SamplingOptions] = []
        for topK in [0, 1, 40, 5000] {
            for topP in [0, 0.5 + random(1) / 2, 0.95, 1] as [Float] {
                for minP in [0, random(2) * 0.2] {
                    all.append(SamplingOptions(topK: topK, topP: topP, minP: minP))
                }
            }
        }
        return try all.enumerated().map { index, options in
            var options = options
            options.temperature = [1, 0.7, .leastNonzeroMagnitude, 0.05, 3, 1e30][(index + Int(seed)) % 6]
            options.seed = seed + UInt64(index)
            return try options.resolved()
        }
    }

    static func logits(_ size: Int, _ seed: UInt64, _ logit: (Int, Float) -> Float) -> [Float] {
        (0..<size).map { logit($0, Float(Philox.uniform(seed: seed, index: UInt64($0)))) }
    }

    @Test("every chain chooses what a plain sort chooses, from few logits", arguments: kinds.indices)
    func small(kind: Int) throws {
        for size in [1, 2, 7, 16, 17, 100, 1000, 5000] {
            try compare(Self.logits(size, UInt64(kind * 10 + size), Self.kinds[kind].logit), kind, try Self.chains(UInt64(size)))
        }
    }

    @Test("every chain chooses what a plain sort chooses, from a vocabulary", arguments: kinds.indices)
    func large(kind: Int) throws {
        for size in [49_152, 262_144] {
            // Every chain with one of the kinds, a few of them with each.
            let chains = try Self.chains(UInt64(kind))
            let some = kind < 2 ? chains : chains.indices.filter { $0 % 8 == kind % 8 }.map { chains[$0] }
            try compare(Self.logits(size, UInt64(kind), Self.kinds[kind].logit), kind, some)
        }
    }

    private func compare(_ logits: [Float], _ kind: Int, _ chains: [SamplingChain]) throws {
        guard logits.contains(where: { $0 > -.infinity }) else { return }
        let twin = PlainSampler(logits)
        let compute = Compute(set: .best(for: .current), threads: 2)
        for chain in chains {
            var sampler = Sampler(chain, vocabulary: logits.count, compute: compute)
            let draws = logits.count > 10_000 ? 2 : 4
            for draw in 0..<draws {
                var copy = logits
                var span = copy.mutableSpan
                let choice = try sampler.choose(from: &span)
                let expected = twin.choose(chain, draw: draw)
                #expect(
                    choice.token == expected,
                    "\(Self.kinds[kind].name), \(logits.count) logits, draw \(draw), \(chain): \(choice.token)")
            }
        }
    }
}

/// The chain over a fully sorted vocabulary, written down as its rule is: masses are summed one by one.
struct PlainSampler {
    private let sorted: [(offset: Int, element: Float)]
    private let compute = Compute(set: .reference, threads: 1)

    init(_ logits: [Float]) {
        sorted = logits.enumerated().filter { $0.element > -.infinity }
            .sorted { ($1.element, $0.offset) < ($0.element, $1.offset) }
    }

    /// Weights in fixed point, as integers.
    private func masses(_ count: Int, scale: Float) -> [UInt64] {
        let law = DrawLaw(below: sorted[0].element, scale: scale)
        let values = sorted.prefix(count).map(\.element)
        var weights = [Float](repeating: 0, count: count)
        unsafe compute.drawWeights(values, law, count: count, into: &weights)
        return weights.map { UInt64((Double($0) * 0x1p42).rounded(.toNearestOrEven)) }
    }

    func choose(_ chain: SamplingChain, draw: Int) -> Token {
        let best = sorted[0].element
        var kept = sorted.count
        if chain.topK > 0 { kept = min(kept, chain.topK) }
        if chain.topP < 1 {
            let masses = masses(kept, scale: 1)
            let share = UInt64((Double(chain.topP) * Double(masses.reduce(0, +))).rounded(.up))
            var (reached, count) = (masses[0], 1)
            while reached < share, count < masses.count {
                reached += masses[count]
                count += 1
            }
            kept = count
        }
        if chain.minP > 0 {
            let least = Float(Double(best) + Mathematics.log(Double(chain.minP)))
            kept = sorted.prefix(kept).prefix { $0.element >= least }.count
        }
        let masses = masses(kept, scale: min(1 / chain.temperature, .greatestFiniteMagnitude))
        let target = UInt64(Philox.uniform(seed: chain.seed, index: UInt64(draw)) * Double(masses.reduce(0, +)))
        var reached: UInt64 = 0
        for (candidate, mass) in zip(sorted, masses) {
            reached += mass
            if reached > target { return Token(candidate.offset) }
        }
        return Token(sorted[kept - 1].offset)
    }
}
