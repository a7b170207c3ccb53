import Foundation
import FoundationModels
import Observation
import Testing

@Suite("LanguageModelSession")
struct SessionTests {
    @Test("A text answer is the joined deltas, and the transcript holds prompt and response")
    func text() async throws {
        let session = LanguageModelSession(model: ScriptedModel(texts: ["Hello", ", ", "world!"]))
        let response = try await session.respond(to: "anything")
        #expect(response.content == "Hello, world!")
        #expect(response.rawContent == GeneratedContent("Hello, world!"))
        #expect(session.transcript.kinds == ["prompt", "response"])
        #expect(response.transcriptEntries.count == 1)
        #expect(response.usage.output.totalTokenCount == 3)
        #expect(!session.isResponding)
    }

    @Test("Instructions and tools stand first; without either the transcript begins empty")
    func instructions() {
        let model = ScriptedModel(texts: [])
        #expect(LanguageModelSession(model: model).transcript.isEmpty)
        #expect(LanguageModelSession(model: model, tools: [], instructions: nil).transcript.isEmpty)
        let session = LanguageModelSession(model: model) {
            "a"
            "b"
        }
        guard case .instructions(let entry)? = session.transcript.first else {
            Issue.record("no instructions")
            return
        }
        #expect(entry.segments.map(\.description) == ["a\nb"])
    }

    @Test("R-02 The executor sees the whole history, in order, edited entries included")
    func history() async throws {
        let model = ScriptedModel(texts: ["x"])
        let session = LanguageModelSession(model: model, instructions: "Be brief.")
        try await session.respond(to: "one")
        session.transcript[1] = .prompt(.init(segments: [.text(.init(content: "changed"))]))
        try await session.respond(to: "two")
        let seen = try #require(model.log.requests.last?.transcript)
        #expect(seen.kinds == ["instructions", "prompt", "response", "prompt"])
        #expect(seen[1].description == "(Prompt) changed")
    }

    @Test("P-06 Equal configurations share one executor, in one session")
    func executors() async throws {
        let log = ScriptLog()
        let model = ScriptedModel(log: log) { _, _ in }
        let session = LanguageModelSession(model: model)
        try await session.respond(to: "a")
        try await session.respond(to: "b")
        #expect(log.made == 1)
        let other = LanguageModelSession(model: model)
        try await other.respond(to: "a")
        #expect(log.made == 2)
    }

    @Test("P-07 A session lets go of its executors when it ends")
    func release() async throws {
        let log = ScriptLog()
        do {
            let session = LanguageModelSession(model: ScriptedModel(log: log) { _, _ in })
            try await session.respond(to: "a")
            #expect(log.released == 0)
        }
        #expect(await eventually { log.released == 1 })
    }

    @Test("P-08 An error of the executor's init reaches the caller unchanged, and prewarm says nothing of it")
    func refusedExecutor() async throws {
        let session = LanguageModelSession(model: ScriptedModel(name: "refused") { _, _ in })
        session.prewarm()
        await #expect(throws: ScriptedExecutor.Refused()) { try await session.respond(to: "a") }
        #expect(session.transcript.isEmpty)
        #expect(!session.isResponding)
    }

    @Test("Prewarm gives the transcript, with a prompt for the prefix")
    func prewarm() async throws {
        let model = ScriptedModel(texts: [])
        let session = LanguageModelSession(model: model, instructions: "Be brief.")
        session.prewarm()
        #expect(await eventually { model.log.prewarmed.count == 1 })
        session.prewarm(promptPrefix: Prompt("Once upon"))
        #expect(await eventually { model.log.prewarmed.count == 2 })
        #expect(model.log.prewarmed.last?.kinds == ["instructions", "prompt"])
        #expect(session.transcript.kinds == ["instructions"])
    }

    @Test("A second request while one is running ends with concurrentRequests, and the first goes on")
    func concurrentRequests() async throws {
        let gate = Gate()
        let session = LanguageModelSession(
            model: ScriptedModel { _, channel in
                await gate.wait()
                await channel.send(.response(action: .appendText("done", tokenCount: 1)))
            })
        let first = Task { try await session.respond(to: "a").content }
        #expect(await eventually { session.isResponding })
        await #expect(throws: LanguageModelSession.Error.concurrentRequests) { try await session.respond(to: "b") }
        await #expect(throws: LanguageModelSession.Error.concurrentRequests) {
            for try await _ in session.streamResponse(to: "c") {}
        }
        gate.open()
        #expect(try await first.value == "done")
        #expect(session.transcript.kinds == ["prompt", "response"])
    }

    @Test("Executor errors come out as they are, and the transcript is as before")
    func errors() async throws {
        let session = LanguageModelSession(
            model: ScriptedModel { _, channel in
                await channel.send(.response(action: .appendText("par", tokenCount: 1)))
                throw LanguageModelError.timeout(.init(debugDescription: "slow"))
            })
        let error = try await #require(throws: LanguageModelError.self) { try await session.respond(to: "a") }
        guard case .timeout(let payload) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(payload.debugDescription == "slow")
        #expect(session.transcript.isEmpty)
        session.transcriptErrorHandlingPolicy = .preserveTranscript
        await #expect(throws: LanguageModelError.self) { try await session.respond(to: "b") }
        #expect(session.transcript.kinds == ["prompt", "response"])
    }

    @Test("Setting the transcript during a request ends that request, and the new transcript stays")
    func mutation() async throws {
        let session = LanguageModelSession(
            model: ScriptedModel { _, channel in
                await channel.send(.response(action: .appendText("par", tokenCount: 1)))
                try await Task.sleep(for: .seconds(60))
            })
        let task = Task { try await session.respond(to: "a") }
        #expect(await eventually { session.transcript.count == 2 })
        session.transcript = Transcript(entries: [.prompt(.init(segments: []))])
        await #expect(throws: LanguageModelSession.Error.transcriptMutationWhileResponding) { try await task.value }
        #expect(session.transcript.kinds == ["prompt"])
        #expect(!session.isResponding)
    }

    @Test("X-14 Cancelling the caller cancels the executor; the policy says what stays")
    func cancellation() async throws {
        for (policy, kinds) in [(nil, []), (TranscriptErrorHandlingPolicy.preserveTranscript, ["prompt", "response"])] {
            let cancelled = Gate()
            let session = LanguageModelSession(
                model: ScriptedModel { _, channel in
                    await channel.send(.response(action: .appendText("par", tokenCount: 1)))
                    do { try await Task.sleep(for: .seconds(60)) } catch { cancelled.open() }
                    throw URLError(.cancelled)
                })
            session.transcriptErrorHandlingPolicy = policy
            let task = Task { try await session.respond(to: "a") }
            #expect(await eventually { session.transcript.count == 2 })
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            await cancelled.wait()
            #expect(session.transcript.kinds == kinds)
            #expect(!session.isResponding)
        }
    }

    @Test("A call from a task that is cancelled already never reaches the executor")
    func cancelledBefore() async throws {
        let model = ScriptedModel(texts: ["x"])
        let session = LanguageModelSession(model: model)
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await session.respond(to: "a")
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(model.log.requests.isEmpty)
    }

    @Test("Usage adds up over requests, and a failed one counts too")
    func usage() async throws {
        let session = LanguageModelSession(
            model: ScriptedModel { round, channel in
                await channel.send(.response(action: .appendText("x", tokenCount: 1)))
                await channel.send(
                    .response(
                        action: .updateUsage(
                            input: .init(totalTokenCount: 195, cachedTokenCount: 80),
                            output: .init(totalTokenCount: 42, reasoningTokenCount: 2))))
                if round.number == 2 { throw URLError(.badURL) }
            })
        try await session.respond(to: "a")
        #expect(session.usage.input.totalTokenCount == 195)
        #expect(session.usage.input.cachedTokenCount == 80)
        #expect(session.usage.output.totalTokenCount == 42)
        #expect(session.usage.totalTokenCount == 237)
        await #expect(throws: URLError.self) { try await session.respond(to: "b") }
        #expect(session.usage.output.totalTokenCount == 84)
    }

    @Test("What the caller says goes to the executor: options, context options, metadata")
    func requestValues() async throws {
        let model = ScriptedModel([.reasoning], texts: ["x"])
        let session = LanguageModelSession(model: model)
        var options = GenerationOptions(sampling: .greedy, maximumResponseTokens: 7)
        options.temperature = 0.5
        try await session.respond(
            to: "a", options: options, contextOptions: ContextOptions(reasoningLevel: .deep),
            metadata: ["user": "u1", "try": 2])
        let request = try #require(model.log.requests.first)
        #expect(request.generationOptions.samplingMode?.kind == .greedy)
        #expect(request.generationOptions.sampling == .greedy)
        #expect(request.generationOptions.maximumResponseTokens == 7)
        #expect(request.contextOptions.reasoningLevel == .deep)
        #expect(request.contextOptions.includeSchemaInPrompt == nil)
        #expect(try request.metadata["user"]?.value(String.self) == "u1")
        #expect(request.schema == nil)
        guard case .prompt(let prompt)? = session.transcript.first else {
            Issue.record("no prompt")
            return
        }
        #expect(prompt.options == options)
        #expect(try prompt.metadata["try"]?.value(Int.self) == 2)
    }

    @Test("The transcript and isResponding are observed")
    func observation() async throws {
        let session = LanguageModelSession(model: ScriptedModel(texts: ["x"]))
        let changes = Gate()
        withObservationTracking {
            _ = session.isResponding
        } onChange: {
            changes.open()
        }
        try await session.respond(to: "a")
        await changes.wait()
    }
}

/// Opens once; whoever waits goes on.
final class Gate: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream() }

    func open() { continuation.finish() }

    func wait() async { for await _ in stream {} }
}
