import HearthJSON

/// The form that a model's answer, or a tool's arguments, must have.
///
/// `@Generable` makes one for your type. A schema is encoded as JSON Schema (2020-12), with the order of properties
/// under the key `x-order`:
///
///     let json = try JSONEncoder().encode(Itinerary.generationSchema)
public struct GenerationSchema: Sendable, CustomDebugStringConvertible {
    /// The type's name, or the name that was given to the macro or to the dynamic schema.
    public let name: String

    package let root: SchemaNode
    /// Forms that the root refers to by name, in the order in which they were given.
    package let definitions: [SchemaDefinition]

    package init(name: String, root: SchemaNode, definitions: [SchemaDefinition] = []) {
        self.name = name
        self.root = root
        self.definitions = definitions
    }

    /// An object of the type's properties.
    public init(
        type: any Generable.Type, description: String? = nil, properties: [GenerationSchema.Property]
    ) {
        self.init(
            type: type, description: description, representNilExplicitlyInGeneratedContent: false,
            properties: properties)
    }

    /// An object of the type's properties; with `explicitNil`, nil is written as null rather than left out.
    public init(
        type: any Generable.Type, description: String? = nil,
        representNilExplicitlyInGeneratedContent explicitNil: Bool, properties: [GenerationSchema.Property]
    ) {
        let object = SchemaObject(
            name: SchemaName(of: type), description: description, properties: properties.map(\.property),
            writesNil: explicitNil)
        self.init(name: object.name.text, root: .object(object))
    }

    /// A string out of a list.
    public init(type: any Generable.Type, description: String? = nil, anyOf choices: [String]) {
        let name = SchemaName(of: type)
        self.init(
            name: name.text,
            root: .choices(SchemaChoices(name: name, description: description, values: choices)))
    }

    /// A value of one of several types.
    public init(type: any Generable.Type, description: String? = nil, anyOf types: [any Generable.Type]) {
        let name = SchemaName(of: type)
        let union = SchemaUnion(name: name, description: description, choices: types.map(SchemaNode.type))
        self.init(name: name.text, root: .union(union))
    }

    /// The schema as JSON, indented.
    public var debugDescription: String {
        var style = JSONStyle.spaced
        style.itemSeparator = ","
        style.indent = 2
        return written.json.description(style)
    }

    /// The type's name as Swift writes it, without its module.
    package static func name(of type: any Generable.Type) -> String { String(describing: type) }
}

/// A form and the name by which a schema refers to it.
package struct SchemaDefinition: Sendable {
    package let name: String
    package let node: SchemaNode

    package init(name: String, node: SchemaNode) {
        self.name = name
        self.node = node
    }
}

extension GenerationSchema {
    /// Whether two schemas are written alike; names that are not written do not count. Schemas have no public
    /// equality, as Apple's have none.
    package func isSame(as other: GenerationSchema) -> Bool {
        written.json == other.written.json
    }
}
