// What `@Generable(name:)` expands to. The underscored label keeps these out of completion; they are no part of Apple's surface.
extension GenerationSchema {
    public init(
        _type type: any Generable.Type, name: String, description: String? = nil,
        representNilExplicitlyInGeneratedContent explicitNil: Bool = false, properties: [GenerationSchema.Property]
    ) {
        let object = SchemaObject(
            name: SchemaName(name, type: ObjectIdentifier(type)), description: description,
            properties: properties.map(\.property), writesNil: explicitNil)
        self.init(name: name, root: .object(object))
    }

    public init(_type type: any Generable.Type, name: String, description: String? = nil, anyOf choices: [String]) {
        let schemaName = SchemaName(name, type: ObjectIdentifier(type))
        self.init(
            name: name, root: .choices(SchemaChoices(name: schemaName, description: description, values: choices)))
    }

    public init(
        _type type: any Generable.Type, name: String, description: String? = nil, anyOf types: [any Generable.Type]
    ) {
        let schemaName = SchemaName(name, type: ObjectIdentifier(type))
        let union = SchemaUnion(name: schemaName, description: description, choices: types.map(SchemaNode.type))
        self.init(name: name, root: .union(union))
    }
}
