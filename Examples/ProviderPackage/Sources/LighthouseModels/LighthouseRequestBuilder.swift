import Foundation
import FoundationModels

/// What the service is sent.
struct LighthouseBody: Encodable, Sendable {
    struct Message: Encodable, Sendable {
        struct Part: Encodable, Sendable {
            var text: String?
            var imageType: String?
            var imageBase64: String?
        }

        struct Call: Encodable, Sendable {
            let id: String
            let name: String
            let arguments: String
        }

        let role: String
        var parts: [Part] = []
        var calls: [Call] = []
        var callID: String?
        var signature: Data?
    }

    struct Tool: Encodable, Sendable {
        let name: String
        let description: String
        let parameters: GenerationSchema
    }

    let model: String
    var messages: [Message] = []
    var tools: [Tool] = []
    var schema: GenerationSchema?
    var temperature: Double?
    var topK: Int?
    var topP: Double?
    var seed: UInt64?
    var maxTokens: Int?
    var mustCallTool = false
    var effort: String?
}

/// A request of the framework as a request of the service.
enum LighthouseRequestBuilder {
    static func body(
        for request: LanguageModelExecutorGenerationRequest, modelID: String
    ) throws -> LighthouseBody {
        var body = LighthouseBody(model: modelID)
        body.messages = try request.transcript.map(message)
        body.tools = request.enabledToolDefinitions.map {
            LighthouseBody.Tool(name: $0.name, description: $0.description, parameters: $0.parameters)
        }
        body.schema = request.schema
        body.temperature = request.generationOptions.temperature
        body.maxTokens = request.generationOptions.maximumResponseTokens
        body.mustCallTool = request.generationOptions.toolCallingMode?.kind == .required
        if let mode = request.generationOptions.samplingMode {
            switch mode.kind {
            case .greedy: body.temperature = 0
            case .randomTopK(let k, let seed):
                body.topK = k
                body.seed = seed
            case .randomProbabilityThreshold(let p, let seed):
                body.topP = p
                body.seed = seed
            }
        }
        switch request.contextOptions.reasoningLevel {
        case nil: break
        case .light: body.effort = "low"
        case .moderate: body.effort = "medium"
        case .deep: body.effort = "high"
        case .custom(let name): body.effort = name
        }
        return body
    }

    private static func message(_ entry: Transcript.Entry) throws -> LighthouseBody.Message {
        switch entry {
        case .instructions(let instructions):
            return .init(role: "system", parts: try parts(instructions.segments, in: entry))
        case .prompt(let prompt): return .init(role: "user", parts: try parts(prompt.segments, in: entry))
        case .toolCalls(let calls):
            return .init(
                role: "assistant",
                calls: calls.map { .init(id: $0.id, name: $0.toolName, arguments: $0.arguments.jsonString) })
        case .toolOutput(let output):
            return .init(role: "tool", parts: try parts(output.segments, in: entry), callID: output.id)
        case .response(let response): return .init(role: "assistant", parts: try parts(response.segments, in: entry))
        case .reasoning(let reasoning):
            return .init(
                role: "thought", parts: try parts(reasoning.segments, in: entry), signature: reasoning.signature)
        default:
            throw LanguageModelError.unsupportedTranscriptContent(
                .init(unsupportedContent: [entry], debugDescription: "Lighthouse takes texts and images"))
        }
    }

    private static func parts(
        _ segments: [Transcript.Segment], in entry: Transcript.Entry
    ) throws -> [LighthouseBody.Message.Part] {
        try segments.map { segment in
            switch segment {
            case .text(let text): return .init(text: text.content)
            case .structure(let structure): return .init(text: structure.content.jsonString)
            case .attachment(let attachment):
                guard case .image(let image) = attachment.content else { break }
                return .init(imageType: image.mimeType, imageBase64: try image.data.base64EncodedString())
            case .custom(let custom): return .init(text: custom.description)
            }
            throw LanguageModelError.unsupportedTranscriptContent(
                .init(unsupportedContent: [entry], debugDescription: "Lighthouse takes texts and images"))
        }
    }
}
