extension GeneratedContent {
    /// The whole value as a Swift type.
    /// - Throws: ``ParsingError`` when it is another kind of value.
    public func value<Value>(_ type: Value.Type = Value.self) throws -> Value
    where Value: ConvertibleFromGeneratedContent {
        try Value(self)
    }

    /// A property as a Swift type.
    /// - Throws: ``ParsingError`` when there is no such property, or when it is another kind of value.
    public func value<Value>(_ type: Value.Type = Value.self, forProperty property: String) throws -> Value
    where Value: ConvertibleFromGeneratedContent {
        guard let value = try properties(for: property)[property] else {
            throw ParsingError(rawContent: jsonString, cause: .missingProperty(property))
        }
        return try value.read(Value.self, as: property)
    }

    /// A property as a Swift type; nil when it is missing or null.
    /// - Throws: ``ParsingError`` when it is another kind of value.
    public func value<Value>(_ type: Value?.Type = Value?.self, forProperty property: String) throws -> Value?
    where Value: ConvertibleFromGeneratedContent {
        guard let value = try properties(for: property)[property], value.kind != .null else { return nil }
        return try value.read(Value.self, as: property)
    }

    private func properties(for property: String) throws -> [String: GeneratedContent] {
        guard case .structure(let properties, _) = kind else {
            throw ParsingError(rawContent: jsonString, cause: .notAStructure(property: property, found: kindName))
        }
        return properties
    }

    /// Reads a property, and says in the error which property it was.
    private func read<Value: ConvertibleFromGeneratedContent>(_ type: Value.Type, as property: String) throws -> Value {
        do {
            return try Value(self)
        } catch let error as ParsingError {
            throw error.inside(property: property)
        }
    }

    /// The kind in words, for messages.
    package var kindName: String {
        switch kind {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .structure: "an object"
        }
    }
}
