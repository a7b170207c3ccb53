import HearthKernelTypes
import HearthKernels
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
    /// Where tokens are guessed.
    private var lookup: PromptLookup?
    /// The token that was chosen last and the guesses behind it, to be evaluated; how many of them hold so far.
    private var pending: [Token] = []
    private(set) var holding = 0
    /// Most tokens of the reply: as asked, and as fit into the context with the prompt.
    private let limit: Int
    /// Why the reply ends when it is that long.
    private let reasonAtLimit: FinishReason

    init(
        _ request: GenerationRequest, chain: SamplingChain, vocabulary: Int, context: Int, compute: Compute, goesBack: Bool
    ) {
        self.request = request
        report = GenerationReport(finishReason: .stop, seed: chain.seed)
        sampler = Sampler(chain, vocabulary: vocabulary, compute: compute)
        for token in request.prompt.suffix(SamplingChain.penaltyWindow) { sampler.note(token) }
        constraint = request.constraint
        if constraint != nil { mask = TokenSet(count: vocabulary) }
        let room = context - request.prompt.count
        limit = min(request.limit ?? room, room)
        reasonAtLimit = request.limit == limit ? .length : .contextFull
        // Room for a usual reply; a longer one makes the array grow a few times in all.
        report.tokens.reserveCapacity(min(limit, 4096))
        if request.guesses > 0,
            GuessObstacle(chain, isConstrained: constraint != nil, backend: compute.backend, goesBack: goesBack) == nil
        {
            lookup = PromptLookup(prompt: request.prompt, limit: limit, most: request.guesses)
        }
        pending.reserveCapacity(request.guesses + 1)
    }

    /// The token that was chosen last, and guesses of what follows it: to be evaluated next, at most `most` of them.
    mutating func next(most: Int) -> ArraySlice<Token> {
        pending.removeAll(keepingCapacity: true)
        pending.append(report.tokens[report.tokens.count - 1])
        let room = min(limit - report.tokens.count, most - 1)
        lookup?.guess(into: &pending, room: room)
        holding = 1
        return pending[...]
    }

    /// Chooses from the logits behind token `index` of those that were given to be evaluated, unless a guess before it was wrong.
    mutating func choose(
        from logits: inout MutableSpan<Float>, behind index: Int, _ onStep: (GenerationStep) -> GenerationAnswer
    ) throws {
        guard goesOn, index < holding else { return }
        try choose(from: &logits, onStep)
        guard index + 1 < pending.count else { return }
        if goesOn, report.tokens[report.tokens.count - 1] == pending[index + 1] { holding += 1 }
    }

    /// To be called behind each step: what the guesses were worth.
    mutating func endStep() {
        let guessed = pending.count - 1
        guard guessed > 0 else { return }
        report.guessed += guessed
        report.guessedRight += holding - 1
        lookup?.learn(right: holding - 1, of: guessed)
    }

    /// Chooses a token from the logits behind the last one and decides how to go on.
    mutating func choose(
        from logits: inout MutableSpan<Float>, _ onStep: (GenerationStep) -> GenerationAnswer
    ) throws {
        guard limit > 0 else { return finish(reasonAtLimit) }
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
        lookup?.note(choice.token)
        if case .stop = onStep(.token(choice.token, logProbability: choice.logProbability)) { return finish(.stop) }
        if let constraint, constraint.isFinished { return finish(.stop) }
        if report.tokens.count == limit { finish(reasonAtLimit) }
    }

    private mutating func finish(_ reason: FinishReason) {
        report.finishReason = reason
        goesOn = false
    }
}
