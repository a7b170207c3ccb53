// What the snippets of the session's notes and article call and leave to the reader.
import Foundation
import FoundationModels

struct ServiceRequest {
    var temperature: Double?
}

func minimumTokens(for schema: GenerationSchema) -> Int { 8 }

enum AudioEvent: Sendable {
    struct File: Sendable {
        let id: String
        let url: URL
    }

    case audioFileGenerated(File)
}

struct WebSearchSegment: Transcript.CustomSegment {
    struct Content: Codable, Equatable, Sendable {
        let url: URL
        let html: String
    }

    let id: String
    let content: Content

    init(url: URL, content html: String) {
        id = url.absoluteString
        content = Content(url: url, html: html)
    }
}

struct MyServerClient: Sendable {
    enum Chunk: Sendable {
        struct WebSearch: Sendable {
            let url: URL
            let html: String
        }

        struct TextDelta: Sendable {
            let text: String
            let tokenCount: Int
        }

        case webSearch(WebSearch)
        case textDelta(TextDelta)
    }

    struct ServerPrompt: Sendable {
        let texts: [String]

        init(_ request: LanguageModelExecutorGenerationRequest) { texts = request.transcript.map(\.description) }
    }

    let serverTools: [ServedLanguageModel.ServerTool]

    func send(prompt: ServerPrompt) async throws -> AsyncThrowingStream<Chunk, any Error> {
        AsyncThrowingStream { continuation in
            if serverTools.contains(.webSearch) {
                continuation.yield(.webSearch(.init(url: URL(string: "https://swift.org")!, html: "<p>Swift</p>")))
            }
            for text in prompt.texts { continuation.yield(.textDelta(.init(text: text, tokenCount: 1))) }
            continuation.finish()
        }
    }
}
