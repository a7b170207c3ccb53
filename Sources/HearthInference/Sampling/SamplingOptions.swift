/// What a caller asks of sampling. A field left nil takes the model's own default, then the house's.
package struct SamplingOptions: Hashable, Sendable {
    /// 0 is greedy: the highest logit, the lowest id of equals.
    package var temperature: Float?
    /// Candidates kept by rank; 0 keeps all.
    package var topK: Int?
    /// Candidates kept by cumulative probability; 1 keeps all, 0 the first only.
    package var topP: Float?
    /// Candidates kept whose probability is at least this share of the best one's; 0 keeps all.
    package var minP: Float?
    /// Divides positive logits of recent tokens and multiplies negative ones; 1 changes nothing.
    package var repetitionPenalty: Float?
    /// Subtracted from a recent token's logit once per occurrence.
    package var frequencyPenalty: Float?
    /// Subtracted from a recent token's logit once.
    package var presencePenalty: Float?
    /// Nil draws one, which the report gives.
    package var seed: UInt64?

    package init(
        temperature: Float? = nil, topK: Int? = nil, topP: Float? = nil, minP: Float? = nil,
        repetitionPenalty: Float? = nil, frequencyPenalty: Float? = nil, presencePenalty: Float? = nil,
        seed: UInt64? = nil
    ) {
        self.temperature = temperature
        self.topK = topK
        self.topP = topP
        self.minP = minP
        self.repetitionPenalty = repetitionPenalty
        self.frequencyPenalty = frequencyPenalty
        self.presencePenalty = presencePenalty
        self.seed = seed
    }

    package static let greedy = SamplingOptions(temperature: 0)

    /// What holds where neither the caller nor the model says anything.
    package static let house = SamplingOptions(
        temperature: 0.7, topK: 0, topP: 0.95, minP: 0, repetitionPenalty: 1, frequencyPenalty: 0, presencePenalty: 0)

    /// Field by field: the caller's, else `model`'s, else the house's; each checked.
    package func resolved(over model: SamplingOptions = SamplingOptions()) throws(InferenceError) -> SamplingChain {
        let house = Self.house
        let chain = SamplingChain(
            temperature: temperature ?? model.temperature ?? house.temperature!,
            topK: topK ?? model.topK ?? house.topK!,
            topP: topP ?? model.topP ?? house.topP!,
            minP: minP ?? model.minP ?? house.minP!,
            repetitionPenalty: repetitionPenalty ?? model.repetitionPenalty ?? house.repetitionPenalty!,
            frequencyPenalty: frequencyPenalty ?? model.frequencyPenalty ?? house.frequencyPenalty!,
            presencePenalty: presencePenalty ?? model.presencePenalty ?? house.presencePenalty!,
            // A drawn seed is a whole number in every reader of JSON: below 2^53.
            seed: seed ?? model.seed ?? UInt64.random(in: 0..<1 << 53))
        try chain.check()
        return chain
    }
}

/// Sampling with every value decided: penalties, top-k, top-p, min-p, temperature, draw, in this order.
package struct SamplingChain: Hashable, Sendable {
    package var temperature: Float
    package var topK: Int
    package var topP: Float
    package var minP: Float
    package var repetitionPenalty: Float
    package var frequencyPenalty: Float
    package var presencePenalty: Float
    package var seed: UInt64

    /// Penalties look at this many tokens before the one to come, prompt and reply together.
    package static let penaltyWindow = 64

    var isGreedy: Bool { temperature == 0 }
    var hasPenalties: Bool { repetitionPenalty != 1 || frequencyPenalty != 0 || presencePenalty != 0 }

    fileprivate func check() throws(InferenceError) {
        func require(_ holds: Bool, _ name: String, _ value: Float, _ range: String) throws(InferenceError) {
            if !holds { throw .badOption(name: name, value: "\(value)", allowed: range) }
        }
        try require(temperature >= 0 && temperature.isFinite, "temperature", temperature, "0 or more")
        if topK < 0 { throw .badOption(name: "top-k", value: "\(topK)", allowed: "0 (all) or more") }
        try require(topP >= 0 && topP <= 1, "top-p", topP, "0 to 1")
        try require(minP >= 0 && minP <= 1, "min-p", minP, "0 to 1")
        try require(
            repetitionPenalty > 0 && repetitionPenalty.isFinite, "repeat-penalty", repetitionPenalty, "more than 0")
        try require(frequencyPenalty.isFinite, "frequency-penalty", frequencyPenalty, "a finite number")
        try require(presencePenalty.isFinite, "presence-penalty", presencePenalty, "a finite number")
    }
}
