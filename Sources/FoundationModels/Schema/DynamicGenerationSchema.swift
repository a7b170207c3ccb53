/// A schema put together at run time, to become a ``GenerationSchema`` with its dependencies.
///
///     let dish = DynamicGenerationSchema(name: "Dish", anyOf: menu)
///     let schema = try GenerationSchema(root: dish, dependencies: [])
public struct DynamicGenerationSchema: Sendable {
    let node: SchemaNode

    private init(node: SchemaNode) {
        self.node = node
    }

    /// The value null.
    public static var null: DynamicGenerationSchema { DynamicGenerationSchema(node: .null) }

    public init(name: String, description: String? = nil, properties: [DynamicGenerationSchema.Property]) {
        self.init(
            name: name, description: description, representNilExplicitlyInGeneratedContent: false,
            properties: properties)
    }

    public init(
        name: String, description: String? = nil, representNilExplicitlyInGeneratedContent explicitNil: Bool,
        properties: [DynamicGenerationSchema.Property]
    ) {
        node = .object(
            SchemaObject(
                name: SchemaName(name), description: description, properties: properties.map(\.property),
                writesNil: explicitNil))
    }

    /// One of several forms.
    public init(name: String, description: String? = nil, anyOf choices: [DynamicGenerationSchema]) {
        node = .union(SchemaUnion(name: SchemaName(name), description: description, choices: choices.map(\.node)))
    }

    /// A string out of a list.
    public init(name: String, description: String? = nil, anyOf choices: [String]) {
        node = .choices(SchemaChoices(name: SchemaName(name), description: description, values: choices))
    }

    public init(
        arrayOf itemSchema: DynamicGenerationSchema, minimumElements: Int? = nil, maximumElements: Int? = nil
    ) {
        node = .array(items: itemSchema.node, minimum: minimumElements, maximum: maximumElements)
    }

    public init<Value>(type: Value.Type, guides: [GenerationGuide<Value>] = []) where Value: Generable {
        let limits = guides.flatMap(\.limits)
        node = limits.isEmpty ? .type(type) : .limited(.type(type), limits)
    }

    /// A schema that stands elsewhere: the root, a dependency, or one nested in either.
    public init(referenceTo name: String) {
        node = .reference(name)
    }

    public struct Property: Sendable {
        let property: SchemaProperty

        public init(
            name: String, description: String? = nil, schema: DynamicGenerationSchema, isOptional: Bool = false
        ) {
            property = SchemaProperty(
                name: name, description: description, node: schema.node, isOptional: isOptional)
        }
    }
}
