extension LanguageModelSession {
    /// A change to a profile under a name of its own.
    ///
    ///     struct Careful: LanguageModelSession.DynamicProfileModifier {
    ///         func body(content: Content) -> some DynamicProfile { content.temperature(0).reasoningLevel(.deep) }
    ///     }
    public protocol DynamicProfileModifier {
        associatedtype Body: LanguageModelSession.DynamicProfile
        @LanguageModelSession.DynamicProfileBuilder func body(content: Self.Content) -> Self.Body
        typealias Content = LanguageModelSession.DynamicProfileModifierContent<Self>
    }

    /// The profile that a modifier changes.
    public struct DynamicProfileModifierContent<Modifier>: LanguageModelSession.DynamicProfile
    where Modifier: LanguageModelSession.DynamicProfileModifier {
        let content: any LanguageModelSession.DynamicProfile

        public var body: Never { noBody(Self.self) }
    }

    /// A profile with a modifier.
    public struct ModifiedDynamicProfile<Content, Modifier>: LanguageModelSession.DynamicProfile
    where Content: LanguageModelSession.DynamicProfile, Modifier: LanguageModelSession.DynamicProfileModifier {
        let content: Content
        let modifier: Modifier

        public var body: Never { noBody(Self.self) }
    }
}

extension LanguageModelSession.DynamicProfileModifier {
    public typealias DynamicProfile = LanguageModelSession.DynamicProfile
    public typealias SessionProperty = LanguageModelSession.SessionProperty
}

extension LanguageModelSession.DynamicProfileModifierContent: PrimitiveDynamicProfile {
    func resolve(at place: String) -> ResolvedProfile { content.resolved(at: place) }
}

extension LanguageModelSession.ModifiedDynamicProfile: PrimitiveDynamicProfile {
    func resolve(at place: String) -> ResolvedProfile {
        modifier.body(content: .init(content: content)).resolved(at: place)
    }
}

extension LanguageModelSession.DynamicProfile {
    public func modifier<Modifier>(_ modifier: Modifier) -> some LanguageModelSession.DynamicProfile
    where Modifier: LanguageModelSession.DynamicProfileModifier {
        LanguageModelSession.ModifiedDynamicProfile(content: self, modifier: modifier)
    }
}

/// A profile with a setting of this module.
struct SettingDynamicProfile<Content: LanguageModelSession.DynamicProfile>: PrimitiveDynamicProfile {
    let content: Content
    let change: (inout ResolvedProfile) -> Void

    var body: Never { noBody(Self.self) }

    func resolve(at place: String) -> ResolvedProfile {
        var resolved = content.resolved(at: place)
        change(&resolved)
        return resolved
    }
}
