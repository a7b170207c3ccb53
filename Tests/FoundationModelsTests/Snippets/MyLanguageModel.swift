public import Foundation
public import FoundationModels

// The provider that the skill text for server models builds, as it is written there. Its transport is a stub.

public struct MyLanguageModel: Sendable {
    public let modelID: String
    public let baseURL: URL
    public let timeout: TimeInterval
    let authMode: AuthMode

    /// Initialize with an OAuth-backed credential store.
    public init(name: String, baseURL: URL, timeout: TimeInterval = 60) {
        self.modelID = name
        self.baseURL = baseURL
        self.timeout = timeout
        self.authMode = .oauth(accountID: OAuthSession.shared.accountID)
    }

    /// Initialize with a developer-supplied API key.
    public init(name: String, apiKey: String, baseURL: URL, timeout: TimeInterval = 60) {
        self.modelID = name
        self.baseURL = baseURL
        self.timeout = timeout
        self.authMode = .apiKey(apiKey)
    }

    /// Trigger an OAuth sign-in flow if the user is not already authenticated.
    /// No-op when the model was created with an API key.
    public func authenticateIfNeeded() async throws {
        if case .oauth = authMode {
            try await OAuthSession.shared.authenticateIfNeeded()
        }
    }
}

extension MyLanguageModel: LanguageModel {
    public var capabilities: LanguageModelCapabilities {
        LanguageModelCapabilities([
            .toolCalling,
            .vision,
            .reasoning,
            // .guidedGeneration  // include only if your model strictly enforces JSON Schema
        ])
    }

    public var executorConfiguration: Executor.Configuration {
        Executor.Configuration(
            modelID: modelID,
            baseURL: baseURL,
            authMode: authMode,
            timeout: timeout
        )
    }
}

extension MyLanguageModel {
    public struct Executor: LanguageModelExecutor {
        public typealias Model = MyLanguageModel

        public struct Configuration: Hashable, Sendable {
            let modelID: String
            let baseURL: URL
            let authMode: AuthMode
            let timeout: TimeInterval
        }

        private let configuration: Configuration

        public init(configuration: Configuration) throws {
            self.configuration = configuration
            StubbedTransport.shared.count { $0.executors += 1 }
        }

        public func respond(
            to request: LanguageModelExecutorGenerationRequest,
            model: MyLanguageModel,
            streamingInto channel: LanguageModelExecutorGenerationChannel
        ) async throws {
            let responseEntryID = UUID().uuidString
            let toolCallsEntryID = UUID().uuidString
            let reasoningEntryID = UUID().uuidString

            for try await providerEvent in openProviderStream(for: request) {
                try Task.checkCancellation()

                switch providerEvent {
                case .textDelta(let text):
                    await channel.send(
                        .response(entryID: responseEntryID, action: .appendText(text, tokenCount: 1))
                    )

                case .toolCallStart(let id, let name):
                    await channel.send(
                        .toolCalls(
                            entryID: toolCallsEntryID,
                            action: .toolCall(
                                id: id,
                                name: name,
                                action: .appendArguments("", tokenCount: 0)
                            )
                        )
                    )

                case .toolCallArgsDelta(let id, let name, let args):
                    await channel.send(
                        .toolCalls(
                            entryID: toolCallsEntryID,
                            action: .toolCall(
                                id: id,
                                name: name,
                                action: .appendArguments(args, tokenCount: 1)
                            )
                        )
                    )

                case .toolCallRetracted(let toolCall):
                    await channel.send(
                        .toolCalls(entryID: toolCallsEntryID, action: .removeToolCall(toolCall))
                    )

                case .reasoningDelta(let text):
                    await channel.send(
                        .reasoning(entryID: reasoningEntryID, action: .appendText(text, tokenCount: 1))
                    )

                case .reasoningSignature(let signature):
                    await channel.send(
                        .reasoning(
                            entryID: reasoningEntryID,
                            action: .updateSignature(signature, tokenCount: 0)
                        )
                    )

                case .usage(let prompt, let cached, let completion, let reasoning):
                    await channel.send(
                        .response(
                            entryID: responseEntryID,
                            action: .updateUsage(
                                input: .init(totalTokenCount: prompt, cachedTokenCount: cached),
                                output: .init(totalTokenCount: completion, reasoningTokenCount: reasoning)
                            )
                        )
                    )

                case .done:
                    return
                }
            }
        }
    }
}

public enum AuthMode: Hashable, Sendable {
    case oauth(accountID: String)  // package looks up the live token at request time
    case apiKey(String)
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

public enum MyServiceError: Error, LocalizedError {
    case planLimitReached(upgradeURL: URL?)

    public var errorDescription: String? {
        switch self {
        case .planLimitReached: "Your plan limit has been reached."
        }
    }
}
