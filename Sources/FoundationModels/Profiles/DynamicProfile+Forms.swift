extension LanguageModelSession {
    /// Any profile.
    public struct AnyDynamicProfile: LanguageModelSession.DynamicProfile {
        private let content: any LanguageModelSession.DynamicProfile

        public init(_ dynamicProfile: any LanguageModelSession.DynamicProfile) {
            content = dynamicProfile
        }

        public init(erasing dynamicProfile: some LanguageModelSession.DynamicProfile) {
            content = dynamicProfile
        }

        public var body: Never { noBody(Self.self) }
    }

    /// One of two.
    public struct ConditionalDynamicProfile<TrueContent, FalseContent>: LanguageModelSession.DynamicProfile
    where TrueContent: LanguageModelSession.DynamicProfile, FalseContent: LanguageModelSession.DynamicProfile {
        enum Branch {
            case trueContent(TrueContent)
            case falseContent(FalseContent)
        }

        let branch: Branch

        public var body: Never { noBody(Self.self) }
    }

    /// Chooses a profile. A session has one at a time: several in a row do not compile.
    @resultBuilder
    public struct DynamicProfileBuilder {
        public static func buildBlock<T>(_ content: T) -> T where T: LanguageModelSession.DynamicProfile {
            content
        }

        public static func buildEither<TrueContent, FalseContent>(
            first content: TrueContent
        ) -> LanguageModelSession.ConditionalDynamicProfile<TrueContent, FalseContent>
        where TrueContent: LanguageModelSession.DynamicProfile, FalseContent: LanguageModelSession.DynamicProfile {
            ConditionalDynamicProfile(branch: .trueContent(content))
        }

        public static func buildEither<TrueContent, FalseContent>(
            second content: FalseContent
        ) -> LanguageModelSession.ConditionalDynamicProfile<TrueContent, FalseContent>
        where TrueContent: LanguageModelSession.DynamicProfile, FalseContent: LanguageModelSession.DynamicProfile {
            ConditionalDynamicProfile(branch: .falseContent(content))
        }

        @available(*, unavailable, message: "A session has one profile at a time; choose one with if and else.")
        public static func buildBlock<each Content>(
            _ contents: repeat each Content
        ) -> Never where repeat each Content: LanguageModelSession.DynamicProfile {
            fatalError("unavailable")
        }

        public static func buildLimitedAvailability(
            _ component: some LanguageModelSession.DynamicProfile
        ) -> LanguageModelSession.AnyDynamicProfile {
            AnyDynamicProfile(erasing: component)
        }
    }
}

extension LanguageModelSession.AnyDynamicProfile: PrimitiveDynamicProfile {
    func resolve(at place: String) -> ResolvedProfile { content.resolved(at: place) }
}

extension LanguageModelSession.ConditionalDynamicProfile: PrimitiveDynamicProfile {
    func resolve(at place: String) -> ResolvedProfile {
        switch branch {
        case .trueContent(let content): content.resolved(at: place + ".true")
        case .falseContent(let content): content.resolved(at: place + ".false")
        }
    }
}
