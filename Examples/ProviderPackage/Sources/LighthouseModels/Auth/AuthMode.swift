/// Who pays. The live token of an account is looked up when a request is made.
public enum AuthMode: Hashable, Sendable {
    case oauth(accountID: String)
    case apiKey(String)

    func token() async throws -> String {
        switch self {
        case .oauth: try await OAuthSession.shared.accessToken()
        case .apiKey(let key): key
        }
    }
}
