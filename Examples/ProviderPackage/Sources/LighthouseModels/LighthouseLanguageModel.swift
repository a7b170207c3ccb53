import Foundation
import FoundationModels

/// A model of the Lighthouse service.
public struct LighthouseLanguageModel: Sendable {
    public let modelID: String
    public let baseURL: URL
    public let timeout: TimeInterval
    let authMode: AuthMode
    let client: any LighthouseClient

    /// Signs in with the user's account.
    public init(
        name: String, baseURL: URL, timeout: TimeInterval = 60, client: any LighthouseClient = HTTPClient()
    ) {
        self.init(name, baseURL, timeout, .oauth(accountID: OAuthSession.shared.accountID), client)
    }

    /// Uses the developer's key.
    public init(
        name: String, apiKey: String, baseURL: URL, timeout: TimeInterval = 60,
        client: any LighthouseClient = HTTPClient()
    ) {
        self.init(name, baseURL, timeout, .apiKey(apiKey), client)
    }

    private init(
        _ name: String, _ baseURL: URL, _ timeout: TimeInterval, _ authMode: AuthMode, _ client: any LighthouseClient
    ) {
        modelID = name
        self.baseURL = baseURL
        self.timeout = timeout
        self.authMode = authMode
        self.client = client
    }

    /// Signs the user in, once. Does nothing for a key.
    public func authenticateIfNeeded() async throws {
        if case .oauth = authMode { try await OAuthSession.shared.authenticateIfNeeded() }
    }
}

extension LighthouseLanguageModel: LanguageModel {
    public var capabilities: LanguageModelCapabilities {
        LanguageModelCapabilities([.toolCalling, .vision, .reasoning, .guidedGeneration])
    }

    public var executorConfiguration: Executor.Configuration {
        Executor.Configuration(modelID: modelID, baseURL: baseURL, authMode: authMode, timeout: timeout)
    }
}
