import HearthKernels
package import HearthTokens

/// Chooses tokens for one request: a mask, then penalties, top-k, top-p, min-p, temperature and the draw, in this order
/// (design D18).
///
/// Probabilities are Float32 with `Mathematics.exp`, never libm's, and candidates stand in the order (value, id), so the
/// same logits and seed give the same token on every machine. It allocates when it is made and not per token.
package struct Sampler: Sendable {
    package let chain: SamplingChain
    /// Logits that were NaN or plus infinity and so took no part, over all steps: reported once, with the report.
    package private(set) var unusableLogits = 0
    /// Numbers drawn so far; the next draw has this one as its counter.
    package private(set) var draws: UInt64 = 0

    /// The last tokens of prompt and reply, a ring of `SamplingChain.penaltyWindow`.
    private var recent: [Token] = []
    private var oldest = 0
    /// Logits that the penalties changed, as they were.
    private var unpenalised: [Candidate] = []
    private var candidates: Candidates

    /// What was chosen, and how likely the model held it: the logarithm of its probability before any of the chain.
    package struct Choice: Equatable, Sendable {
        package var token: Token
        package var logProbability: Float
    }

    package init(_ chain: SamplingChain, vocabulary: Int) {
        self.chain = chain
        candidates = Candidates(capacity: chain.isGreedy ? 0 : vocabulary)
        recent.reserveCapacity(SamplingChain.penaltyWindow)
        unpenalised.reserveCapacity(SamplingChain.penaltyWindow)
    }

    /// Records a token of the prompt or of the reply for the penalties.
    package mutating func note(_ token: Token) {
        if recent.count < SamplingChain.penaltyWindow {
            recent.append(token)
        } else {
            recent[oldest] = token
            oldest = (oldest + 1) % SamplingChain.penaltyWindow
        }
    }

    /// Chooses a token and notes it. `logits`, one per token of the vocabulary, are changed on the way.
    ///
    /// - Throws: `noUsableLogits` where every logit is NaN or infinite, `noTokenAllowed` where the mask leaves none.
    package mutating func choose(
        from logits: inout MutableSpan<Float>, allowed: TokenSet? = nil
    ) throws(InferenceError) -> Choice {
        // Set aside what no probability can be given to.
        var unusable = 0
        for id in logits.indices where logits[id].isNaN || logits[id] == .infinity {
            logits[id] = -.infinity
            unusable += 1
        }
        let highest = logits[Int(Self.best(logits.span))]
        guard highest > -.infinity else {
            throw .noUsableLogits(unusable: unusable, vocabulary: logits.count, step: Int(draws))
        }
        unusableLogits += unusable
        let normaliser = Self.logSumExp(logits.span, highest: highest)

        // Take away what the constraint forbids.
        if let allowed {
            var left = false
            for id in logits.indices {
                if !allowed.contains(Token(truncatingIfNeeded: id)) {
                    logits[id] = -.infinity
                } else if logits[id] > -.infinity {
                    left = true
                }
            }
            guard left else { throw .noTokenAllowed(step: Int(draws)) }
        }

        penalise(&logits)
        let token = chain.isGreedy ? Self.best(logits.span) : draw(logits.span)
        var logit = logits[Int(token)]
        for before in unpenalised where before.id == token { logit = before.value }
        draws += 1
        note(token)
        return Choice(token: token, logProbability: logit - normaliser)
    }

    /// The highest logit, the lowest id of equals.
    package static func best(_ logits: Span<Float>) -> Token {
        var best = 0
        var highest = -Float.infinity
        for id in logits.indices where logits[id] > highest {
            highest = logits[id]
            best = id
        }
        return Token(truncatingIfNeeded: best)
    }

    /// Natural logarithm of the sum of exp(logit): a log-probability is its logit minus this.
    package static func logSumExp(_ logits: Span<Float>, highest: Float? = nil) -> Float {
        let highest = highest ?? logits[Int(best(logits))]
        return Float(Double(highest) + Mathematics.log(sum(logits, below: highest, temperature: 1)))
    }

    /// Sum of exp((logit - highest) / temperature), in the order of ids.
    fileprivate static func sum(_ logits: Span<Float>, below highest: Float, temperature: Float) -> Double {
        var sum = 0.0
        for id in logits.indices { sum += Double(probability(logits[id] - highest, temperature)) }
        return sum
    }

    /// Share of a candidate relative to the best one's: exp of its distance, Float32.
    @inline(__always)
    fileprivate static func probability(_ distance: Float, _ temperature: Float = 1) -> Float {
        Float(Mathematics.exp(Double(distance / temperature)))
    }

    /// Lowers the logits of recent tokens: the repetition penalty once per token (T-46), presence once, frequency by count.
    private mutating func penalise(_ logits: inout MutableSpan<Float>) {
        unpenalised.removeAll(keepingCapacity: true)
        guard chain.hasPenalties else { return }
        for place in recent.indices {
            let token = recent[place]
            let id = Int(token)
            guard id >= 0, id < logits.count, logits[id] > -.infinity else { continue }
            var occurrences: Float = 0
            var isFirst = true
            for other in recent.indices where recent[other] == token {
                occurrences += 1
                if other < place { isFirst = false }
            }
            guard isFirst else { continue }
            let value = logits[id]
            unpenalised.append(Candidate(value: value, id: token))
            let repeated = value > 0 ? value / chain.repetitionPenalty : value * chain.repetitionPenalty
            logits[id] = repeated - chain.presencePenalty - occurrences * chain.frequencyPenalty
        }
    }
}

extension Sampler {
    /// Top-k, top-p, min-p, temperature and one draw over penalised logits.
    fileprivate mutating func draw(_ logits: Span<Float>) -> Token {
        let highest = logits[Int(Self.best(logits))]
        let random = Philox.uniform(seed: chain.seed, index: draws)
        let total: Double
        if chain.topK > 0, chain.topK < logits.count {
            candidates.collect(logits, best: chain.topK)
            total = (0..<candidates.takenCount).reduce(0) {
                $0 + Double(Self.probability(candidates.taken($1).value - highest))
            }
        } else if chain.topP < 1 {
            total = Self.sum(logits, below: highest, temperature: 1)
            let threshold = Self.logit(leaving: 1 - Double(chain.topP), of: total, among: logits.count, temperature: 1)
            candidates.collect(logits, atLeast: highest + threshold)
        } else if chain.minP > 0 {
            total = .infinity  // not read: top-p is off
            candidates.collect(logits, atLeast: highest + Float(Mathematics.log(Double(chain.minP))) - Self.slack)
        } else {
            return drawFromAll(logits, below: highest, random: random)
        }

        // Keep the first whose probabilities reach top-p, as far as each is at least min-p of the best.
        let enough = chain.topP < 1 ? Double(chain.topP) * total : .infinity
        var kept = 0
        var reached = 0.0
        var keptTotal = 0.0
        while kept == 0 || reached < enough {
            guard kept < candidates.takenCount || candidates.take() != nil else { break }
            let value = candidates.taken(kept).value
            let probability = Self.probability(value - highest)
            if kept > 0, probability < chain.minP { break }
            kept += 1
            reached += Double(probability)
            keptTotal += Double(Self.probability(value - highest, chain.temperature))
        }

        // Draw among them, best first.
        let target = random * keptTotal
        reached = 0
        for rank in 0..<kept {
            let candidate = candidates.taken(rank)
            reached += Double(Self.probability(candidate.value - highest, chain.temperature))
            if reached > target { return candidate.id }
        }
        return candidates.taken(kept - 1).id
    }

    /// A draw without any filter: candidates are taken best first until their probabilities pass the random number.
    private mutating func drawFromAll(_ logits: Span<Float>, below highest: Float, random: Double) -> Token {
        let total = Self.sum(logits, below: highest, temperature: chain.temperature)
        let threshold = Self.logit(
            leaving: 1 - random, of: total, among: logits.count, temperature: chain.temperature)
        candidates.collect(logits, atLeast: highest + threshold)
        var reached = 0.0
        var last = Self.best(logits)
        while let candidate = candidates.take() {
            last = candidate.id
            reached += Double(Self.probability(candidate.value - highest, chain.temperature))
            if reached > random * total { break }
        }
        return last
    }

    /// A logit, relative to the best, below which no candidate is reached when the best ones are taken up to all but a share
    /// `rest` of `total`: `count` candidates of less than rest * total / (2 * count) are less than half of the rest.
    private static func logit(leaving rest: Double, of total: Double, among count: Int, temperature: Float) -> Float {
        (Float(Mathematics.log(rest * total / Double(2 * count))) - slack) * temperature
    }

    /// Wider than the rounding of a logarithm, so that a threshold never takes a candidate that its rule would keep.
    private static let slack: Float = 1e-3
}
