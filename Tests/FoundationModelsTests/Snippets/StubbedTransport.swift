import Foundation
import FoundationModels
import Synchronization

/// What the skill text leaves to the author: the provider's events, its transport, and signing in.
enum ProviderEvent: Sendable {
    case textDelta(String)
    case toolCallStart(String, String)
    case toolCallArgsDelta(String, String, String)
    case toolCallRetracted(Transcript.ToolCall)
    case reasoningDelta(String)
    case reasoningSignature(Data)
    case usage(Int, Int, Int, Int)
    case done
}

final class StubbedTransport: Sendable {
    static let shared = StubbedTransport()

    struct Counts: Sendable { var executors = 0 }

    private let counts = Mutex(Counts())

    func count(_ change: (inout Counts) -> Void) { counts.withLock { change(&$0) } }

    var executors: Int { counts.withLock { $0.executors } }

    /// What the provider sends, by what was asked.
    func events(for prompt: String) -> [ProviderEvent] {
        switch prompt {
        case "weather":
            [
                .reasoningDelta("Let me "), .reasoningDelta("look."), .reasoningSignature(Data([0xFF, 0x00])),
                .toolCallStart("a", "weather"), .toolCallStart("b", "weather"),
                .toolCallArgsDelta("a", "weather", "{\"city\":"),
                .toolCallArgsDelta("b", "weather", "{\"city\""), .toolCallArgsDelta("a", "weather", "\"Delft\"}"),
                .toolCallRetracted(.init(id: "b", toolName: "weather", arguments: .init(properties: [:]))),
                .usage(9, 0, 4, 2),
            ]
        case "again": [.textDelta("It "), .textDelta("rains."), .usage(12, 9, 2, 0), .done, .textDelta("never")]
        default: [.textDelta("Hello"), .textDelta(", world!"), .usage(7, 3, 2, 0), .done]
        }
    }
}

extension MyLanguageModel.Executor {
    func openProviderStream(for request: LanguageModelExecutorGenerationRequest) -> AsyncThrowingStream<
        ProviderEvent, any Error
    > {
        var asked = ""
        for case .prompt(let prompt) in request.transcript { asked = prompt.segments.map(\.description).joined() }
        if case .toolOutput? = request.transcript.last { asked = "again" }
        let events = StubbedTransport.shared.events(for: asked)
        return AsyncThrowingStream { continuation in
            for event in events { continuation.yield(event) }
            continuation.finish()
        }
    }
}

final class OAuthSession: Sendable {
    static let shared = OAuthSession()
    private let flows = Mutex(0)
    private let token = Mutex<String?>(nil)

    var accountID: String { "account" }
    var flowCount: Int { flows.withLock { $0 } }

    func currentAccessToken() async throws -> String? { token.withLock { $0 } }

    func runOAuthFlow() async throws {
        flows.withLock { $0 += 1 }
        token.withLock { $0 = "token" }
    }

    func authenticateIfNeeded() async throws {
        if try await OAuthSession.shared.currentAccessToken() == nil {
            try await OAuthSession.shared.runOAuthFlow()
        }
    }
}
