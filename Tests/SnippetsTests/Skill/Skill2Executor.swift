// The same text, step 2: the executor, and `AuthMode`.
import Foundation
import FoundationModels

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
    case oauth(accountID: String)
    case apiKey(String)
}
