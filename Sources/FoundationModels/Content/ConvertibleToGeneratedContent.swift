/// A type that can be read from generated content.
public protocol ConvertibleFromGeneratedContent: SendableMetatype {
    init(_ content: GeneratedContent) throws
}

/// A type that can be written as generated content, and so stand in prompts and instructions.
public protocol ConvertibleToGeneratedContent: InstructionsRepresentable, PromptRepresentable {
    var generatedContent: GeneratedContent { get }
}

extension ConvertibleToGeneratedContent {
    /// The value's JSON as text.
    public var instructionsRepresentation: Instructions {
        return Instructions(parts: [.text(generatedContent.jsonString)])
    }

    /// The value's JSON as text.
    public var promptRepresentation: Prompt {
        return Prompt(parts: [.text(generatedContent.jsonString)])
    }
}
