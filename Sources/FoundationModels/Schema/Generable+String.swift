extension String: Generable {
    public static var generationSchema: GenerationSchema {
        GenerationSchema(name: "String", root: .string(pattern: nil))
    }

    public init(_ content: GeneratedContent) throws {
        guard case .string(let text) = content.kind else { throw content.mismatch("a string") }
        self = text
    }

    public var generatedContent: GeneratedContent {
        GeneratedContent(kind: .string(self), id: nil, isComplete: true)
    }
}

extension String: PromptRepresentable {
    public var promptRepresentation: Prompt { return Prompt(parts: [.text(self)]) }
}

extension String: InstructionsRepresentable {
    public var instructionsRepresentation: Instructions { return Instructions(parts: [.text(self)]) }
}

extension Never: Generable {
    public static var generationSchema: GenerationSchema { GenerationSchema(name: "Never", root: .nothing) }

    public init(_ content: GeneratedContent) throws {
        throw content.problem(.uninhabited)
    }

    public var generatedContent: GeneratedContent {
        switch self {}
    }
}
