import HearthTokens

/// A reply in the making: from logits to the next token, and whether there is to be another one.
///
/// A value without a model in it: it decides, and the generator computes.
struct GenerationRun {
    let request: GenerationRequest
    var report: GenerationReport
    private(set) var goesOn = true
    private(set) var firstToken: ContinuousClock.Instant?
    private var sampler: Sampler
    private var constraint: (any TokenConstraint)?
    private var mask: TokenSet?
    /// Most tokens of the reply: as asked, and as fit into the context with the prompt.
    private let limit: Int

    init(_ request: GenerationRequest, chain: SamplingChain, vocabulary: Int, context: Int) {
        self.request = request
        report = GenerationReport(finishReason: .stop, seed: chain.seed)
        sampler = Sampler(chain, vocabulary: vocabulary)
        for token in request.prompt.suffix(SamplingChain.penaltyWindow) { sampler.note(token) }
        constraint = request.constraint
        if constraint != nil { mask = TokenSet(count: vocabulary) }
        let room = context - request.prompt.count
        limit = min(request.limit ?? room, room)
        // Room for a usual reply; a longer one makes the array grow a few times in all.
        report.tokens.reserveCapacity(min(limit, 4096))
    }

    /// The token that was chosen last, to be evaluated.
    var lastToken: ArraySlice<Token> { report.tokens.suffix(1) }

    /// Chooses a token from the logits behind the last one and decides how to go on.
    mutating func choose(
        from logits: inout MutableSpan<Float>, _ onStep: (GenerationStep) -> GenerationAnswer
    ) throws {
        guard limit > 0 else { return finish(.length) }
        if constraint != nil {
            if constraint!.isFinished { return finish(.stop) }
            try constraint!.allow(into: &mask!)
        }
        let choice = try sampler.choose(from: &logits, allowed: mask)
        report.unusableLogits = sampler.unusableLogits
        if firstToken == nil { firstToken = .now }
        if request.ends.contains(choice.token) { return finish(.stop) }
        try constraint?.accept(choice.token)
        report.tokens.append(choice.token)
        if case .stop = onStep(.token(choice.token, logProbability: choice.logProbability)) { return finish(.stop) }
        if let constraint, constraint.isFinished { return finish(.stop) }
        if report.tokens.count == limit { finish(.length) }
    }

    private mutating func finish(_ reason: FinishReason) {
        report.finishReason = reason
        goesOn = false
    }
}
