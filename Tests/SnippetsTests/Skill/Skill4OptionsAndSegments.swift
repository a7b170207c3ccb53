// The same text, "Inspecting option types", "Custom segments" and "Attachment segments".
import Foundation
import FoundationModels

func translate(_ request: LanguageModelExecutorGenerationRequest, into providerRequest: inout ProviderRequest) {
    if let mode = request.generationOptions.samplingMode {
        switch mode.kind {
        case .greedy:
            providerRequest.temperature = 0
        case .randomTopK(let k, let seed):
            providerRequest.topK = k
            providerRequest.seed = seed
        case .randomProbabilityThreshold(let p, let seed):
            providerRequest.topP = p
            providerRequest.seed = seed
        }
    }
}

/// The text hands a schema straight to an encoder.
func encoded(_ request: LanguageModelExecutorGenerationRequest) throws -> [Data] {
    let encoder = JSONEncoder()
    return try (request.schema.map { [$0] } ?? []).map { try encoder.encode($0) }
        + request.enabledToolDefinitions.map { try encoder.encode($0.parameters) }
}

/// The kind of a response format, as the text names it.
func schema(of format: Transcript.ResponseFormat) -> GenerationSchema {
    switch format.kind {
    case .schema(let schema): schema
    }
}

public struct WebSearchResults: Transcript.CustomSegment {
    public let id: String
    public let content: [Result]

    public struct Result: Sendable, Equatable, Codable {
        public let title: String
        public let url: URL
        public let snippet: String
    }

    public var description: String {
        content.map { "• \($0.title) — \($0.url)" }.joined(separator: "\n")
    }

    public var promptRepresentation: Prompt { Prompt(description) }
    public var instructionsRepresentation: Instructions { Instructions(description) }
}

func sendSegments(
    _ results: [WebSearchResults.Result], imageURL: URL, imageID: String, responseEntryID: String,
    channel: LanguageModelExecutorGenerationChannel
) async {
    await channel.send(
        .response(
            entryID: responseEntryID,
            action: .updateCustomSegment(WebSearchResults(id: UUID().uuidString, content: results))
        )
    )

    let attachment = Transcript.AttachmentSegment(
        id: imageID,
        content: .image(Transcript.ImageAttachment(imageURL: imageURL)),
        label: "Generated diagram"
    )

    await channel.send(
        .response(entryID: responseEntryID, action: .addAttachmentSegment(attachment))
    )

    await channel.send(
        .response(entryID: responseEntryID, action: .removeAttachmentSegment(attachment))
    )
}

/// Every case of the text's list of entries, and the one that came with 27.2.
func role(of entry: Transcript.Entry) -> String {
    switch entry {
    case .instructions(let instructions): "system \(instructions.segments.count)"
    case .prompt(let prompt): "user \(prompt.segments.count)"
    case .toolCalls(let calls): "assistant \(calls.count)"
    case .toolOutput(let output): "tool \(output.id)"
    case .response(let response): "assistant \(response.segments.count)"
    case .reasoning(let reasoning): "assistant \(reasoning.signature?.count ?? 0)"
    case .data(let data): "user \(data.id)"
    }
}
