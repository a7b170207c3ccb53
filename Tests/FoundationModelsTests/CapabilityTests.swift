import Foundation
import FoundationModels
import Testing

@Suite("Capabilities")
struct CapabilityTests {
    struct Echo: Tool {
        let description = "Says it again"
        func call(arguments: GeneratedContent) async throws -> String { arguments.jsonString }
        var parameters: GenerationSchema { GeneratedContent.generationSchema }
    }

    private func refused(
        _ capability: LanguageModelCapabilities.Capability, _ tools: [any Tool] = [],
        _ request: (LanguageModelSession) async throws -> Void
    ) async throws {
        let model = ScriptedModel(texts: ["x"])
        let session = LanguageModelSession(model: model, tools: tools)
        let error = try await #require(throws: LanguageModelError.self) { try await request(session) }
        guard case .unsupportedCapability(let payload) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(payload.capability == capability)
        #expect(model.log.requests.isEmpty)
        #expect(model.log.made == 0)
    }

    @Test("P-13 What was not declared is refused before the executor is even made")
    func refusals() async throws {
        try await refused(.toolCalling, [Echo()]) { try await $0.respond(to: "a") }
        try await refused(.guidedGeneration) { try await $0.respond(to: "a", generating: Int.self) }
        try await refused(.guidedGeneration) { try await $0.respond(to: "a", schema: String.generationSchema) }
        try await refused(.reasoning) {
            try await $0.respond(to: "a", contextOptions: ContextOptions(reasoningLevel: .light))
        }
        let url = URL(filePath: "/nowhere.png")
        try await refused(.vision) { session in
            try await session.respond {
                "What is it?"
                Attachment(imageURL: url)
            }
        }
        try await refused(.vision) { session in
            try await session.respond { Attachment(imageURL: url).label("it") }
        }
    }

    @Test("Plain text needs no capability, and disallowed tools need none")
    func allowed() async throws {
        let model = ScriptedModel([.reasoning], texts: ["x"])
        let session = LanguageModelSession(model: model, tools: [Echo()])
        let options = GenerationOptions(toolCallingMode: .disallowed)
        #expect(try await session.respond(to: "a", options: options).content == "x")
        #expect(model.log.requests.first?.enabledToolDefinitions == [])
    }

    @Test("Required tools without any are refused with a typed error")
    func required() async throws {
        try await refused(.toolCalling) {
            try await $0.respond(to: "a", options: GenerationOptions(toolCallingMode: .required))
        }
    }

    @Test("P-11 Both spellings of a capability set are equal; P-12 each capability is found")
    func spellings() {
        let all: [LanguageModelCapabilities.Capability] = [.vision, .guidedGeneration, .reasoning, .toolCalling]
        #expect(LanguageModelCapabilities(all) == LanguageModelCapabilities(capabilities: all.reversed()))
        for one in all {
            #expect(LanguageModelCapabilities([one]).contains(one))
            #expect(!LanguageModelCapabilities([]).contains(one))
        }
    }

    @Test("Data attachments go through when the model takes their type, and are refused with their entry otherwise")
    func data() async throws {
        struct Note: DataAttachmentRepresentable {
            var type = UTType.plainText
            init(_ type: UTType) { self.type = type }
            init(_ attachment: Transcript.DataAttachment) { type = attachment.contentType }
            var transcriptRepresentation: Transcript.DataAttachment {
                .init(contentType: type, content: Data("n".utf8))
            }
        }
        let session = LanguageModelSession(model: ScriptedModel(texts: ["x"]))
        try await session.respond { Attachment(Note(.plainText)).label("note") }
        let error = try await #require(throws: LanguageModelError.self) {
            try await session.respond { Attachment(Note(.pdf)) }
        }
        guard case .unsupportedTranscriptContent(let payload) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(payload.unsupportedContent.count == 1)
    }
}
