import Foundation
import FoundationModels

extension LighthouseLanguageModel {
    public struct Executor: LanguageModelExecutor {
        public typealias Model = LighthouseLanguageModel

        public struct Configuration: Hashable, Sendable {
            let modelID: String
            let baseURL: URL
            let authMode: AuthMode
            let timeout: TimeInterval
        }

        private let configuration: Configuration

        public init(configuration: Configuration) throws {
            guard !configuration.modelID.isEmpty else { throw LighthouseError.noModelName }
            self.configuration = configuration
        }

        public func respond(
            to request: LanguageModelExecutorGenerationRequest, model: LighthouseLanguageModel,
            streamingInto channel: LanguageModelExecutorGenerationChannel
        ) async throws {
            let call = LighthouseCall(
                id: request.id, body: try LighthouseRequestBuilder.body(for: request, modelID: configuration.modelID),
                url: configuration.baseURL, token: try await configuration.authMode.token(),
                timeout: configuration.timeout)
            var translator = LighthouseEventTranslator(sink: channel)
            await translator.begin(modelID: configuration.modelID, requestID: request.id)
            for try await event in model.client.events(for: call) {
                try Task.checkCancellation()
                try await translator.translate(event)
            }
        }
    }
}
