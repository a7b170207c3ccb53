/// The user's account. An app hands in the flow that shows the service's page and brings back a token.
public actor OAuthSession {
    public static let shared = OAuthSession()

    public nonisolated let accountID = "this device"
    private var token: String?
    private var flow: (@Sendable () async throws -> String)?

    public enum Failure: Error, Hashable {
        case noFlow
        case notSignedIn
    }

    public func setFlow(_ flow: @escaping @Sendable () async throws -> String) { self.flow = flow }

    public func authenticateIfNeeded() async throws {
        if token != nil { return }
        guard let flow else { throw Failure.noFlow }
        token = try await flow()
    }

    func accessToken() throws -> String {
        guard let token else { throw Failure.notSignedIn }
        return token
    }
}
