/// A type that a model can generate: it has a schema, and is read from and written as generated content.
public protocol Generable: ConvertibleFromGeneratedContent, ConvertibleToGeneratedContent {
    /// The type as it is while it is being generated, with properties still missing.
    associatedtype PartiallyGenerated: ConvertibleFromGeneratedContent = Self

    /// The form that generated content of this type has.
    static var generationSchema: GenerationSchema { get }
}

extension Generable {
    public typealias PartiallyGenerated = Self

    /// The value as the partial type, with everything in place.
    ///
    /// Reads the partial type from this value's own content, which any conforming pair of types can do; a type whose
    /// partial form refuses its own content breaks the promise of the protocol and stops the program here.
    public func asPartiallyGenerated() -> Self.PartiallyGenerated {
        do {
            return try PartiallyGenerated(generatedContent)
        } catch {
            preconditionFailure(
                "\(PartiallyGenerated.self) cannot be read from \(generatedContent.jsonString): \(error)")
        }
    }

    /// The value as structured content under its schema's name.
    public var promptRepresentation: Prompt {
        return Prompt(parts: [.structure(generatedContent, schemaName: Self.generationSchema.name)])
    }

    /// The value as structured content under its schema's name.
    public var instructionsRepresentation: Instructions {
        return Instructions(parts: [.structure(generatedContent, schemaName: Self.generationSchema.name)])
    }
}
