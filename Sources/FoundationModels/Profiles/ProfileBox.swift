import HearthLocks

/// A session's profile. It was handed over by its maker and is evaluated under a lock, so that it need not be `Sendable`.
final class ProfileBox: @unchecked Sendable {
    private let profile: any LanguageModelSession.DynamicProfile
    private let evaluating = Locked(())
    /// The profile that is active, and what it wants to be told when it is no more. Only the task of a request uses it.
    private var active: (place: String, deactivate: [@isolated(any) () async -> Void])?

    init(_ profile: any LanguageModelSession.DynamicProfile) {
        self.profile = profile
    }

    func plan(_ properties: SessionPropertyValues) -> RoundPlan {
        SessionContext.$properties.withValue(properties) {
            evaluating.withLock { _ in RoundPlan(profile.resolved(at: "")) }
        }
    }

    /// Tells profiles that they became active, or are so no longer.
    func activate(_ resolved: ResolvedProfile) async {
        if active?.place == resolved.place { return }
        for action in active?.deactivate ?? [] { await action() }
        active = (resolved.place, resolved.callbacks.deactivate)
        for action in resolved.callbacks.activate { await action() }
    }
}
