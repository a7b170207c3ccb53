// The same text, "Authentication": `authenticateIfNeeded` of the OAuth pattern.
import Foundation

actor OAuthSession {
    static let shared = OAuthSession()
    nonisolated let accountID = "account"
    private var token: String?
    private(set) var flows = 0

    func currentAccessToken() async throws -> String? { token }

    func runOAuthFlow() async throws {
        flows += 1
        token = "token"
    }
}

extension OAuthSession {
    public func authenticateIfNeeded() async throws {
        if try await OAuthSession.shared.currentAccessToken() == nil {
            try await OAuthSession.shared.runOAuthFlow()
        }
    }
}
