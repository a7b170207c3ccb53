import Foundation
import FoundationModels
import FoundationModelsExtras
import HearthTestKit
import Testing

@Suite("Recordings")
struct RecordingTests {
    struct Sources: Transcript.CustomSegment {
        let id: String
        let content: [String]
        var description: String { content.joined(separator: ", ") }
    }

    /// Every kind of event once, with and without what is optional.
    static let events: [LanguageModelExecutorGenerationChannel.Event] = [
        .response(
            action: .updateMetadata([
                "all": GeneratedContent(properties: [
                    "id": "m", "speed": 2.5, "list": GeneratedContent(elements: [1, 2]),
                ])
            ])),
        PlantedFault.usage(10, 2, 0),
        .response(
            entryID: "r",
            action: .updateUsage(
                input: .init(totalTokenCount: 10, cachedTokenCount: 2),
                output: .init(totalTokenCount: 3, reasoningTokenCount: 1),
                metadata: ["tier": "free"])),
        .reasoning(action: .appendText("Hm.", tokenCount: 1)),
        .reasoning(entryID: "t", action: .replaceTextSegment("So.", segmentID: "s", tokenCount: 1)),
        .reasoning(entryID: "t", action: .updateSignature(Data([0xFF, 0x00, 0xC3]), tokenCount: 0)),
        .reasoning(entryID: "t", action: .updateMetadata([:])),
        .reasoning(
            entryID: "t",
            action: .updateUsage(
                input: .init(totalTokenCount: 1, cachedTokenCount: 0),
                output: .init(totalTokenCount: 1, reasoningTokenCount: 1))),
        PlantedFault.text("line\n\"quoted\" Köln e\u{301}", segment: "s"),
        .response(entryID: "r", action: .replaceTextSegment("b", tokenCount: 2)),
        .response(entryID: "r", action: .addAttachmentSegment(PlantedFault.image("i"))),
        .response(
            entryID: "r",
            action: .addAttachmentSegment(
                .init(
                    id: "u", content: .image(.init(imageURL: URL(filePath: "/tmp/a.png"))), label: "A picture"))),
        .response(
            entryID: "r",
            action: .addAttachmentSegment(
                .init(id: "d", content: .data(.init(contentType: .json, content: Data("{}".utf8)))))),
        .response(entryID: "r", action: .removeAttachmentSegment(id: "i")),
        .response(entryID: "r", action: .updateCustomSegment(Sources(id: "x", content: ["a", "b"]))),
        PlantedFault.tag("1", ["tag": "t"]), PlantedFault.call("1", "weather", "{}"),
        .toolCalls(entryID: "c", action: .removeToolCall(id: "1")),
        .toolCalls(entryID: "c", action: .updateMetadata(["a": 1])),
        .toolCalls(
            entryID: "c",
            action: .updateUsage(
                input: .init(totalTokenCount: 1, cachedTokenCount: 0),
                output: .init(totalTokenCount: 1, reasoningTokenCount: 0))),
        .data(
            entryID: "d",
            action: .update(
                contentType: .json, content: Data([0, 255]), metadata: GeneratedContent(properties: ["a": 1]))),
    ]

    @Test("every kind of event comes back from the JSON form as it was")
    func roundTrip() throws {
        let recording = Recording(
            capabilities: LanguageModelCapabilities([.vision, .toolCalling]),
            rounds: [.init(asked: ["(Prompt) a"], events: Self.events)])
        let back = try Recording(json: recording.json)
        #expect(back.capabilities == recording.capabilities)
        #expect(back.rounds.count == 1)
        #expect(back.rounds[0].asked == ["(Prompt) a"])
        #expect(back.rounds[0].failure == nil)
        #expect(back.json == recording.json)
        #expect(back.rounds[0].events.count == Self.events.count)
        for (event, original) in zip(back.rounds[0].events, Self.events) {
            #expect(event.entryID == original.entryID)
            if case .updateCustomSegment(let segment) = event.content {
                #expect(segment.id == "x" && segment.description == "a, b")
                #expect(
                    (segment as? RecordedSegment)?.content
                        == RecordedSegment.Content(type: "Sources", json: #"["a","b"]"#))
            } else {
                #expect("\(event.content)" == "\(original.content)")
            }
        }
    }

    @Test("a recorded conversation plays back to the same transcript, tool loop included")
    func replay() async throws {
        let model = ScriptedLanguageModel(turns: [
            [
                .reasoning("They ask about Oslo."),
                .toolCall(id: "1", name: "weather", arguments: [#"{"city": "#, #""Oslo"}"#]),
            ],
            [.text("Rain, "), .text("as ever."), .usage(input: 9, cached: 4, output: 5)], [.text("Sun.")],
        ])
        let recorder = RecordingLanguageModel(model)
        let first = LanguageModelSession(model: recorder, tools: [ScriptedLanguageModelTests.Weather()])
        try await first.respond(to: "And today?")
        try await first.respond(to: "And tomorrow?")
        let file = FileManager.default.temporaryDirectory.appending(path: "recording-\(UUID().uuidString).json")
        try recorder.recording.write(to: file)
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: file) } }

        let replay = ReplayLanguageModel(try Recording(contentsOf: file))
        let second = LanguageModelSession(model: replay, tools: [ScriptedLanguageModelTests.Weather()])
        try await second.respond(to: "And today?")
        try await second.respond(to: "And tomorrow?")
        #expect(second.transcript.map(\.description) == first.transcript.map(\.description))
        #expect(second.usage.output.totalTokenCount == first.usage.output.totalTokenCount)
        let none = await #expect(throws: RecordingError.self) { try await second.respond(to: "And after?") }
        #expect(none == .noRoundLeft(rounds: 3))
        let other = LanguageModelSession(model: ReplayLanguageModel(recorder.recording))
        let error = await #expect(throws: RecordingError.self) { try await other.respond(to: "Something else") }
        #expect(error?.errorDescription?.hasPrefix("Round 1 of the recording answers another question.") == true)
    }

    @Test(
        "errors play back as the framework's cases, others by type and words",
        arguments: [
            LanguageModelError.contextSizeExceeded(.init(contextSize: 8, tokenCount: 9, debugDescription: "full")),
            .rateLimited(.init(resetDate: Date(timeIntervalSinceReferenceDate: 1.5), debugDescription: "429")),
            .rateLimited(.init(resetDate: nil, debugDescription: "429")),
            .guardrailViolation(.init(debugDescription: "unsafe")),
            .refusal(.init(explanation: "I would rather not.", debugDescription: "refused")),
            .unsupportedCapability(.init(capability: .vision, debugDescription: "blind")),
            .unsupportedTranscriptContent(.init(unsupportedContent: [], debugDescription: "strange")),
            .unsupportedGenerationGuide(.init(schemaName: "Day", debugDescription: "regex")),
            .unsupportedGenerationGuide(.init(schemaName: nil, debugDescription: "regex")),
            .unsupportedLanguageOrLocale(.init(languageCode: "xx", debugDescription: "language")),
            .timeout(.init(debugDescription: "slow")),
        ] as [LanguageModelError])
    func failures(_ error: LanguageModelError) async throws {
        let recorder = RecordingLanguageModel(ScriptedLanguageModel(turns: [[.text("a"), .failure(error)]]))
        await #expect(throws: LanguageModelError.self) {
            try await LanguageModelSession(model: recorder).respond(to: "a")
        }
        let replay = ReplayLanguageModel(try Recording(json: recorder.recording.json))
        let back = await #expect(throws: LanguageModelError.self) {
            try await LanguageModelSession(model: replay).respond(to: "a")
        }
        #expect(back?.debugDescription == error.debugDescription)
        #expect(back?.errorDescription == error.errorDescription)
        #expect(try Recording(json: recorder.recording.json).json == recorder.recording.json)
    }

    @Test("an error of a package's own keeps its type and its words")
    func ownFailure() async throws {
        let recorder = RecordingLanguageModel(ScriptedLanguageModel(turns: []))
        await #expect(throws: ScriptError.self) { try await LanguageModelSession(model: recorder).respond(to: "a") }
        let replay = ReplayLanguageModel(try Recording(json: recorder.recording.json))
        let back = await #expect(throws: RecordedFailure.self) {
            try await LanguageModelSession(model: replay).respond(to: "a")
        }
        #expect(back?.type == "ScriptError")
        #expect(back?.message.hasPrefix("The scripted model was asked for turn 1") == true)
    }

    @Test(
        "what is no recording is refused with the place",
        arguments: [
            ("{", "The recording is not JSON: "),
            ("{}", "The file's format is ''; a recording's is 'hearth-recording'. Record the model again."),
            (
                #"{"format": "hearth-recording"}"#,
                "The recording has no usable 'version' at the top. Record the model again."
            ),
            (
                #"{"format": "hearth-recording", "version": 2}"#,
                "The recording has version 2; this kit reads version 1. Record the model again."
            ),
            (
                #"{"format": "hearth-recording", "version": 1, "capabilities": ["flying"], "rounds": []}"#,
                #"The recording says '"flying"' at capabilities, which this kit does not know. Record the model again."#
            ),
            (
                #"{"format": "hearth-recording", "version": 1, "capabilities": [], "rounds": [{"asked": [], "events": [{"to": "response", "do": "sing"}]}]}"#,
                "The recording says 'sing' at rounds[0].events[0], which this kit does not know. Record the model again."
            ),
            (
                #"{"format": "hearth-recording", "version": 1, "capabilities": [], "rounds": [{"asked": [], "events": [{"to": "reasoning", "do": "updateSignature", "signature": "*"}]}]}"#,
                "The 'signature' at rounds[0].events[0] of the recording is not base64. Record the model again."
            ),
        ])
    func refused(json: String, words: String) throws {
        let error = #expect(throws: RecordingError.self) { try Recording(json: json) }
        #expect(error?.errorDescription?.hasPrefix(words) == true, "\(error?.errorDescription ?? "")")
    }

    @Test("a recording channel keeps what is sent by hand, and what an executor sends before it fails")
    func channel() async throws {
        let sink = RecordingChannel()
        await sink.send(PlantedFault.text("a"))
        await #expect(throws: URLError.self) {
            try await sink.record { channel in
                for _ in 0..<100 { await channel.send(PlantedFault.text("b")) }
                throw URLError(.badURL)
            }
        }
        #expect(sink.events.count == 101)
        if case .appendText(let fragment) = sink.contents[0] {
            #expect(fragment.content == "a")
        } else {
            Issue.record("no text")
        }
    }
}
