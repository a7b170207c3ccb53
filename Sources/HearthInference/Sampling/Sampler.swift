import HearthKernelTypes
import HearthKernels
package import HearthTokens

/// Chooses tokens for one request: a mask, then penalties, top-k, top-p, min-p, temperature and the draw, in this order
/// (design D18).
///
/// Probabilities are Float32 by the portable kernels, whatever set computes the model, never by libm, and candidates stand
/// in the order (value, id), so the same logits and seed give the same token on every machine. It allocates when it is made
/// and not per token.
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
    /// exp((logit - highest) / temperature) of all tokens; empty for greedy.
    private var weights: [Float]

    private static let arithmetic = Compute(set: .portable, threads: 1)

    /// What was chosen, and how likely the model held it: the logarithm of its probability before any of the chain.
    package struct Choice: Equatable, Sendable {
        package var token: Token
        package var logProbability: Float
    }

    package init(_ chain: SamplingChain, vocabulary: Int) {
        self.chain = chain
        candidates = Candidates(capacity: chain.isGreedy ? 0 : vocabulary)
        weights = Array(repeating: 0, count: chain.isGreedy ? 0 : vocabulary)
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
        let unusable = Self.removeUnusable(&logits)
        guard let first = Self.best(logits.span) else {
            throw .noUsableLogits(unusable: unusable, vocabulary: logits.count, step: Int(draws))
        }
        unusableLogits += unusable
        let normaliser = Self.logSumExp(logits.span, highest: logits[Int(first)])

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
        // There is one: the mask and the penalties leave at least one logit above minus infinity.
        let best = Self.best(logits.span) ?? first
        let token = chain.isGreedy ? best : draw(logits.span, below: logits[Int(best)])
        var logit = logits[Int(token)]
        for before in unpenalised where before.id == token { logit = before.value }
        draws += 1
        note(token)
        return Choice(token: token, logProbability: logit - normaliser)
    }

    /// Makes NaN and plus infinity minus infinity, and counts them.
    private static func removeUnusable(_ logits: inout MutableSpan<Float>) -> Int {
        unsafe logits.withUnsafeMutableBufferPointer { values in
            var unusable = 0
            for id in values.indices {
                // NaN is not below infinity either.
                if unsafe !(values[id] < .infinity) {
                    unsafe values[id] = -.infinity
                    unusable += 1
                }
            }
            return unusable
        }
    }

    /// The highest logit, the lowest id of equals; nil where none is above minus infinity.
    private static func best(_ logits: Span<Float>) -> Token? {
        let index = unsafe logits.withUnsafeBufferPointer {
            unsafe arithmetic.argMax($0.baseAddress!, count: $0.count)
        }
        return index < 0 ? nil : Token(truncatingIfNeeded: index)
    }

    /// Natural logarithm of the sum of exp(logit): a log-probability is its logit minus this.
    private static func logSumExp(_ logits: Span<Float>, highest: Float) -> Float {
        Float(unsafe logits.withUnsafeBufferPointer { unsafe arithmetic.logSumExp($0.baseAddress!, count: $0.count) })
    }

    /// Fills `weights` for a temperature and returns their sum, in the order of ids.
    fileprivate mutating func weigh(_ logits: Span<Float>, below highest: Float, temperature: Float) -> Double {
        // A temperature below the normal range has no reciprocal; the largest number does the same to any difference.
        let scale = min(1 / temperature, .greatestFiniteMagnitude)
        return unsafe weights.withUnsafeMutableBufferPointer { weights in
            unsafe logits.withUnsafeBufferPointer {
                unsafe Self.arithmetic.exponentials(
                    $0.baseAddress!, largest: highest, scale: scale, count: $0.count, into: weights.baseAddress!)
            }
            var sum = 0.0
            for id in weights.indices { unsafe sum += Double(weights[id]) }
            return sum
        }
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
    fileprivate mutating func draw(_ logits: Span<Float>, below highest: Float) -> Token {
        let random = Philox.uniform(seed: chain.seed, index: draws)
        if chain.topK == 0 || chain.topK >= logits.count, chain.topP == 1, chain.minP == 0 {
            return drawFromAll(logits, below: highest, random: random)
        }
        var total = weigh(logits, below: highest, temperature: 1)
        if chain.topK > 0, chain.topK < logits.count {
            candidates.collect(logits, best: chain.topK)
            total = 0
            for rank in 0..<candidates.takenCount { total += Double(weight(rank)) }
        } else if chain.topP < 1 {
            let threshold = Self.logit(leaving: 1 - Double(chain.topP), of: total, among: logits.count, temperature: 1)
            candidates.collect(logits, atLeast: highest + threshold)
        } else {
            candidates.collect(logits, atLeast: highest + Float(Mathematics.log(Double(chain.minP))) - Self.slack)
        }

        // Keep the first whose probabilities reach top-p, as far as each is at least min-p of the best.
        let enough = chain.topP < 1 ? Double(chain.topP) * total : .infinity
        var kept = 0
        var reached = 0.0
        while kept == 0 || reached < enough {
            guard kept < candidates.takenCount || candidates.take() != nil else { break }
            if kept > 0, weight(kept) < chain.minP { break }
            reached += Double(weight(kept))
            kept += 1
        }

        // Draw among them, best first.
        if chain.temperature != 1 { _ = weigh(logits, below: highest, temperature: chain.temperature) }
        total = 0
        for rank in 0..<kept { total += Double(weight(rank)) }
        reached = 0
        for rank in 0..<kept {
            reached += Double(weight(rank))
            if reached > random * total { return candidates.taken(rank).id }
        }
        return candidates.taken(kept - 1).id
    }

    /// A draw without any filter: candidates are taken best first until their probabilities pass the random number.
    private mutating func drawFromAll(_ logits: Span<Float>, below highest: Float, random: Double) -> Token {
        let total = weigh(logits, below: highest, temperature: chain.temperature)
        let threshold = Self.logit(leaving: 1 - random, of: total, among: logits.count, temperature: chain.temperature)
        candidates.collect(logits, atLeast: highest + threshold)
        var reached = 0.0
        while let candidate = candidates.take() {
            reached += Double(weights[Int(candidate.id)])
            if reached > random * total { return candidate.id }
        }
        // Rounding left the sum short: the last one. The best is always among the candidates.
        return candidates.taken(candidates.takenCount - 1).id
    }

    /// Weight of the candidate of a rank.
    private func weight(_ rank: Int) -> Float { weights[Int(candidates.taken(rank).id)] }

    /// A logit, relative to the best, below which no candidate is reached when the best ones are taken up to all but a share
    /// `rest` of `total`: `count` candidates of less than rest * total / (2 * count) are less than half of the rest.
    private static func logit(leaving rest: Double, of total: Double, among count: Int, temperature: Float) -> Float {
        (Float(Mathematics.log(rest * total / Double(2 * count))) - slack) * temperature
    }

    /// Wider than the rounding of a logarithm, so that a threshold never takes a candidate that its rule would keep.
    private static let slack: Float = 1e-3
}
