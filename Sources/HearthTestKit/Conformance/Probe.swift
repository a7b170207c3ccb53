import Foundation
import FoundationModels

/// A request that a conformance run makes, and what its answer has to be.
struct Probe: Sendable {
    enum Expectation: Sendable {
        case answer
        case toolCall
        case structure
        case reasoning
        case vision
    }

    let name: String
    let expectation: Expectation
    var prewarms = false
    let request: @Sendable () -> LanguageModelExecutorGenerationRequest

    static let question = "Name a colour."
    /// Enough for a sentence; a real model answers in a second.
    static let short = GenerationOptions(maximumResponseTokens: 32)

    static func all(for capabilities: LanguageModelCapabilities) -> [Probe] {
        var probes = [
            Probe(name: "text", expectation: .answer) { request([prompt(question)]) },
            Probe(name: "text after prewarm", expectation: .answer, prewarms: true) { request([prompt(question)]) },
            Probe(name: "second turn", expectation: .answer) {
                request(history(withReasoning: capabilities.contains(.reasoning)) + [prompt("And another one?")])
            },
        ]
        if capabilities.contains(.toolCalling) {
            probes.append(Probe(name: "tool call", expectation: .toolCall, request: toolRequest))
            probes.append(Probe(name: "tool output", expectation: .answer, request: outputRequest))
        }
        if capabilities.contains(.guidedGeneration) {
            probes.append(
                Probe(name: "schema", expectation: .structure) {
                    request([prompt("Describe Oslo.")], schema: ProbedCity.generationSchema)
                })
        }
        if capabilities.contains(.reasoning) {
            probes.append(
                Probe(name: "reasoning", expectation: .reasoning) {
                    request(
                        [prompt("Which is larger, 9.9 or 9.11?")], context: ContextOptions(reasoningLevel: .moderate))
                })
        }
        if capabilities.contains(.vision) {
            probes.append(
                Probe(name: "vision", expectation: .vision) {
                    request([prompt("What colour is this?", image: pixel)])
                })
        }
        return probes
    }

    static func long() -> LanguageModelExecutorGenerationRequest {
        request([prompt("Count from one to five hundred in words.")], options: GenerationOptions())
    }
}

// MARK: - Requests

extension Probe {
    static func request(
        _ entries: [Transcript.Entry], tools: [Transcript.ToolDefinition] = [], schema: GenerationSchema? = nil,
        options: GenerationOptions? = nil, context: ContextOptions = ContextOptions()
    ) -> LanguageModelExecutorGenerationRequest {
        let isPlain = tools.isEmpty && schema == nil && context.reasoningLevel == nil
        return LanguageModelExecutorGenerationRequest(
            id: UUID(), transcript: Transcript(entries: entries), enabledTools: tools, schema: schema,
            generationOptions: options ?? (isPlain ? short : GenerationOptions()), contextOptions: context,
            metadata: [:])
    }

    static func prompt(_ text: String, image: Transcript.ImageAttachment? = nil) -> Transcript.Entry {
        var segments: [Transcript.Segment] = [.text(Transcript.TextSegment(content: text))]
        if let image { segments.append(.attachment(Transcript.AttachmentSegment(content: .image(image)))) }
        return .prompt(Transcript.Prompt(segments: segments))
    }

    private static func text(_ text: String) -> [Transcript.Segment] { [.text(Transcript.TextSegment(content: text))] }

    /// A turn before. The signature's bytes are not UTF-8: they must not matter.
    private static func history(withReasoning: Bool) -> [Transcript.Entry] {
        var entries: [Transcript.Entry] = [
            .instructions(Transcript.Instructions(segments: text("Answer in one word."), toolDefinitions: [])),
            prompt(question),
        ]
        if withReasoning {
            entries.append(
                .reasoning(
                    Transcript.Reasoning(segments: text("Red is a colour."), signature: Data([0xFF, 0x00, 0xC3, 0x28])))
            )
        }
        entries.append(.response(Transcript.Response(assetIDs: [], segments: text("Red."))))
        return entries
    }

    static let tool = Transcript.ToolDefinition(
        name: "weather", description: "The weather in a city today", parameters: ProbedPlace.generationSchema)

    private static let askWeather = "What is the weather in Oslo? Use the tool."

    private static func toolRequest() -> LanguageModelExecutorGenerationRequest {
        request(
            [.instructions(Transcript.Instructions(segments: [], toolDefinitions: [tool])), prompt(askWeather)],
            tools: [tool],
            options: GenerationOptions(toolCallingMode: .required))
    }

    private static func outputRequest() -> LanguageModelExecutorGenerationRequest {
        let call = Transcript.ToolCall(
            id: "probed-call", toolName: tool.name, arguments: GeneratedContent(properties: ["city": "Oslo"]))
        return request(
            [
                .instructions(Transcript.Instructions(segments: [], toolDefinitions: [tool])), prompt(askWeather),
                .toolCalls(Transcript.ToolCalls([call])),
                .toolOutput(Transcript.ToolOutput(id: call.id, toolName: tool.name, segments: text("Rain, 4 degrees"))),
            ],
            tools: [tool])
    }

    /// A PNG of one pixel.
    private static var pixel: Transcript.ImageAttachment {
        let base64 =
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
        return Transcript.ImageAttachment(data: Data(base64Encoded: base64) ?? Data(), mimeType: "image/png")
    }
}

// MARK: - What is asked for

@Generable
struct ProbedPlace {
    @Guide(description: "The name of a city")
    let city: String
}

@Generable
struct ProbedCity {
    let name: String
    let population: Int
    let isCapital: Bool
    @Guide(.count(2))
    let neighbours: [String]
}
