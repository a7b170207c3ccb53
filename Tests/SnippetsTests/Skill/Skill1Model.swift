// The public text on writing provider packages (foundation-models-language-model-protocol), step 1: the model type.
// Its code as it stands there, without the doc comments.
import Foundation
import FoundationModels

public struct MyLanguageModel: Sendable {
    public let modelID: String
    public let baseURL: URL
    public let timeout: TimeInterval
    let authMode: AuthMode

    public init(name: String, baseURL: URL, timeout: TimeInterval = 60) {
        self.modelID = name
        self.baseURL = baseURL
        self.timeout = timeout
        self.authMode = .oauth(accountID: OAuthSession.shared.accountID)
    }

    public init(name: String, apiKey: String, baseURL: URL, timeout: TimeInterval = 60) {
        self.modelID = name
        self.baseURL = baseURL
        self.timeout = timeout
        self.authMode = .apiKey(apiKey)
    }

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
            // .guidedGeneration is left out there too: for models that obey schemas strictly.
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
