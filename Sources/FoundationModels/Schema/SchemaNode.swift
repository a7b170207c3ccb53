package import HearthJSON

/// The form of a value. Named forms (objects, choices, unions) are written once, under `$defs`, and referred to.
package indirect enum SchemaNode: Sendable {
    case object(SchemaObject)
    case array(items: SchemaNode, minimum: Int?, maximum: Int?)
    case string(pattern: String?)
    case constant(String)
    case choices(SchemaChoices)
    case integer(minimum: JSON?, maximum: JSON?)
    case number(minimum: JSON?, maximum: JSON?)
    case boolean
    case null
    case union(SchemaUnion)
    /// A form with a name that a schema's dependencies define.
    case reference(String)
    /// The schema's own root.
    case root
    /// The schema of a Swift type, asked for when it is needed: a type may refer to itself.
    case type(any Generable.Type)
    /// A form with limits, which are applied when it is written.
    case limited(SchemaNode, [SchemaLimit])
    /// Any value.
    case anything
    /// No value.
    case nothing
}

/// A name and the Swift type that has it; two types may be spelled alike.
package struct SchemaName: Hashable, Sendable {
    package let text: String
    package let type: ObjectIdentifier?

    package init(_ text: String, type: ObjectIdentifier? = nil) {
        self.text = text
        self.type = type
    }

    package init(of type: any Generable.Type) {
        self.init(GenerationSchema.name(of: type), type: ObjectIdentifier(type))
    }
}

/// An object with its properties in order.
package struct SchemaObject: Sendable {
    package let name: SchemaName
    package let description: String?
    package let properties: [SchemaProperty]
    /// Optional properties that are nil are written as null, rather than left out.
    package let writesNil: Bool

    package init(name: SchemaName, description: String?, properties: [SchemaProperty], writesNil: Bool) {
        self.name = name
        self.description = description
        self.properties = properties
        self.writesNil = writesNil
    }
}

package struct SchemaProperty: Sendable {
    package let name: String
    package let description: String?
    package let node: SchemaNode
    package let isOptional: Bool

    package init(name: String, description: String?, node: SchemaNode, isOptional: Bool) {
        self.name = name
        self.description = description
        self.node = node
        self.isOptional = isOptional
    }
}

/// A string out of a list. Without a name it is written where it stands.
package struct SchemaChoices: Sendable {
    package let name: SchemaName?
    package let description: String?
    package let values: [String]

    package init(name: SchemaName?, description: String?, values: [String]) {
        self.name = name
        self.description = description
        self.values = values
    }
}

/// One of several forms.
package struct SchemaUnion: Sendable {
    package let name: SchemaName?
    package let description: String?
    package let choices: [SchemaNode]

    package init(name: SchemaName?, description: String?, choices: [SchemaNode]) {
        self.name = name
        self.description = description
        self.choices = choices
    }
}

extension SchemaNode {
    /// The name under which the form is defined, for forms that have one.
    package var name: SchemaName? {
        switch self {
        case .object(let object): object.name
        case .choices(let choices): choices.name
        case .union(let union): union.name
        default: nil
        }
    }
}
