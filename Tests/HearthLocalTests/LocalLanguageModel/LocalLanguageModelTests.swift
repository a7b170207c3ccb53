import Foundation
import FoundationModels
import HearthLocal
import HearthTestSupport
import Testing

/// Through the real session, with a tiny model of random weights: what it says means nothing, but it says it in order.
@Suite("LocalLanguageModel", .serialized)
struct LocalLanguageModelTests {
    private let file = Fixtures.url("llama-f32.gguf")
    private let model = LocalLanguageModel(at: Fixtures.url("llama-f32.gguf"))
    private let greedy = GenerationOptions(samplingMode: .greedy, maximumResponseTokens: 8)

    @Test("K-02 TR-12 An edited entry is noticed: the cache ends before it, and the answer is a cold run's")
    func edited() async throws {
        let session = LanguageModelSession(model: model, instructions: "Answer in one sentence.")
        try await session.respond(to: "Why is the sky blue?", options: greedy)
        session.transcript[1] = .prompt(.init(segments: [.text(.init(content: "Why is grass green?"))]))
        let transcript = session.transcript
        let warm = try await session.respond(to: "And why?", options: greedy)
        let cold = try await LanguageModelSession(
            model: LocalLanguageModel(at: file, options: .init(contextLength: 500)), transcript: transcript
        ).respond(to: "And why?", options: greedy)
        #expect(cold.usage.input.cachedTokenCount == 0)
        #expect(warm.usage.input.cachedTokenCount > 0)
        #expect(warm.usage.input.totalTokenCount == cold.usage.input.totalTokenCount)
        #expect(warm.content == cold.content)
    }

    @Test("P-15 Prewarm changes no answer; after it the instructions are read already")
    func prewarm() async throws {
        let options = LocalLanguageModel.Options(contextLength: 400)
        let model = LocalLanguageModel(at: file, options: options)
        func answer(prewarmed: Bool) async throws -> LanguageModelSession.Response<String> {
            let session = LanguageModelSession(
                model: model, instructions: "You are a friendly guide through the town of Delft.")
            if prewarmed {
                session.prewarm(promptPrefix: Prompt("Tell me"))
                // Prewarm begins on a task of its own; the request waits for it once it has begun.
                try await Task.sleep(for: .milliseconds(300))
            }
            return try await session.respond(to: "Tell me where to go.", options: greedy)
        }
        let cold = try await answer(prewarmed: false)
        let warm = try await answer(prewarmed: true)
        #expect(cold.usage.input.cachedTokenCount == 0)
        #expect(warm.usage.input.cachedTokenCount > 15)
        #expect(warm.content == cold.content)
    }

    @Test("X-01 T-49 A conversation that is too long is refused with both numbers")
    func tooLong() async throws {
        let small = LocalLanguageModel(at: file, options: .init(contextLength: 32))
        let error = try await #require(throws: LanguageModelError.self) {
            try await LanguageModelSession(model: small).respond(to: String(repeating: "word ", count: 60))
        }
        guard case .contextSizeExceeded(let payload) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(payload.contextSize == 32)
        #expect(payload.tokenCount > 60)
    }

    @Test("Files and options that cannot be used are typed errors from the request, not from making the model")
    func failures() async throws {
        func failure(_ model: LocalLanguageModel) async -> LocalLanguageModelError? {
            do {
                try await LanguageModelSession(model: model).respond(to: "a", options: greedy)
                return nil
            } catch {
                return error as? LocalLanguageModelError
            }
        }
        guard case .modelNotFound? = await failure(LocalLanguageModel(named: "/nowhere/x.gguf")) else {
            Issue.record("not modelNotFound")
            return
        }
        guard case .unusableModel? = await failure(LocalLanguageModel(at: Fixtures.url("texts/prose.txt"))) else {
            Issue.record("not unusableModel")
            return
        }
        guard case .invalidOption? = await failure(LocalLanguageModel(at: file, options: .init(topP: 2))) else {
            Issue.record("not invalidOption")
            return
        }
    }

    @Test("T-37 X-14 A cancelled answer ends soon and leaves the cache sound")
    func cancelled() async throws {
        let options = GenerationOptions(samplingMode: .greedy, maximumResponseTokens: 400)
        let expected = try await LanguageModelSession(model: model).respond(to: "Tell a long story.", options: greedy)
        for count in [1, 5] {
            let session = LanguageModelSession(model: model)
            let task = Task {
                var seen = 0
                for try await _ in session.streamResponse(to: "Tell a long story.", options: options) {
                    seen += 1
                    if seen == count { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
                }
            }
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(session.transcript.isEmpty)
            let again = try await session.respond(to: "Tell a long story.", options: greedy)
            #expect(again.content == expected.content)
        }
    }

    @Test("P-16 Thirty-two callers at once load once, and each gets the answer it would get alone")
    func loadsOnce() async throws {
        let model = LocalLanguageModel(at: file, options: .init(contextLength: 300))
        let loads = EngineTable.shared.loads
        let answers = try await withThrowingTaskGroup(of: String.self) { group in
            for index in 0..<32 {
                group.addTask {
                    let session = LanguageModelSession(model: model)
                    if index % 2 == 0 { session.prewarm() }
                    return try await session.respond(
                        to: "Hi", options: GenerationOptions(samplingMode: .greedy, maximumResponseTokens: 3)
                    ).content
                }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(answers.count == 1)
        #expect(EngineTable.shared.loads == loads + 1)
    }

    @Test("P-14 A model that calls no tools, sees nothing and obeys no schema declares none of it")
    func capabilities() {
        let all: [LanguageModelCapabilities.Capability] = [.toolCalling, .vision, .reasoning, .guidedGeneration]
        for one in all { #expect(!model.capabilities.contains(one)) }
    }

    @Test("P-09 Ten thousand model values touch no file")
    func light() {
        let models = (0..<10_000).map { LocalLanguageModel(at: URL(filePath: "/nowhere/\($0).gguf")) }
        #expect(models.allSatisfy { !$0.capabilities.contains(.vision) })
    }

    @Test("Quantisation is no error with a file that is quantised already, and a loaded model says how much it did")
    func quantisation() async throws {
        func count(_ name: String, _ type: LocalLanguageModel.Options.Quantization?) async throws -> Int {
            let options = LocalLanguageModel.Options(quantization: type)
            return try await LocalLanguageModel(at: Fixtures.url("\(name).gguf"), options: options).load().quantizedTensorCount
        }
        #expect(try await count("quant-q4_0", .q8) == 0)
        #expect(try await count("quant-f32", nil) == 0)
        #expect(try await count("quant-f32", .q8) > 0)
    }
}
