/// What the model is told to be, before the first prompt.
///
///     let instructions = Instructions {
///         "Answer in one sentence."
///         if isPolite { "Be polite." }
///     }
///
/// Parts that follow each other are joined by line ends.
public struct Instructions: Sendable, InstructionsRepresentable {
    package let parts: [PromptPart]

    package init(parts: [PromptPart]) {
        self.parts = parts
    }

    public init(_ content: some InstructionsRepresentable) {
        self = content.instructionsRepresentation
    }

    public init(@InstructionsBuilder _ content: () throws -> Instructions) rethrows {
        self = try content()
    }

    public var instructionsRepresentation: Instructions { return self }
}

/// A value that can stand in instructions.
public protocol InstructionsRepresentable {
    @InstructionsBuilder var instructionsRepresentation: Instructions { get }
}

extension Array: InstructionsRepresentable where Element: InstructionsRepresentable {
    public var instructionsRepresentation: Instructions {
        return Instructions(parts: flatMap(\.instructionsRepresentation.parts))
    }
}
