// What the text's snippets call and leave to the reader: the provider's stream, the sign-in, the transport.
import Foundation
import FoundationModels
import Synchronization

enum ProviderEvent: Sendable {
    case textDelta(String)
    case toolCallStart(id: String, name: String)
    case toolCallArgsDelta(id: String, name: String, args: String)
    case toolCallRetracted(Transcript.ToolCall)
    case reasoningDelta(String)
    case reasoningSignature(Data)
    case usage(prompt: Int, cached: Int, completion: Int, reasoning: Int)
    case done
}

/// The transport of the text's third layer of tests: what it is told to say.
final class StubbedTransport: Sendable {
    static let shared = StubbedTransport()

    private let events = Mutex<[ProviderEvent]>([])

    func respond(with events: [ProviderEvent]) { self.events.withLock { $0 = events } }

    func stream() -> AsyncThrowingStream<ProviderEvent, any Error> {
        AsyncThrowingStream { continuation in
            for event in events.withLock({ $0 }) { continuation.yield(event) }
            continuation.finish()
        }
    }
}

func openProviderStream(
    for request: LanguageModelExecutorGenerationRequest
) -> AsyncThrowingStream<ProviderEvent, any Error> {
    StubbedTransport.shared.stream()
}

struct ProviderRequest {
    struct Message {
        let role: String
        let text: String
    }

    var messages: [Message] = []
    var temperature: Double?
    var topK: Int?
    var topP: Double?
    var seed: UInt64?
}

func buildProviderRequest(from transcript: Transcript, modelID: String) throws -> ProviderRequest {
    var request = ProviderRequest()
    for entry in transcript {
        switch entry {
        case .instructions(let instructions):
            request.messages.append(.init(role: "system", text: instructions.segments.map(\.description).joined()))
        case .prompt(let prompt):
            request.messages.append(.init(role: "user", text: prompt.segments.map(\.description).joined()))
        case .response(let response):
            request.messages.append(.init(role: "assistant", text: response.segments.map(\.description).joined()))
        case .toolCalls, .toolOutput, .reasoning, .data:
            throw LanguageModelError.unsupportedTranscriptContent(
                .init(unsupportedContent: [entry], debugDescription: "not in this stub"))
        }
    }
    return request
}

extension URL {
    static var testBase: URL { URL(filePath: "/nowhere") }
}
