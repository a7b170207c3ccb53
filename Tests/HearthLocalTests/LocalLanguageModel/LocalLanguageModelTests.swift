import Foundation
import FoundationModels
import HearthLocal
import HearthTestSupport
import Testing

/// Through the real session, with the default model.
@Suite(
    "LocalLanguageModel", .serialized,
    .enabled(if: Store.has(Store.defaultModel), "run make test to fetch the default model"))
struct LocalLanguageModelTests {
    private let model = LocalLanguageModel(at: Store.defaultModel)
    private let greedy = GenerationOptions(samplingMode: .greedy, maximumResponseTokens: 8)

    private func metadata(_ session: LanguageModelSession) -> [String: GeneratedContent] {
        guard case .response(let response)? = session.transcript.last else { return [:] }
        return response.metadata
    }

    @Test("P-01 A session answers, and says where the answer comes from and what it cost")
    func answer() async throws {
        let session = LanguageModelSession(model: model, instructions: "Answer in one sentence.")
        let response = try await session.respond(to: "Why is the sky blue?", options: greedy)
        #expect(!response.content.isEmpty)
        #expect(response.usage.output.totalTokenCount == 8)
        #expect(response.usage.input.totalTokenCount > 10)
        let metadata = metadata(session)
        #expect(try metadata["modelID"]?.value(String.self) == "smollm2-135m-instruct-q4_1")
        #expect(try metadata["finishReason"]?.value(String.self) == "length")
        #expect(try (metadata["tokensPerSecond"]?.value(Double.self) ?? 0) > 0)
        #expect(try (metadata["timeToFirstToken"]?.value(Double.self) ?? 0) > 0)
        #expect(try UInt64(#require(metadata["seed"]).value(String.self)) != nil)
        #expect(try UUID(uuidString: #require(metadata["requestID"]).value(String.self)) != nil)
    }

    @Test("K-01 A second turn reads its new tokens only: what was sampled is remembered as it was")
    func secondTurn() async throws {
        let loaded = try await model.load()
        let session = LanguageModelSession(model: model, instructions: "Answer in one sentence.")
        let first = try await session.respond(to: "Why is the sky blue?", options: greedy)
        let before = loaded.engine.counters
        let second = try await session.respond(to: "And in the evening?", options: greedy)
        let after = loaded.engine.counters
        // The last sampled token was never read, so it is read now.
        let known = first.usage.input.totalTokenCount + first.usage.output.totalTokenCount - 1
        #expect(second.usage.input.cachedTokenCount == known)
        #expect(after.evaluated - before.evaluated == second.usage.input.totalTokenCount - second.usage.input.cachedTokenCount)
    }

    @Test("K-02 TR-12 An edited entry is noticed: the cache ends before it, and the answer is a cold run's")
    func edited() async throws {
        let session = LanguageModelSession(model: model, instructions: "Answer in one sentence.")
        try await session.respond(to: "Why is the sky blue?", options: greedy)
        session.transcript[1] = .prompt(.init(segments: [.text(.init(content: "Why is grass green?"))]))
        let transcript = session.transcript
        let warm = try await session.respond(to: "And why?", options: greedy)
        let cold = try await LanguageModelSession(
            model: LocalLanguageModel(at: Store.defaultModel, options: .init(contextLength: 1024)), transcript: transcript
        ).respond(to: "And why?", options: greedy)
        #expect(cold.usage.input.cachedTokenCount == 0)
        #expect(warm.usage.input.cachedTokenCount > 0)
        #expect(warm.usage.input.totalTokenCount == cold.usage.input.totalTokenCount)
        #expect(warm.content == cold.content)
    }

    @Test("P-15 Prewarm changes no answer; after it the instructions are read already")
    func prewarm() async throws {
        let options = LocalLanguageModel.Options(contextLength: 1000)
        let model = LocalLanguageModel(at: Store.defaultModel, options: options)
        func answer(prewarmed: Bool) async throws -> LanguageModelSession.Response<String> {
            let session = LanguageModelSession(model: model, instructions: "You are a friendly guide through the town of Delft.")
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

    @Test("E-22 The same seed gives the same answer, streamed or whole; the seed that was drawn repeats an answer")
    func seeds() async throws {
        let options = GenerationOptions(samplingMode: .random(top: 40, seed: 11), temperature: 1, maximumResponseTokens: 12)
        let whole = try await LanguageModelSession(model: model).respond(to: "Tell a story.", options: options)
        var snapshots: [String] = []
        for try await snapshot in LanguageModelSession(model: model).streamResponse(to: "Tell a story.", options: options) {
            snapshots.append(snapshot.content)
        }
        #expect(snapshots.last == whole.content)
        #expect(snapshots.count >= 12)

        let session = LanguageModelSession(model: model)
        let drawn = GenerationOptions(temperature: 1, maximumResponseTokens: 12)
        let first = try await session.respond(to: "Tell a story.", options: drawn)
        let seed = try UInt64(#require(metadata(session)["seed"]).value(String.self))
        let again = LocalLanguageModel(at: Store.defaultModel, options: .init(seed: seed))
        #expect(try await LanguageModelSession(model: again).respond(to: "Tell a story.", options: drawn).content == first.content)
    }

    @Test("R-15 A stop sequence ends the answer and is no part of it")
    func stops() async throws {
        let options = GenerationOptions(samplingMode: .greedy, maximumResponseTokens: 40)
        let whole = try await LanguageModelSession(model: model).respond(to: "Count from 1 to 9.", options: options).content
        let middle = whole.index(whole.startIndex, offsetBy: whole.count / 2)
        let stop = String(whole[middle...].prefix(4))
        let model = LocalLanguageModel(at: Store.defaultModel, options: .init(stopSequences: [stop]))
        let session = LanguageModelSession(model: model)
        let short = try await session.respond(to: "Count from 1 to 9.", options: options).content
        let expected = try #require(whole.range(of: stop)).lowerBound
        #expect(short == whole[..<expected])
        #expect(try metadata(session)["finishReason"]?.value(String.self) == "stop")
    }

    @Test("X-01 T-49 A conversation that is too long is refused with both numbers")
    func tooLong() async throws {
        let small = LocalLanguageModel(at: Store.defaultModel, options: .init(contextLength: 32))
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
        guard case .invalidOption? = await failure(LocalLanguageModel(at: Store.defaultModel, options: .init(topP: 2))) else {
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
        let model = LocalLanguageModel(at: Store.defaultModel, options: .init(contextLength: 512))
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

    @Test("P-09 Ten thousand model values touch no file")
    func light() {
        let models = (0..<10_000).map { LocalLanguageModel(at: URL(filePath: "/nowhere/\($0).gguf")) }
        #expect(models.allSatisfy { !$0.capabilities.contains(.vision) })
    }
}
