package import HearthJSON

/// A schema as JSON, and what in it could not be written.
package struct WrittenSchema: Sendable {
    package let json: JSON
    package let problems: [SchemaProblem]
}

extension GenerationSchema {
    /// The schema as ordered JSON: the one text for prompts, request bodies and files.
    package var written: WrittenSchema {
        var writer = SchemaWriter(self)
        return writer.finish()
    }
}

/// Writes a schema as JSON Schema. Named forms other than the root go to `$defs`; the root is referred to as `#`.
private struct SchemaWriter {
    private let schema: GenerationSchema
    private var definitions = JSONObject()
    private var keys: [SchemaName: String] = [:]
    private var problems: [SchemaProblem] = []

    init(_ schema: GenerationSchema) {
        self.schema = schema
    }

    mutating func finish() -> WrittenSchema {
        var json = body(of: schema.root)
        if case .object(var object) = json {
            // An unnamed root has the schema's name as its title only when it is an object without one.
            if !definitions.isEmpty { object["$defs"] = .object(definitions) }
            json = .object(object)
        }
        return WrittenSchema(json: json, problems: problems)
    }

    /// The form where it stands: a reference when it has a name.
    private mutating func write(_ node: SchemaNode) -> JSON {
        switch node {
        case .type(let type):
            return write(type.generationSchema)
        case .reference(let name):
            return reference(to: name)
        case .root:
            return ["$ref": "#"]
        default:
            guard let name = node.name else { return body(of: node) }
            return reference(to: name, node)
        }
    }

    /// The schema of a type inside this one.
    private mutating func write(_ inner: GenerationSchema) -> JSON {
        guard inner.definitions.isEmpty else {
            // A type whose schema brings definitions of its own keeps their names.
            for definition in inner.definitions { _ = reference(to: SchemaName(definition.name), definition.node) }
            return write(inner.root)
        }
        return write(inner.root)
    }

    private mutating func reference(to name: SchemaName, _ node: SchemaNode) -> JSON {
        if let root = schema.root.name, root == name { return ["$ref": "#"] }
        if let key = keys[name] { return ["$ref": .string("#/$defs/\(pointer(key))")] }
        // Two types with one name: the later gets a number.
        var key = name.text
        var number = 2
        while definitions.contains(key) || key == schema.root.name?.text {
            key = "\(name.text)-\(number)"
            number += 1
        }
        keys[name] = key
        definitions[key] = .null
        definitions[key] = body(of: node)
        return ["$ref": .string("#/$defs/\(pointer(key))")]
    }

    private mutating func reference(to name: String) -> JSON {
        if schema.root.name?.text == name { return ["$ref": "#"] }
        guard let definition = schema.definitions.first(where: { $0.name == name }) else {
            // Checked when the schema was made; a form that was already written under this name is meant.
            return ["$ref": .string("#/$defs/\(pointer(name))")]
        }
        return reference(to: SchemaName(name), definition.node)
    }

    /// A key as a part of a JSON pointer (RFC 6901) in a fragment. Of what a fragment would write in percents only the
    /// percent sign is: readers that look a name up as it stands find all others.
    private func pointer(_ key: String) -> String {
        key.replacing("~", with: "~0").replacing("/", with: "~1").replacing("%", with: "%25")
    }

    private mutating func body(of node: SchemaNode) -> JSON {
        switch node {
        case .object(let object): return body(of: object)
        case .array(let items, let minimum, let maximum):
            var json = members(["type": "array", "items": write(items)])
            if let minimum { json["minItems"] = .integer(Int64(minimum)) }
            if let maximum { json["maxItems"] = .integer(Int64(maximum)) }
            return .object(json)
        case .string(let pattern):
            var json = members(["type": "string"])
            if let pattern { json["pattern"] = .string(pattern) }
            return .object(json)
        case .constant(let value): return ["type": "string", "const": .string(value)]
        case .choices(let choices):
            if choices.values.isEmpty { problems.append(.emptyChoices) }
            var json = head(choices.name, choices.description)
            json["type"] = "string"
            json["enum"] = .array(choices.values.map(JSON.string))
            return .object(json)
        case .integer(let minimum, let maximum): return number("integer", minimum, maximum)
        case .number(let minimum, let maximum): return number("number", minimum, maximum)
        case .boolean: return ["type": "boolean"]
        case .null: return ["type": "null"]
        case .union(let union):
            if union.choices.isEmpty { problems.append(.emptyChoices) }
            var json = head(union.name, union.description)
            var choices: [JSON] = []
            for choice in union.choices { choices.append(write(choice)) }
            json["anyOf"] = .array(choices)
            return .object(json)
        case .limited(let inner, let limits): return limited(inner, limits)
        case .type(let type): return body(of: type.generationSchema.root)
        case .anything: return [:]
        case .nothing: return ["not": [:]]
        case .reference, .root: return write(node)
        }
    }

    private mutating func limited(_ inner: SchemaNode, _ limits: [SchemaLimit]) -> JSON {
        var node = inner
        var all = limits
        while true {
            if case .type(let type) = node {
                node = type.generationSchema.root
            } else if case .limited(let deeper, let first) = node {
                node = deeper
                all = first + all
            } else {
                break
            }
        }
        for limit in all {
            do {
                node = try node.applying(limit)
            } catch {
                problems.append(error)
            }
        }
        return write(node)
    }

    private mutating func body(of object: SchemaObject) -> JSON {
        var json = head(object.name, object.description)
        json["type"] = "object"
        var properties = JSONObject()
        for property in object.properties {
            var value = write(property.node)
            if property.isOptional, object.writesNil { value = ["anyOf": [value, ["type": "null"]]] }
            if let description = property.description, case .object(var inner) = value {
                inner["description"] = .string(description)
                value = .object(inner)
            }
            properties[property.name] = value
        }
        json["properties"] = .object(properties)
        json["required"] = .array(object.properties.filter { !$0.isOptional }.map { .string($0.name) })
        json["additionalProperties"] = false
        json["x-order"] = .array(object.properties.map { .string($0.name) })
        return .object(json)
    }

    private func head(_ name: SchemaName?, _ description: String?) -> JSONObject {
        var json = JSONObject()
        if let name { json["title"] = .string(name.text) }
        if let description { json["description"] = .string(description) }
        return json
    }

    private func number(_ type: String, _ minimum: JSON?, _ maximum: JSON?) -> JSON {
        var json = members(["type": .string(type)])
        if let minimum { json["minimum"] = minimum }
        if let maximum { json["maximum"] = maximum }
        return .object(json)
    }
}

/// An object from a literal.
private func members(_ pairs: KeyValuePairs<String, JSON>) -> JSONObject {
    var object = JSONObject()
    for (key, value) in pairs { object[key] = value }
    return object
}
