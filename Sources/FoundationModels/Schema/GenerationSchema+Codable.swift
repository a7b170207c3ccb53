import HearthJSON

extension GenerationSchema: Codable {
    /// Writes JSON Schema, with `title` and `x-order` beside the standard keys.
    /// - Throws: ``LanguageModelError/unsupportedGenerationGuide(_:)`` when a guide does not fit what it limits.
    public func encode(to encoder: any Encoder) throws {
        let written = written
        if let problem = written.problems.first { throw problem.error(schema: name) }
        try CodableJSON(written.json).encode(to: encoder)
    }

    /// Reads that form. A missing `x-order` means the order in which the decoder gives the properties.
    public init(from decoder: any Decoder) throws {
        let json = try CodableJSON(from: decoder).json
        do {
            self = try SchemaReader.read(json)
        } catch {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: error.description, underlyingError: error))
        }
    }
}

extension SchemaProblem {
    func error(schema: String) -> LanguageModelError {
        .unsupportedGenerationGuide(.init(schemaName: schema, debugDescription: words(schema: schema)))
    }
}
