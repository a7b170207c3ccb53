extension GenerationSchema {
    /// Resolves a dynamic schema's references among the root, the dependencies and what is nested in them.
    /// - Throws: ``SchemaError`` for a name used twice, a property named twice, an empty choice, and references that
    ///   nothing defines.
    public init(root: DynamicGenerationSchema, dependencies: [DynamicGenerationSchema]) throws {
        let rootName = root.node.name?.text
        var survey = SchemaSurvey(root: rootName)
        try survey.visit(root.node)
        for dependency in dependencies { try survey.visit(dependency.node) }
        let missing = survey.missing
        if !missing.isEmpty {
            throw SchemaError.undefinedReferences(
                schema: rootName, references: missing,
                context: .init(.undefinedReferences(schema: rootName, references: missing)))
        }
        let definitions = survey.defined.filter { $0.name != rootName }
        self.init(name: rootName ?? "", root: root.node, definitions: definitions)
    }
}

/// Collects the names that a dynamic schema defines and refers to.
private struct SchemaSurvey {
    let root: String?
    var defined: [SchemaDefinition] = []
    private var names: Set<String> = []
    private var referred: [String] = []

    init(root: String?) {
        self.root = root
    }

    /// Names without a form, each once, in the order in which they are met.
    var missing: [String] {
        var seen = names
        return referred.filter { seen.insert($0).inserted }
    }

    mutating func visit(_ node: SchemaNode) throws {
        if let name = node.name {
            guard names.insert(name.text).inserted else {
                throw GenerationSchema.SchemaError.duplicateType(
                    schema: root, type: name.text, context: .init(.duplicateType(schema: root, type: name.text)))
            }
            defined.append(SchemaDefinition(name: name.text, node: node))
        }
        switch node {
        case .object(let object):
            var seen: Set<String> = []
            for property in object.properties {
                let schema = object.name.text
                guard seen.insert(property.name).inserted else {
                    throw GenerationSchema.SchemaError.duplicateProperty(
                        schema: schema, property: property.name,
                        context: .init(.duplicateProperty(schema: schema, property: property.name)))
                }
                try visit(property.node)
            }
        case .union(let union):
            try refuseEmpty(union.choices.isEmpty, union.name)
            for choice in union.choices { try visit(choice) }
        case .choices(let choices):
            try refuseEmpty(choices.values.isEmpty, choices.name)
        case .array(let items, _, _): try visit(items)
        case .limited(let inner, _): try visit(inner)
        case .reference(let name): referred.append(name)
        case .type, .string, .constant, .integer, .number, .boolean, .null, .root, .anything, .nothing: break
        }
    }

    private func refuseEmpty(_ isEmpty: Bool, _ name: SchemaName?) throws {
        guard isEmpty else { return }
        let schema = name?.text ?? ""
        throw GenerationSchema.SchemaError.emptyTypeChoices(
            schema: schema, context: .init(.emptyTypeChoices(schema: schema)))
    }
}
