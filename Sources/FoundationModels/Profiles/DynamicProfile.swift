extension LanguageModelSession {
    /// How a session is set up, worked out anew for every round of a request: instructions, tools, model, options.
    ///
    ///     struct Assistant: LanguageModelSession.DynamicProfile {
    ///         @SessionProperty(\.mode) var mode
    ///         var body: some DynamicProfile {
    ///             if mode == .quick {
    ///                 Profile { Instructions("Be brief.") }.model(small)
    ///             } else {
    ///                 Profile { Instructions("Be thorough."); SearchTool() }.model(large).temperature(0.2)
    ///             }
    ///         }
    ///     }
    ///
    /// What a call site says holds over every modifier, and an inner modifier over an outer one.
    @_typeEraser(AnyDynamicProfile)
    public protocol DynamicProfile {
        associatedtype Body: LanguageModelSession.DynamicProfile
        @LanguageModelSession.DynamicProfileBuilder var body: Self.Body { get }
    }

    /// A profile of instructions and tools.
    public struct Profile: LanguageModelSession.DynamicProfile {
        private let instructions: any DynamicInstructions

        public init(@DynamicInstructionsBuilder _ dynamicInstructions: () -> some DynamicInstructions) {
            instructions = dynamicInstructions()
        }

        public var body: Never { noBody(Self.self) }
    }
}

extension LanguageModelSession.DynamicProfile {
    public typealias Profile = LanguageModelSession.Profile
    public typealias DynamicProfile = LanguageModelSession.DynamicProfile
    public typealias SessionProperty = LanguageModelSession.SessionProperty
}

extension LanguageModelSession.Profile: PrimitiveDynamicProfile {
    func resolve(at place: String) -> ResolvedProfile {
        var resolved = ResolvedProfile(place: place)
        resolved.instructions.add(instructions)
        return resolved
    }
}

/// A profile that is not made of others.
protocol PrimitiveDynamicProfile: LanguageModelSession.DynamicProfile {
    /// - Parameter place: where the profile stands in the one it is part of; the same from round to round.
    func resolve(at place: String) -> ResolvedProfile
}

extension LanguageModelSession.DynamicProfile {
    /// What the profile comes to at this moment.
    func resolved(at place: String) -> ResolvedProfile {
        if let primitive = self as? any PrimitiveDynamicProfile { return primitive.resolve(at: place) }
        return body.resolved(at: place + "." + String(describing: Self.self))
    }
}
