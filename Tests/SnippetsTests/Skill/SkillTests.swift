// The same text, "Testing": its three layers, and the code of an app developer from its beginning.
import Foundation
import FoundationModels
import FoundationModelsExtras
import HearthTestKit
import Testing

/// The text's translator, which it uses and does not show; it takes the recording sink or the channel.
struct MyEventTranslator<Sink: EventSink> {
    let responseEntryID: String
    let toolCallsEntryID: String
    let channel: Sink

    func translate(_ event: ProviderEvent) async {
        switch event {
        case .textDelta(let text):
            await channel.send(.response(entryID: responseEntryID, action: .appendText(text, tokenCount: 1)))
        case .toolCallStart(let id, let name):
            await channel.send(
                .toolCalls(
                    entryID: toolCallsEntryID,
                    action: .toolCall(id: id, name: name, action: .appendArguments("", tokenCount: 0))))
        default: break
        }
    }
}

protocol EventSink {
    func send(_ event: LanguageModelExecutorGenerationChannel.Event) async
}

extension RecordingChannel: EventSink {}
extension LanguageModelExecutorGenerationChannel: EventSink {}

@Suite("Snippets of the skill text", .serialized)
struct SkillTests {
    @Test func `system instructions become a system message`() throws {
        let transcript = Transcript(entries: [
            .instructions(
                Transcript.Instructions(
                    segments: [.text(Transcript.TextSegment(content: "Be concise."))],
                    toolDefinitions: []
                )
            ),
            .prompt(
                Transcript.Prompt(
                    segments: [.text(Transcript.TextSegment(content: "Hello"))]
                )
            ),
        ])

        let body = try buildProviderRequest(from: transcript, modelID: "test-model")

        #expect(body.messages[0].role == "system")
        #expect(body.messages[0].text == "Be concise.")
        #expect(body.messages[1].role == "user")
    }

    @Test func `text delta becomes appendText event`() async throws {
        let sink = RecordingChannel()
        let translator = MyEventTranslator(
            responseEntryID: "r1",
            toolCallsEntryID: "t1",
            channel: sink
        )

        await translator.translate(.textDelta("Hi"))

        #expect(sink.events.count == 1)
        guard case .appendText(let fragment) = sink.events[0].content else {
            Issue.record("\(sink.events[0])")
            return
        }
        #expect(sink.events[0].entryID == "r1" && fragment.content == "Hi")
    }

    @Test("P-04 L-11 streamed text deltas assemble into a complete response")
    func streamed() async throws {
        StubbedTransport.shared.respond(
            with: [
                .textDelta("Hello"),
                .textDelta(", world!"),
                .done,
            ]
        )

        let model = MyLanguageModel(name: "test-model", apiKey: "sk-test", baseURL: .testBase)
        let session = LanguageModelSession(model: model)
        let response = try await session.respond(to: "anything")

        #expect(response.content == "Hello, world!")
    }

    @Test("P-01 P-10 A-02 the code of an app developer runs, and signing in twice runs one flow")
    func appDeveloper() async throws {
        StubbedTransport.shared.respond(with: [.textDelta("Day 1: Recoleta."), .done])
        let model = MyLanguageModel(name: "your-model-id", baseURL: URL(string: "https://api.example.com")!)
        try await model.authenticateIfNeeded()
        try await model.authenticateIfNeeded()
        #expect(await OAuthSession.shared.flows == 1)

        let session = LanguageModelSession(model: model)
        let response = try await session.respond(to: "Plan a 4-day trip to Buenos Aires…")
        #expect(response.content == "Day 1: Recoleta.")
        #expect(model.timeout == 60)
        let keyed = MyLanguageModel(name: "your-model-id", apiKey: "k", baseURL: model.baseURL)
        #expect(keyed.timeout == 60)
        #expect(keyed.executorConfiguration != model.executorConfiguration)
    }

    struct Weather: Tool {
        let name = "weather"
        let description = "The weather in a city"
        @Generable struct Arguments { let city: String }
        func call(arguments: Arguments) async throws -> String {
            // What the provider says when it is asked again.
            StubbedTransport.shared.respond(with: [
                .textDelta("It "), .textDelta("rains."), .usage(prompt: 12, cached: 9, completion: 2, reasoning: 0), .done,
                .textDelta("never"),
            ])
            return "Rain in \(arguments.city)"
        }
    }

    @Test("E-21 L-12 reasoning, a call in several deltas, a retracted one, and the answer after the tool")
    func tools() async throws {
        StubbedTransport.shared.respond(with: [
            .reasoningDelta("Let me "), .reasoningDelta("look."), .reasoningSignature(Data([0xFF, 0x00])),
            .toolCallStart(id: "a", name: "weather"), .toolCallStart(id: "b", name: "weather"),
            .toolCallArgsDelta(id: "a", name: "weather", args: "{\"city\":"),
            .toolCallArgsDelta(id: "b", name: "weather", args: "{\"city\""),
            .toolCallArgsDelta(id: "a", name: "weather", args: "\"Delft\"}"),
            .toolCallRetracted(.init(id: "b", toolName: "weather", arguments: .init(properties: [:]))),
            .usage(prompt: 9, cached: 0, completion: 4, reasoning: 2), .done,
        ])
        let session = LanguageModelSession(
            model: MyLanguageModel(name: "m", apiKey: "k", baseURL: .testBase), tools: [Weather()])
        let response = try await session.respond(to: "Weather?")
        #expect(response.content == "It rains.")
        // The provider reports usage on a response entry, also in the round of the calls.
        #expect(
            session.transcript.map(kind) == [
                "instructions", "prompt", "reasoning", "calls a", "response", "output", "response",
            ])
        #expect(session.usage.input.totalTokenCount == 21)
        #expect(session.usage.output.reasoningTokenCount == 2)
    }

    private func kind(_ entry: Transcript.Entry) -> String {
        switch entry {
        case .instructions: "instructions"
        case .prompt: "prompt"
        case .reasoning: "reasoning"
        case .toolCalls(let calls): "calls \(calls.map(\.id).joined(separator: " "))"
        case .toolOutput: "output"
        case .response: "response"
        case .data: "data"
        }
    }

    @Test("E-05 E-13 all provider events of the text's executor arrive where they belong")
    func allEvents() async throws {
        StubbedTransport.shared.respond(with: [
            .reasoningDelta("Hm."), .reasoningSignature(Data([0xFF, 0x00])), .toolCallStart(id: "1", name: "gone"),
            .toolCallArgsDelta(id: "1", name: "gone", args: "{"),
            .toolCallRetracted(
                Transcript.ToolCall(id: "1", toolName: "gone", arguments: GeneratedContent(properties: [:]))),
            .textDelta("So."), .usage(prompt: 10, cached: 4, completion: 3, reasoning: 1), .done,
        ])
        let session = LanguageModelSession(model: MyLanguageModel(name: "m", apiKey: "k", baseURL: .testBase))
        let response = try await session.respond(to: "a")
        #expect(response.transcriptEntries.map(role) == ["assistant 2", "assistant 1"])
        #expect(response.usage.output.totalTokenCount == 3 && response.usage.input.cachedTokenCount == 4)
    }

    @Test("X-10 X-11 each error of the text is a case of the framework's, with words")
    func errors() throws {
        for body in SkillErrors.all {
            let error = #expect(throws: LanguageModelError.self) { try body([]) }
            #expect(error?.errorDescription?.isEmpty == false)
            #expect(error?.debugDescription.isEmpty == false)
        }
        #expect(SkillErrors.all.count == 8)
        #expect(
            MyServiceError.planLimitReached(upgradeURL: nil).errorDescription == "Your plan limit has been reached.")
    }

    @Test("R-08 TR-06 E-08 options are read, schemas encoded, segments sent as the text shows")
    func optionsAndSegments() async throws {
        var provider = ProviderRequest()
        var request = LanguageModelExecutorGenerationRequest(
            id: UUID(), transcript: Transcript(), enabledTools: [], schema: Int.generationSchema,
            generationOptions: GenerationOptions(samplingMode: .random(top: 5, seed: 7)),
            contextOptions: ContextOptions(),
            metadata: [:])
        translate(request, into: &provider)
        #expect(provider.topK == 5 && provider.seed == 7)
        request.generationOptions.samplingMode = .greedy
        translate(request, into: &provider)
        #expect(provider.temperature == 0)
        #expect(try encoded(request).count == 1)
        #expect(
            schema(of: Transcript.ResponseFormat(type: Int.self)).debugDescription
                == Int.generationSchema.debugDescription)

        let sink = RecordingChannel()
        try await sink.record { channel in
            await sendSegments(
                [.init(title: "Swift", url: URL(string: "https://swift.org")!, snippet: "A language")],
                imageURL: URL(filePath: "/tmp/a.png"), imageID: "i", responseEntryID: "r", channel: channel)
        }
        #expect(sink.events.count == 3)
        if case .updateCustomSegment(let segment) = sink.contents[0] {
            #expect(segment.description == "• Swift — https://swift.org")
        } else {
            Issue.record("\(sink.contents[0])")
        }
    }
}
