public import Foundation

/// What an executor is asked: the whole conversation, and how to go on with it.
///
/// The transcript ends with the prompt to answer, or, in a later round of the tool loop, with the tools' outputs.
public struct LanguageModelExecutorGenerationRequest: Sendable {
    /// Unique per executor call; forward it to logs and servers.
    public var id: UUID
    public var transcript: Transcript
    /// The tools that may be called in this round; empty when there are none or when they are disallowed.
    public var enabledToolDefinitions: [Transcript.ToolDefinition]
    /// The form that the answer must have; nil for plain text.
    public var schema: GenerationSchema?
    public var generationOptions: GenerationOptions
    public var contextOptions: ContextOptions
    /// What the caller attached at the call site.
    public var metadata: [String: GeneratedContent]

    public init(
        id: UUID,
        transcript: Transcript,
        enabledTools: [Transcript.ToolDefinition],
        schema: GenerationSchema? = nil,
        generationOptions: GenerationOptions,
        contextOptions: ContextOptions,
        metadata: [String: any ConvertibleToGeneratedContent]
    ) {
        self.id = id
        self.transcript = transcript
        enabledToolDefinitions = enabledTools
        self.schema = schema
        self.generationOptions = generationOptions
        self.contextOptions = contextOptions
        self.metadata = metadata.lowered
    }
}

extension [String: any ConvertibleToGeneratedContent] {
    /// Metadata as it is stored: the writing side takes any convertible value, the reading side gives content.
    var lowered: [String: GeneratedContent] { mapValues { $0.generatedContent } }
}
