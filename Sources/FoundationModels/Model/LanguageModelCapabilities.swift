/// What a model can do, as a set that the session asks before it runs a request.
///
/// A request that needs something outside the set ends with ``LanguageModelError/unsupportedCapability(_:)`` before
/// the executor runs. Plain text needs no capability.
public struct LanguageModelCapabilities: Sendable, Hashable {
    private let members: Set<Capability>

    public init(_ capabilities: [LanguageModelCapabilities.Capability]) {
        members = Set(capabilities)
    }

    public func contains(_ capability: LanguageModelCapabilities.Capability) -> Bool {
        members.contains(capability)
    }

    /// One thing a model can do.
    public struct Capability: Sendable, Hashable {
        /// The name used in messages; also the identity.
        package let name: String

        /// Prompts may hold images.
        public static var vision: LanguageModelCapabilities.Capability { Capability(name: "vision") }
        /// Output obeys a ``GenerationSchema``.
        public static var guidedGeneration: LanguageModelCapabilities.Capability {
            Capability(name: "guidedGeneration")
        }
        /// The model reasons in entries of their own.
        public static var reasoning: LanguageModelCapabilities.Capability { Capability(name: "reasoning") }
        /// The model calls the session's tools.
        public static var toolCalling: LanguageModelCapabilities.Capability { Capability(name: "toolCalling") }
    }
}
