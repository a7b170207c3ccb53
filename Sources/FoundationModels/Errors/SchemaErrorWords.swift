/// The words of `GenerationSchema.SchemaError`.
enum SchemaErrorWords {
    case duplicateType(schema: String?, type: String)
    case duplicateProperty(schema: String, property: String)
    case emptyTypeChoices(schema: String)
    case undefinedReferences(schema: String?, references: [String])

    var description: String {
        switch self {
        case .duplicateType(let schema, let type):
            "The name '\(type)' is defined twice\(inside(schema))."
        case .duplicateProperty(let schema, let property):
            "Schema '\(schema)' has two properties named '\(property)'."
        case .emptyTypeChoices(let schema):
            "Schema '\(schema)' offers a choice of nothing."
        case .undefinedReferences(let schema, let references):
            "Nothing defines \(references.map { "'\($0)'" }.joined(separator: ", "))\(inside(schema))."
        }
    }

    var suggestion: String {
        switch self {
        case .duplicateType: "Define each name once and refer to it with DynamicGenerationSchema(referenceTo:)."
        case .duplicateProperty: "Rename one of the properties."
        case .emptyTypeChoices: "Give it at least one choice."
        case .undefinedReferences: "Add the missing schemas to the dependencies, or correct the names."
        }
    }

    private func inside(_ schema: String?) -> String { schema.map { " in schema '\($0)'" } ?? "" }
}
