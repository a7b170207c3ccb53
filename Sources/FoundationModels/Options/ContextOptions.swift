/// How the prompt is built around the request.
public struct ContextOptions: Sendable, Equatable {
    /// Whether the executor writes the schema into the prompt. `true` for guided calls unless said otherwise, nil for
    /// plain text.
    public var includeSchemaInPrompt: Bool?
    /// How much the model should reason. Needs ``LanguageModelCapabilities/Capability/reasoning``.
    public var reasoningLevel: ContextOptions.ReasoningLevel?

    public init(includeSchemaInPrompt: Bool? = nil, reasoningLevel: ContextOptions.ReasoningLevel? = nil) {
        self.includeSchemaInPrompt = includeSchemaInPrompt
        self.reasoningLevel = reasoningLevel
    }

    public enum ReasoningLevel: Sendable, Equatable {
        case light
        case moderate
        case deep
        /// A level by the model's own name for it.
        case custom(String)
    }
}
