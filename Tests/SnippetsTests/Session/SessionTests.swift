import Foundation
import FoundationModels
import HearthTestKit
import Testing

@Suite("Snippets of the session's notes and article")
struct SessionTests {
    @Test("P-05 E-11 the sketched conformance answers, and its options reach it")
    func sketch() async throws {
        let session = LanguageModelSession(model: SketchedLanguageModel())
        let response = try await session.respond(
            to: "a", options: GenerationOptions(temperature: 0.5, maximumResponseTokens: 3),
            contextOptions: ContextOptions(reasoningLevel: .deep))
        #expect(response.content.hasSuffix("0.5 3"))
        #expect(response.usage.output.totalTokenCount == 3)
        guard case .response(let entry)? = session.transcript.last else {
            Issue.record("\(session.transcript)")
            return
        }
        #expect(try entry.metadata["modelID"]?.value(String.self) == "my-model-2026-06-08")
    }

    @Test("P-18 P-19 models are swapped without touching the code around them; Apple's say that they are unavailable here")
    func swapping() async throws {
        func ask(_ model: some LanguageModel) async throws -> String {
            let session = LanguageModelSession(model: model)
            let response = try await session.respond(to: "...")
            return response.content
        }
        #expect(try await ask(ScriptedLanguageModel(texts: ["x"])) == "x")
        #expect(try await ask(SketchedLanguageModel()).hasSuffix("1.0 0"))
        #expect(try await ask(KeepingLanguageModel()) == "weights 1")
        await #expect(throws: SystemLanguageModel.Error.self) { try await ask(SystemLanguageModel()) }
        await #expect(throws: PrivateCloudComputeLanguageModel.Error.self) {
            try await ask(PrivateCloudComputeLanguageModel())
        }
        await #expect(throws: SystemLanguageModel.Error.self) { try await swapModels() }
    }

    @Test("R-09 R-13 greedy sampling becomes temperature 0, and a small budget is refused")
    func approximation() throws {
        var service = ServiceRequest()
        var request = LanguageModelExecutorGenerationRequest(
            id: UUID(), transcript: Transcript(), enabledTools: [],
            generationOptions: GenerationOptions(sampling: .greedy),
            contextOptions: ContextOptions(), metadata: [:])
        try approximate(request, &service)
        #expect(service.temperature == 0)
        request.schema = Int.generationSchema
        request.generationOptions.maximumResponseTokens = 7
        #expect(throws: LanguageModelError.self) { try approximate(request, &service) }
        request.generationOptions.maximumResponseTokens = 8
        try approximate(request, &service)
    }

    @Test("TR-07 TR-08 a recording stands in the prompt behind its text, and one comes back in the answer")
    func audio() async throws {
        let model = ScriptedLanguageModel(turns: [
            [
                .text("In Spring Green."),
                .event(
                    .response(action: .updateCustomSegment(AudioSegment(id: "o", content: URL(filePath: "/a.wav"))))),
            ]
        ])
        let session = LanguageModelSession(model: model)
        #expect(try await askByVoice(session) == "In Spring Green.")
        guard case .prompt(let prompt)? = model.log.requests.first?.transcript.last, prompt.segments.count == 2,
            case .text = prompt.segments[0], case .custom(let segment) = prompt.segments[1]
        else {
            Issue.record("\(session.transcript)")
            return
        }
        #expect((segment as? AudioSegment)?.content.lastPathComponent == "recording.m4a")
        let sink = RecordingChannel()
        try await sink.record { channel in
            let events = AsyncThrowingStream<AudioEvent, any Error> { continuation in
                continuation.yield(.audioFileGenerated(.init(id: "1", url: URL(filePath: "/a.wav"))))
                continuation.finish()
            }
            try await answerByVoice(events, channel)
        }
        #expect(sink.events.count == 1)
    }

    @Test("V-01 V-02 a server's tool puts its result beside the text, and is part of the configuration")
    func serverTools() async throws {
        let model = ServedLanguageModel(serverTools: [.webSearch])
        let response = try await LanguageModelSession(model: model).respond(to: "Swift?")
        guard case .response(let entry)? = response.transcriptEntries.last, entry.segments.count == 2,
            case .custom(let segment) = entry.segments[0]
        else {
            Issue.record("\(response.transcriptEntries)")
            return
        }
        #expect((segment as? WebSearchSegment)?.content.html == "<p>Swift</p>")
        #expect(model.executorConfiguration != ServedLanguageModel().executorConfiguration)
    }

    @Test("P-16 K-03 weights are loaded once, and an edited transcript is read again")
    func keeping() async throws {
        let session = LanguageModelSession(model: KeepingLanguageModel(), instructions: "a")
        session.prewarm()
        #expect(try await session.respond(to: "b").content == "weights 1")
        let second = try await session.respond(to: "c")
        #expect(second.content == "weights 1")
        #expect(second.usage.input.cachedTokenCount == 2)
        session.transcript.removeFirst()
        #expect(try await session.respond(to: "d").usage.input.cachedTokenCount == 0)
    }
}
