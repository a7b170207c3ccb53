import Foundation
import FoundationModels
import Testing

/// The provider of the skill text, through the real session; and the text's shorter snippets, which only have to compile.
@Suite("A provider written from the skill text")
struct SkillTextTests {
    private let base = URL(string: "https://api.example.com")!

    struct Weather: Tool {
        let name = "weather"
        let description = "The weather in a city"
        @Generable struct Arguments { let city: String }
        func call(arguments: Arguments) async throws -> String { "Rain in \(arguments.city)" }
    }

    @Test("P-04 L-11 `streamed text deltas assemble into a complete response`")
    func text() async throws {
        let model = MyLanguageModel(name: "test-model", apiKey: "sk-test", baseURL: base)
        let session = LanguageModelSession(model: model)
        let response = try await session.respond(to: "anything")
        #expect(response.content == "Hello, world!")
        #expect(session.usage.input.cachedTokenCount == 3)
        #expect(session.usage.output.totalTokenCount == 2)
    }

    @Test("P-10 A-02 Both initializers, a timeout of 60, and signing in once")
    func signingIn() async throws {
        let model = MyLanguageModel(name: "your-model-id", baseURL: base)
        #expect(model.timeout == 60)
        for _ in 0..<10 { try await model.authenticateIfNeeded() }
        #expect(OAuthSession.shared.flowCount == 1)
        #expect(
            model.executorConfiguration
                != MyLanguageModel(name: "your-model-id", apiKey: "k", baseURL: base).executorConfiguration)
    }

    @Test("E-21 L-12 Reasoning, a call with several deltas and a retracted one, and the answer")
    func tools() async throws {
        let session = LanguageModelSession(
            model: MyLanguageModel(name: "m", apiKey: "k", baseURL: base), tools: [Weather()])
        let response = try await session.respond(to: "weather")
        #expect(response.content == "It rains.")
        // The provider reports usage on a response entry, also in the round of the calls.
        #expect(
            session.transcript.kinds == [
                "instructions", "prompt", "reasoning", "toolCalls", "response", "toolOutput", "response",
            ])
        let calls = session.transcript.compactMap { if case .toolCalls(let calls) = $0 { Array(calls) } else { nil } }
            .joined()
        #expect(calls.map(\.id) == ["a"])
        #expect(session.usage.input.totalTokenCount == 21)
        #expect(session.usage.output.reasoningTokenCount == 2)
    }

    @Test("R-08 R-10 Options and formats are switched over by their kind")
    func kinds() {
        let options = GenerationOptions(samplingMode: .random(top: 5, seed: 1))
        var topK = 0
        if let mode = options.samplingMode {
            switch mode.kind {
            case .greedy: topK = -1
            case .randomTopK(let k, _): topK = k
            case .randomProbabilityThreshold: topK = -2
            }
        }
        #expect(topK == 5)
        let prompt = Transcript.Prompt(segments: [], responseFormat: .init(schema: Int.generationSchema))
        if case .schema(let schema)? = prompt.responseFormat?.kind { #expect(schema.name == "Int") }
    }

    @Test("X-10 Every error can be thrown as the text throws it, and holds what it was given")
    func errors() throws {
        let all: [LanguageModelError] = [
            .contextSizeExceeded(
                .init(contextSize: 200_000, tokenCount: 220_000, debugDescription: "Prompt exceeds context window")),
            .rateLimited(.init(resetDate: Date().addingTimeInterval(60), debugDescription: "HTTP 429")),
            .guardrailViolation(.init(debugDescription: "Provider reported unsafe content")),
            .refusal(.init(explanation: "Out of scope.", debugDescription: "refused")),
            .unsupportedCapability(
                .init(capability: .vision, debugDescription: "Provider rejected an image segment mid-stream")),
            .unsupportedTranscriptContent(
                .init(unsupportedContent: [], debugDescription: "Provider could not decode the image")),
            .unsupportedGenerationGuide(
                .init(schemaName: "ItineraryDay", debugDescription: "Regex anchors are not supported")),
            .unsupportedLanguageOrLocale(
                .init(languageCode: Locale.LanguageCode("xx"), debugDescription: "not this language")),
            .timeout(.init(debugDescription: "too slow", metadata: ["code": 504])),
        ]
        for error in all {
            #expect(error.errorDescription?.isEmpty == false)
            #expect(!error.debugDescription.isEmpty)
        }
        guard case .timeout(let payload) = all[8] else { return }
        #expect(payload.metadata["code"] as? Int == 504)
        #expect(
            MyServiceError.planLimitReached(upgradeURL: nil).errorDescription == "Your plan limit has been reached.")
    }

    @Test("TR-06 The custom segment of the text stands in the next prompt by its description")
    func customSegment() {
        let results = WebSearchResults(id: "1", content: [.init(title: "T", url: base, snippet: "s")])
        #expect(results.description == "• T — https://api.example.com")
        let transcript = Transcript(entries: [.response(.init(segments: [.custom(results)]))])
        #expect(transcript.entries.count == 1)
    }
}
