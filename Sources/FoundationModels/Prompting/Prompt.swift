/// What the user asks: text, values, attachments.
///
///     let prompt = Prompt {
///         "Answer in one sentence."
///         if isPolite { "Be polite." }
///     }
///
/// Parts that follow each other are joined by line ends.
public struct Prompt: Sendable, PromptRepresentable {
    package let parts: [PromptPart]

    package init(parts: [PromptPart]) {
        self.parts = parts
    }

    public init(_ content: some PromptRepresentable) {
        self = content.promptRepresentation
    }

    public init(@PromptBuilder _ content: () throws -> Prompt) rethrows {
        self = try content()
    }

    // `return` keeps the requirement's builder away, here and in every conformance of this module: it would ask the
    // finished prompt for its representation again, without end.
    public var promptRepresentation: Prompt { return self }
}

/// A value that can stand in a prompt.
public protocol PromptRepresentable {
    @PromptBuilder var promptRepresentation: Prompt { get }
}

extension Array: PromptRepresentable where Element: PromptRepresentable {
    public var promptRepresentation: Prompt {
        return Prompt(parts: flatMap(\.promptRepresentation.parts))
    }
}
