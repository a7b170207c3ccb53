package import Foundation
package import HearthInference
import HearthLocks
import HearthTemplates
package import HearthTokenizers
package import HearthTokens
import HearthWeights

/// A loaded model with everything around it: the one engine under every door.
///
/// ```swift
/// let engine = try await LocalEngine.load(file: url)
/// let request = LocalRequest(prompt: .messages(["messages": [["role": "user", "content": "Hi"]]]), limit: 100)
/// for try await event in engine.generate(request) {
///     if case .piece(_, _, let text, _, _) = event { print(text, terminator: "") }
/// }
/// ```
///
/// Whoever asks for the same file in the same state with the same options gets the same engine, and its cache; it goes
/// with the last one who holds it. Loading, rendering and encoding run on threads of their own, and everything that
/// computes on the generator's. What the framework's requests mean is left to others.
package final class LocalEngine: Sendable {
    package let facts: EngineFacts
    package let options: ModelOptions
    /// For measurements and scoring, which need no text.
    package let generator: Generator
    /// How long opening the file and laying out its weights took; the tokenizer is not in it.
    package let loadTime: Duration

    private let metadata: Metadata
    private let text: TextBox
    private let memory = Locked(ReplyMemory())
    private let counted = Locked(EngineCounters())

    package var counters: EngineCounters { counted.withLock { $0 } }

    /// Most positions of a sequence, prompt and reply together.
    package var context: Int { generator.weights.context }

    // MARK: Loading

    /// What is made ready while loading.
    package enum Readiness: Sendable {
        /// Weights, tokenizer and template.
        case text
        /// Weights only; the tokenizer is made when a request needs it, if one does.
        case tokens
    }

    /// - Throws: `CheckpointError`, `InferenceError`, `TokenizerError`; `CancellationError` where the task was cancelled.
    package static func load(
        file: URL, options: ModelOptions = ModelOptions(), readiness: Readiness = .text, table: EngineTable = .shared
    ) async throws -> LocalEngine {
        let key = EngineTable.Key(file: try FileIdentity(ofModel: file), options: options)
        let engine = try await table.engine(key) { try await LocalEngine(file: file, options: options, readiness) }
        if readiness == .text { _ = try await engine.readText() }
        return engine
    }

    /// The tokenizer comes before the weights: making it takes memory several times over for a moment, which the weights take
    /// afterwards, so that the peak does not hold both.
    private init(file: URL, options: ModelOptions, _ readiness: Readiness) async throws {
        var start = ContinuousClock.now
        let checkpoint = try await OwnThread.run("hearth open") { try Checkpoint.open(file) }
        let opening = ContinuousClock.now - start
        let text = TextBox(checkpoint.metadata)
        if readiness == .text { try await OwnThread.run("hearth text") { text.make() } }
        start = .now
        generator = try await Generator.load(options: options) { checkpoint }
        facts = try EngineFacts(checkpoint, file)
        metadata = checkpoint.metadata
        self.text = text
        self.options = options
        loadTime = opening + (.now - start)
        // The reference set, which goes on reading the file, brings back what it needs.
        checkpoint.discard()
        FreedMemory.giveBack()
    }

    private func readText() async throws -> EngineText {
        if let ready = text.ifReady { return try ready.get() }
        let text = text
        return try await OwnThread.run("hearth text") { try text.get() }
    }

    // MARK: Generating

    /// Makes a reply. It begins at once; the events wait until they are read.
    package func generate(_ request: LocalRequest) -> GenerationEvents {
        GenerationEvents { send in try await self.run(request, send) }
    }

    private func run(_ request: LocalRequest, _ send: @escaping @Sendable (GenerationEvent) -> Void) async throws {
        guard !request.stops.contains(where: \.isEmpty) else { throw LocalEngineError.emptyStop }
        let text = try await readText()
        let (parts, tokens) = try await encode(request.prompt, text, entries: request.earlierEntries)
        guard !tokens.isEmpty else { throw LocalEngineError.emptyPrompt }

        let tokenizer = text.tokenizer
        let pipeline = Locked(TextPipeline(tokenizer, stops: request.stops))
        let report = try await generator.generate(
            GenerationRequest(
                prompt: tokens, sampling: request.sampling, limit: request.limit,
                ends: Set(tokenizer.special.ends), constraint: request.constraint, guesses: request.guesses)
        ) { step in
            switch step {
            case .started(let input, let cached):
                send(.started(input: input, cached: cached))
                return .goOn
            case .token(let token, let logProbability):
                let (shown, isStopped) = pipeline.withLock { ($0.push(token), $0.isStopped) }
                send(
                    .piece(
                        token, bytes: tokenizer.vocabulary.bytes(of: token), text: shown,
                        logProbability: logProbability, phase: .response))
                return isStopped ? .stop : .goOn
            }
        }

        // What is owed comes before the end.
        let (rest, isStopped) = pipeline.withLock { ($0.finish(), $0.isStopped) }
        if !rest.isEmpty { send(.rest(text: rest, phase: .response)) }
        if let parts, !isStopped { remember(parts, tokens, report.tokens, tokenizer, as: request.entry) }
        let usage = TokenUsage(report)
        counted.withLock { $0.count(usage) }
        send(.finished(report.finishReason, seed: report.seed, usage: usage, timing: report.timing))
    }

    /// Keeps the sampled tokens of a reply, unless bytes of it did not make characters: then its text is not what they say.
    private func remember(
        _ parts: PromptParts, _ prompt: [Token], _ reply: [Token], _ tokenizer: Tokenizer, as entry: String?
    ) {
        let bytes = tokenizer.decode(reply, skippingControl: true)
        guard bytes.count == reply.reduce(0, { $0 + tokenizer.vocabulary.length(of: $1) }),
            String(validating: bytes, as: UTF8.self) != nil
        else { return }
        memory.withLock { $0.remember(parts, reply: bytes, tokens: prompt + reply, entry: entry) }
    }

    // MARK: Prompts

    /// The tokens of a prompt, and its parts where it is text.
    private func encode(
        _ prompt: LocalRequest.Prompt, _ text: EngineText, entries: Set<String>
    ) async throws -> (PromptParts?, [Token]) {
        if case .tokens(let tokens) = prompt { return (nil, tokens) }
        return try await OwnThread.run("hearth prompt") { [self] in
            var parts = PromptParts()
            switch prompt {
            case .tokens: break
            case .raw(let bytes): parts.append(bytes, isData: false)
            case .messages(let context): parts = try PromptRenderer(text, facts).render(context)
            }
            guard let (begin, rest) = memory.withLock({ [parts] in $0.beginning(of: parts, entries: entries) }) else {
                return (parts, try text.tokenizer.encode(prompt: parts.runs, addBOS: true))
            }
            return (parts, begin + (try text.tokenizer.encode(prompt: rest.runs, addBOS: false)))
        }
    }

    /// The tokens of a prompt as `generate` reads it.
    package func tokens(of prompt: LocalRequest.Prompt) async throws -> [Token] {
        try await encode(prompt, try await readText(), entries: []).1
    }

    /// The tokenizer, for doors that show what it does.
    package func tokenizer() async throws -> Tokenizer { try await readText().tokenizer }

    /// Teacher-forced probabilities of given tokens: `Generator.score`, on this engine's counters.
    package func score(
        _ tokens: [Token], batch: Int = Generator.prefillChunk, split: Int? = nil, keepLogits: Bool = false,
        onLogits: (@Sendable (Int, Span<Float>) throws -> Void)? = nil
    ) async throws -> ScoreReport {
        let report = try await generator.score(
            tokens, batch: batch, split: split, keepLogits: keepLogits, onLogits: onLogits)
        counted.withLock {
            $0.requests += split == nil ? 1 : 2
            $0.input += tokens.count + (split ?? 0)
            $0.cached += report.cached
            $0.evaluated += report.evaluated
            $0.forwardPasses += report.forwardPasses
            $0.blasProducts += report.blasProducts
        }
        return report
    }
}

/// Makes the text parts of a model once, for the first one who asks.
private final class TextBox: Sendable {
    private let metadata: Metadata
    private let made = Locked<Result<EngineText, any Error>?>(nil)

    init(_ metadata: Metadata) { self.metadata = metadata }

    var ifReady: Result<EngineText, any Error>? { made.withLockIfAvailable { $0 } ?? nil }

    /// May take a while: to be called where waiting is allowed. Others wait for the first one.
    func get() throws -> EngineText {
        make()
        return try made.withLock { try $0!.get() }
    }

    /// As `get`; what is wrong is told by that.
    func make() {
        made.withLock { made in
            if made != nil { return }
            made = Result { try EngineText(metadata) }
            // The pieces one by one, as the file has them, are gone: 40 MB for a vocabulary of 262,144.
            FreedMemory.giveBack()
        }
    }
}
