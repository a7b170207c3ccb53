import Foundation
import FoundationModels
import Testing

@testable import LighthouseModels

@Suite struct RequestBuilderTests {
    private func body(
        _ entries: [Transcript.Entry], options: GenerationOptions = .init(), context: ContextOptions = .init()
    ) throws -> LighthouseBody {
        try LighthouseRequestBuilder.body(
            for: LanguageModelExecutorGenerationRequest(
                id: UUID(), transcript: Transcript(entries: entries), enabledTools: [], generationOptions: options,
                contextOptions: context, metadata: [:]),
            modelID: "test-model")
    }

    @Test func `system instructions become a system message`() throws {
        let body = try body([
            .instructions(
                Transcript.Instructions(
                    segments: [.text(Transcript.TextSegment(content: "Be concise."))], toolDefinitions: [])),
            .prompt(Transcript.Prompt(segments: [.text(Transcript.TextSegment(content: "Hello"))])),
        ])
        #expect(body.messages[0].role == "system")
        #expect(body.messages[0].parts[0].text == "Be concise.")
        #expect(body.messages[1].role == "user")
    }

    @Test("TR-03 each tool output becomes a message of its own") func toolOutputs() throws {
        func output(_ id: String, _ text: String) -> Transcript.Entry {
            .toolOutput(Transcript.ToolOutput(id: id, toolName: "weather", segments: [.text(.init(content: text))]))
        }
        let body = try body([output("1", "Rain"), output("2", "Sun")])
        #expect(body.messages.map(\.role) == ["tool", "tool"])
        #expect(body.messages.map { $0.parts.map(\.text) } == [["Rain"], ["Sun"]])
    }

    @Test func `options become settings, and what is not set stays out of the body`() throws {
        let full = try body(
            [],
            options: GenerationOptions(
                samplingMode: .random(top: 8, seed: 3), temperature: 0.5, maximumResponseTokens: 9),
            context: ContextOptions(reasoningLevel: .deep))
        #expect(
            full.topK == 8 && full.seed == 3 && full.temperature == 0.5 && full.maxTokens == 9 && full.effort == "high")
        let empty = String(decoding: try JSONEncoder().encode(try body([])), as: UTF8.self)
        #expect(!empty.contains("temperature") && !empty.contains("topK") && !empty.contains("schema"))
    }

    @Test func `images are sent as base64 between their texts, signatures as bytes`() throws {
        let image = Transcript.ImageAttachment(data: Data([0xFF, 0xD8, 0xFF, 0x01]), mimeType: nil)
        let body = try body([
            .prompt(
                Transcript.Prompt(segments: [
                    .text(.init(content: "a")), .attachment(.init(content: .image(image))), .text(.init(content: "b")),
                ])),
            .reasoning(Transcript.Reasoning(segments: [], signature: Data([0xFF, 0x00]))),
        ])
        #expect(body.messages[0].parts.map(\.text) == ["a", nil, "b"])
        #expect(body.messages[0].parts[1].imageType == "image/jpeg")
        #expect(body.messages[0].parts[1].imageBase64 == "/9j/AQ==")
        #expect(body.messages[1].signature == Data([0xFF, 0x00]))
    }
}
