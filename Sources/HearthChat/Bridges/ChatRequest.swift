import Foundation
import FoundationModels

/// A conversation in the framework's terms: what was said, what is asked, and how to answer.
struct ChatRequest {
    let history: Transcript
    let prompt: String
    let options: GenerationOptions

    init(_ messages: [ChatMessage], _ configuration: LanguageModelConfiguration) throws(ChatError) {
        try configuration.check()
        guard let last = messages.last else { throw .noMessages }
        guard last.role == .user else { throw .nothingToAnswer(last: last.role) }
        prompt = last.content
        history = Transcript(entries: messages.dropLast().map(Self.entry))
        options = Self.options(configuration)
    }

    private static func entry(_ message: ChatMessage) -> Transcript.Entry {
        let segments: [Transcript.Segment] = [.text(Transcript.TextSegment(content: message.content))]
        let id = message.id.uuidString
        return switch message.role {
        case .system: .instructions(Transcript.Instructions(id: id, segments: segments, toolDefinitions: []))
        case .user: .prompt(Transcript.Prompt(id: id, segments: segments))
        case .assistant: .response(Transcript.Response(id: id, assetIDs: [], segments: segments))
        }
    }

    private static func options(_ configuration: LanguageModelConfiguration) -> GenerationOptions {
        let mode: GenerationOptions.SamplingMode? =
            configuration.temperature == 0
            ? .greedy : configuration.topP.map { .random(probabilityThreshold: Double($0)) }
        return GenerationOptions(
            samplingMode: mode, temperature: mode == .greedy ? nil : Double(configuration.temperature),
            maximumResponseTokens: configuration.maxTokens)
    }
}
