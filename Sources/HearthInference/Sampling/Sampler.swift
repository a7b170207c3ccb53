import HearthKernelTypes
package import HearthKernels
package import HearthTokens

/// Chooses tokens for one request: a mask, then penalties, top-k, top-p, min-p, temperature and the draw, in this order
/// (design D18).
///
/// Probabilities are Float32 exponentials in fixed point (`DrawLaw`, with the same bits for every set of kernels, no libm among it),
/// and candidates stand in the order (value, id), so the same logits and seed give the same token on every machine. What a filter
/// keeps is always the first so many in that order, and the draw takes the first at which the masses pass a random share of theirs.
/// (Another law for the masses would let a seed choose otherwise where two shares nearly meet.)
/// It allocates when it is made and not per token. A vocabulary is passed over twice, for the highest logit and for the sum of all
/// masses, twice more after a mask or penalties, and once more for a temperature without a filter; some two to four times more where
/// logits are flat.
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
    /// Nil for greedy.
    private var candidates: Candidates?
    /// Largest logit and sum of masses of each part of the vocabulary.
    private var largest: [Float]
    private var sums: [DrawSum]
    private let compute: Compute

    /// As many tokens as masses can be summed of.
    package static let mostTokens = 1 << 21

    /// - Throws: `unsupportedSetting` for a vocabulary that no token can be chosen from.
    package static func check(vocabulary: Int) throws(InferenceError) {
        guard vocabulary <= mostTokens else {
            throw .unsupportedSetting(
                key: "rows of token_embd.weight", value: "\(vocabulary)", supported: "1 to \(mostTokens) tokens")
        }
    }

    /// What was chosen, and how likely the model held it: the logarithm of its probability before any of the chain.
    package struct Choice: Equatable, Sendable {
        package var token: Token
        package var logProbability: Float
    }

    /// - Parameter compute: on whose set and threads it works; the choices are the same with any.
    package init(_ chain: SamplingChain, vocabulary: Int, compute: Compute = Compute(set: .portable, threads: 1)) {
        self.chain = chain
        self.compute = compute
        candidates = chain.isGreedy ? nil : Candidates(vocabulary: vocabulary, compute: compute)
        largest = Array(repeating: 0, count: Compute.drawParts(vocabulary))
        sums = Array(repeating: DrawSum(), count: Compute.drawParts(vocabulary))
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
        try unsafe logits.withUnsafeMutableBufferPointer { logits throws(InferenceError) in
            try unsafe choose(from: logits, allowed)
        }
    }

    private mutating func choose(
        from logits: UnsafeMutableBufferPointer<Float>, _ allowed: TokenSet?
    ) throws(InferenceError) -> Choice {
        // Set aside what no probability can be given to.
        var highest = unsafe highest(of: logits)
        var unusable = 0
        if highest.isNaN {
            unusable = unsafe Self.removeUnusable(logits)
            highest = unsafe self.highest(of: logits)
        }
        guard highest > -.infinity else {
            throw .noUsableLogits(unusable: unusable, vocabulary: logits.count, step: Int(draws))
        }
        unusableLogits += unusable
        // A log-probability is its logit minus the logarithm of the sum of all exponentials.
        let changes = allowed != nil || chain.hasPenalties
        var total = unsafe sum(logits, below: highest, isDrawn: !changes)
        let normaliser = Float(Double(highest) + Mathematics.log(Double(total) / Double(DrawLaw.unit)))

        // Take away what the constraint forbids, then penalise.
        if let allowed { unsafe Self.mask(logits, allowed) }
        unsafe penalise(logits)
        if changes {
            // Penalties leave at least one logit above minus infinity.
            highest = unsafe self.highest(of: logits)
            guard highest > -.infinity else { throw .noTokenAllowed(step: Int(draws)) }
            if !chain.isGreedy { total = unsafe sum(logits, below: highest, isDrawn: true) }
        }

        let token = unsafe chain.isGreedy ? first(of: logits, highest) : draw(logits, below: highest, total: total)
        var logit = unsafe logits[Int(token)]
        for before in unpenalised where before.id == token { logit = before.value }
        draws += 1
        note(token)
        return Choice(token: token, logProbability: logit - normaliser)
    }

    /// The highest logit; NaN where one is NaN or plus infinity. What each part has is left in `largest`.
    private mutating func highest(of logits: UnsafeMutableBufferPointer<Float>) -> Float {
        unsafe largest.withUnsafeMutableBufferPointer { largest in
            unsafe compute.largestOfParts(logits.baseAddress!, count: logits.count, into: largest.baseAddress!)
            var highest = -Float.infinity
            for index in largest.indices {
                if unsafe largest[index].isNaN { return .nan }
                unsafe highest = max(highest, largest[index])
            }
            return highest
        }
    }

    /// The lowest id of those with the highest logit, which `largest` was last made of.
    private func first(of logits: UnsafeMutableBufferPointer<Float>, _ highest: Float) -> Token {
        var id = largest.firstIndex(of: highest)! * Compute.drawPart
        while unsafe logits[id] != highest { id += 1 }
        return Token(truncatingIfNeeded: id)
    }

    /// The sum of all masses; collects candidates on the way where one of these logits is drawn.
    private mutating func sum(_ logits: UnsafeMutableBufferPointer<Float>, below highest: Float, isDrawn: Bool) -> UInt64 {
        let law = DrawLaw(below: highest, scale: 1)
        // A temperature of at most 1 gives the highest candidates as much of the masses or more.
        let share = chain.topK > 0 || chain.minP > 0 ? 1 : chain.topP < 1 ? Double(chain.topP) : chain.temperature <= 1 ? random : 1
        let (least, all) = (least(highest), UnsafeBufferPointer(logits))
        if isDrawn, let total = unsafe candidates?.collect(all, share: share, least: least, law) { return total }
        return unsafe sum(logits, law)
    }

    private mutating func sum(_ logits: UnsafeMutableBufferPointer<Float>, _ law: DrawLaw) -> UInt64 {
        unsafe compute.sumOfMasses(logits.baseAddress!, law, count: logits.count, through: &sums)
    }

    /// Makes NaN and plus infinity minus infinity, and counts them.
    private static func removeUnusable(_ logits: UnsafeMutableBufferPointer<Float>) -> Int {
        var unusable = 0
        for id in logits.indices {
            // NaN is not below infinity either.
            if unsafe !(logits[id] < .infinity) {
                unsafe logits[id] = -.infinity
                unusable += 1
            }
        }
        return unusable
    }

    /// Makes what is not allowed minus infinity, 64 tokens at a time where all or none of them are.
    private static func mask(_ logits: UnsafeMutableBufferPointer<Float>, _ allowed: TokenSet) {
        for first in stride(from: 0, to: logits.count, by: 64) {
            let word = first / 64 < allowed.words.count ? allowed.words[first / 64] : 0
            if word == .max { continue }
            for place in 0..<min(64, logits.count - first) where word >> UInt64(place) & 1 == 0 {
                unsafe logits[first + place] = -.infinity
            }
        }
    }

    /// Lowers the logits of recent tokens: the repetition penalty once per token (T-46), presence once, frequency by count.
    private mutating func penalise(_ logits: UnsafeMutableBufferPointer<Float>) {
        unpenalised.removeAll(keepingCapacity: true)
        guard chain.hasPenalties else { return }
        for place in recent.indices {
            let token = recent[place]
            let id = Int(token)
            guard id >= 0, id < logits.count, unsafe logits[id] > -.infinity else { continue }
            var occurrences: Float = 0
            var isFirst = true
            for other in recent.indices where recent[other] == token {
                occurrences += 1
                if other < place { isFirst = false }
            }
            guard isFirst else { continue }
            let value = unsafe logits[id]
            unpenalised.append(Candidate(value: value, id: token))
            let repeated = value > 0 ? value / chain.repetitionPenalty : value * chain.repetitionPenalty
            let changed = repeated - chain.presencePenalty - occurrences * chain.frequencyPenalty
            // What leaves the range of Float32 stays a logit: the least or the greatest.
            unsafe logits[id] = changed.isNaN ? value : min(max(changed, -.greatestFiniteMagnitude), .greatestFiniteMagnitude)
        }
    }
}

extension Sampler {
    /// Top-k, top-p, min-p, temperature and one draw over penalised logits. `total` is the sum of their masses.
    fileprivate mutating func draw(_ logits: UnsafeMutableBufferPointer<Float>, below highest: Float, total: UInt64) -> Token {
        let all = UnsafeBufferPointer(logits)
        let law = DrawLaw(below: highest, scale: 1)
        // What the filters keep; nil is all.
        var kept: Prefix?
        if chain.topK > 0, chain.topK < logits.count {
            unsafe kept = candidates!.first(passing: UInt64(chain.topK) * DrawLaw.unit - 1, of: nil, .equal, in: all)
        }
        if chain.topP < 1 {
            // The first whose probabilities reach top-p, and at least one.
            let total = kept.map { unsafe candidates!.sum(of: $0, law, in: all) } ?? total
            let share = UInt64((Double(chain.topP) * Double(total)).rounded(.up))
            unsafe kept = candidates!.first(passing: max(share, 1) - 1, of: total, law, floor: floor(kept), in: all)
        }
        let least = least(highest)
        if floor(kept) < least { kept = Prefix(value: least.nextDown, equals: 0) }

        // A temperature below the normal range has no reciprocal; the largest number does the same to any difference.
        let tempered = DrawLaw(below: highest, scale: min(1 / chain.temperature, .greatestFiniteMagnitude))
        let mass: UInt64
        if let kept {
            mass = unsafe candidates!.sum(of: kept, tempered, in: all)
        } else {
            mass = unsafe chain.temperature == 1 ? total : sum(logits, tempered)
        }
        // Below the mass, since the random number is below 1 by 2^-32.
        let target = UInt64(random * Double(mass))
        return unsafe candidates!.first(passing: target, of: mass, tempered, floor: floor(kept), in: all)!.last
    }

    private var random: Double { Philox.uniform(seed: chain.seed, index: draws) }

    /// What min-p keeps at least.
    private func least(_ highest: Float) -> Float {
        guard chain.minP > 0 else { return -.greatestFiniteMagnitude }
        return max(Float(Double(highest) + Mathematics.log(Double(chain.minP))), -.greatestFiniteMagnitude)
    }

    /// What is below it is not kept.
    private func floor(_ kept: Prefix?) -> Float { max(kept?.value ?? -.infinity, -.greatestFiniteMagnitude) }
}
