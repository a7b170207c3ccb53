import HearthKernels
import HearthTokens
package import HearthWeights

/// Token ids to token ids: owns the thread, the buffers and the cached sequences of one loaded model.
///
/// ```swift
/// let generator = try await Generator.load(options: ModelOptions()) { try Checkpoint.open(url) }
/// let report = try await generator.generate(GenerationRequest(prompt: tokens, limit: 64)) { step in .goOn }
/// ```
///
/// Everything runs on one thread of its own, which is worker 0 of the pool. Requests of one model take turns by decode
/// step or by prefill chunk; each has a sequence of its own. Text, stop sequences and templates are left to others.
package actor Generator {
    /// Tokens of a prompt that are evaluated in one turn while no other request runs. Every product unpacks its weights once
    /// a turn, which takes a sixth of a product's time at 64 tokens and a twenty-fifth at 256.
    package static let prefillChunk = 256
    /// The same while others take turns: short enough that they wait little.
    static let sharedChunk = 64
    /// Most tokens of one forward pass of `score`.
    package static let largestBatch = 4096

    /// Most guesses of one step: with the token before them they are as many as have their logits computed at once.
    package static let mostGuesses = 15

    package nonisolated let weights: LanguageWeights
    nonisolated let executor: TurnExecutor
    let pass: ForwardPass
    private var shelf: SequenceShelf
    /// Requests that are under way.
    private var running = 0

    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// Opens a checkpoint and loads it, all on the generator's own thread.
    package static func load(
        options: ModelOptions, from open: @escaping @Sendable () throws -> Checkpoint
    ) async throws -> Generator {
        let executor = try TurnExecutor(name: "hearth")
        let weights = try await executor.perform { try LanguageWeights.load(try open(), options: options) }
        return try Generator(weights, on: executor)
    }

    /// A generator over weights that are loaded already, which others may share.
    package init(_ weights: LanguageWeights) throws(InferenceError) {
        try self.init(weights, on: TurnExecutor(name: "hearth"))
    }

    private init(_ weights: LanguageWeights, on executor: TurnExecutor) throws(InferenceError) {
        self.weights = weights
        self.executor = executor
        pass = try ForwardPass(
            weights.model.shape, context: weights.context, capacity: min(Self.prefillChunk, weights.context),
            compute: weights.compute)
        shelf = SequenceShelf { () throws(InferenceError) in try weights.makeSequence() }
    }

    /// Forgets every sequence that no request holds.
    package func removeCache() { shelf.removeAll() }

    /// Makes one reply.
    ///
    /// A cancelled task ends it within one layer and is told by `finishReason`; what was evaluated stays cached.
    /// - Parameter onStep: called on the generator's thread between steps, so it must be quick.
    /// - Throws: `InferenceError`, or what the constraint throws.
    package func generate(
        _ request: GenerationRequest,
        onStep: @Sendable (GenerationStep) -> GenerationAnswer = { _ in .goOn }
    ) async throws -> GenerationReport {
        let arrival = ContinuousClock.now
        try check(request.prompt)
        if let limit = request.limit, limit < 0 {
            throw InferenceError.badOption(name: "limit", value: "\(limit)", allowed: "0 or more")
        }
        guard (0...Self.mostGuesses).contains(request.guesses) else {
            throw InferenceError.badOption(name: "guesses", value: "\(request.guesses)", allowed: "0 to \(Self.mostGuesses)")
        }
        let chain = try request.sampling.resolved(over: weights.samplingDefaults)
        var run = GenerationRun(
            request, chain: chain, vocabulary: weights.vocabulary, context: weights.context, compute: weights.compute,
            goesBack: weights.goesBack)
        let sequence = try shelf.take(for: request.prompt)
        running += 1
        defer {
            running -= 1
            shelf.put(back: sequence)
        }
        run.report.input = request.prompt.count
        run.report.cached = sequence.count
        if case .stop = onStep(.started(input: request.prompt.count, cached: sequence.count)) { return run.report }

        do {
            // Read the prompt.
            while sequence.count < request.prompt.count {
                await executor.turn()
                try Task.checkCancellation()
                let start = sequence.count
                let chunk = running > 1 ? min(Self.sharedChunk, pass.capacity) : pass.capacity
                pass.load(request.prompt[start..<min(start + chunk, request.prompt.count)])
                try evaluate(behind: sequence, run: &run, onStep)
            }
            // Make tokens: each is evaluated only when another one is to follow it, with guesses of those behind it.
            while run.goesOn {
                await executor.turn()
                try Task.checkCancellation()
                pass.load(run.next(most: pass.capacity))
                let start = sequence.count
                try evaluate(behind: sequence, run: &run, onStep)
                // What was guessed wrong was never part of the text.
                sequence.rewind(to: start + run.holding)
                run.endStep()
            }
        } catch is CancellationError {
            run.report.finishReason = .cancelled
        }
        run.report.evaluated = min(sequence.count, request.prompt.count) - run.report.cached
        run.report.timing.timeToFirstToken = (run.firstToken ?? .now) - arrival
        return run.report
    }

    /// One forward pass over the loaded tokens; where it reaches the end of the prompt, its logits become a token in the same turn.
    private func evaluate(
        behind sequence: KVSequence, run: inout GenerationRun,
        _ onStep: (GenerationStep) -> GenerationAnswer
    ) throws {
        let start = ContinuousClock.now
        let products = weights.compute.blasProductCount
        let isPrompt = sequence.count < run.request.prompt.count
        let count = pass.count
        let isLast = sequence.count + count >= run.request.prompt.count
        defer {
            run.report.forwardPasses += 1
            run.report.blasProducts += weights.compute.blasProductCount - products
        }
        try pass.evaluate(
            behind: sequence, by: weights.model, wanted: isPrompt ? (isLast ? count - 1..<count : 0..<0) : 0..<count
        ) { index, logits in
            if isPrompt { try run.choose(from: &logits, onStep) } else { try run.choose(from: &logits, behind: index, onStep) }
        }
        if isPrompt {
            run.report.timing.prefill += .now - start
        } else {
            run.report.timing.decode += .now - start
        }
    }

    func check(_ prompt: [Token]) throws(InferenceError) {
        try prompt.check(context: weights.context, vocabulary: weights.vocabulary)
    }
}

extension [Token] {
    /// What a model is to read must be there, fit and be made of its tokens.
    func check(context: Int, vocabulary: Int) throws(InferenceError) {
        guard !isEmpty else { throw .emptyPrompt }
        guard count <= context else { throw .promptTooLong(tokens: count, context: context) }
        for (index, token) in enumerated() where token < 0 || Int(token) >= vocabulary {
            throw .tokenOutOfRange(token, index: index, vocabulary: vocabulary)
        }
    }
}
