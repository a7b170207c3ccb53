import Foundation
import FoundationModels
import HearthChat
import HearthLocks
import HearthTestKit
import Testing

/// A chat model of an outsider: it knows nothing of the framework.
final class EchoChat: HearthChat.LanguageModel {
    let modelIdentifier: String
    let asked = Locked<[(messages: [ChatMessage], configuration: LanguageModelConfiguration)]>([])

    init(_ name: String = "echo") { modelIdentifier = name }

    func generateResponse(
        for messages: [ChatMessage], configuration: LanguageModelConfiguration
    ) async throws -> ChatMessage {
        asked.withLock { $0.append((messages, configuration)) }
        return .assistant("\(modelIdentifier): \(messages.last?.content ?? "")")
    }

    func streamResponse(
        for messages: [ChatMessage], configuration: LanguageModelConfiguration
    ) -> AsyncThrowingStream<String, any Error> {
        AsyncThrowingStream { continuation in
            Task {
                do {
                    let answer = try await generateResponse(for: messages, configuration: configuration)
                    for character in answer.content { continuation.yield(String(character)) }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
        }
    }
}

/// Counts from any thread.
final class Witness: Sendable {
    private let value = Locked(0)
    var count: Int { value.withLock { $0 } }
    func note() { value.withLock { $0 += 1 } }
}

@Suite("Chat models as framework models")
struct ChatLanguageModelTests {
    @Test("D-05 a session talks to a chat model, and its second turn has the first one's messages")
    func session() async throws {
        let chat = EchoChat()
        let session = LanguageModelSession(model: ChatLanguageModel(chat), instructions: "Be brief.")
        let options = GenerationOptions(
            samplingMode: .random(probabilityThreshold: 0.5), temperature: 0.25, maximumResponseTokens: 7)
        #expect(try await session.respond(to: "Hi", options: options).content == "echo: Hi")
        #expect(try await session.respond(to: "Why?", options: .init(samplingMode: .greedy)).content == "echo: Why?")
        let asked = chat.asked.withLock { $0 }
        #expect(asked[1].messages.map(\.content) == ["Be brief.", "Hi", "echo: Hi", "Why?"])
        #expect(asked[1].messages.map(\.role) == [.system, .user, .assistant, .user])
        #expect(asked[0].configuration == .init(temperature: 0.25, maxTokens: 7, topP: 0.5))
        #expect(asked[1].configuration == .init(temperature: 0))
    }

    @Test("a chat model passes the conformance kit, and so does a framework model there and back")
    func conformance() async throws {
        let echo = await Conformance(variants: ["another name": { ChatLanguageModel(EchoChat("b")) }]) {
            ChatLanguageModel(EchoChat("a"))
        }.run()
        #expect(echo.isClean, "\(echo)")
        let roundTrip = await Conformance {
            ChatLanguageModel(FrameworkChatModel(ScriptedLanguageModel(texts: ["Re", "d."])))
        }.run()
        #expect(roundTrip.isClean, "\(roundTrip)")
    }

    @Test("what chat has no words for is refused by name")
    func refused() async throws {
        let session = LanguageModelSession(model: ChatLanguageModel(EchoChat()))
        let topK = await #expect(throws: ChatError.self) {
            try await session.respond(to: "a", options: .init(samplingMode: .random(top: 4)))
        }
        #expect(topK == .unsupportedOption(name: "top-k sampling", model: "echo"))
        let seed = await #expect(throws: ChatError.self) {
            try await session.respond(
                to: "a", options: .init(samplingMode: .random(probabilityThreshold: 0.5, seed: 1)))
        }
        #expect(seed == .unsupportedOption(name: "a seed", model: "echo"))
        await #expect(throws: LanguageModelError.self) { try await session.respond(to: "a", generating: Int.self) }
        let output = Transcript.ToolOutput(id: "1", toolName: "t", segments: [])
        let tools = LanguageModelSession(
            model: ChatLanguageModel(EchoChat()), transcript: Transcript(entries: [.toolOutput(output)]))
        let error = await #expect(throws: LanguageModelError.self) { try await tools.respond(to: "a") }
        if case .unsupportedTranscriptContent(let payload)? = error {
            #expect(payload.unsupportedContent.map(\.id) == ["1"])
        } else {
            Issue.record("\(String(describing: error))")
        }
    }
}
