import Foundation
import HearthJSON

/// Why a JSON document is no schema that we take.
package struct SchemaFormatError: Error, Sendable, CustomStringConvertible {
    /// The way to the form, as a JSON pointer.
    package let place: String
    package let problem: String

    package var description: String { "The schema at \(place.isEmpty ? "its root" : place) \(problem)" }
}

/// Reads the JSON form of a schema. Keys of JSON Schema that our forms have no place for (`format`, `minLength`,
/// `multipleOf`, ...) are refused rather than dropped, since dropping one would widen the schema.
struct SchemaReader {
    private let definitions: JSONObject

    static func read(_ json: JSON) throws(SchemaFormatError) -> GenerationSchema {
        guard let object = json.objectValue else {
            throw SchemaFormatError(place: "", problem: "is not an object.")
        }
        let definitions = object["$defs"]?.objectValue ?? JSONObject()
        let reader = SchemaReader(definitions: definitions)
        let root = try reader.node(json, at: "", named: nil)
        var read: [SchemaDefinition] = []
        for member in definitions.members {
            let place = "/$defs/\(member.key)"
            read.append(
                SchemaDefinition(name: member.key, node: try reader.node(member.value, at: place, named: member.key)))
        }
        let name = object["title"]?.stringValue ?? root.name?.text ?? root.plainName ?? ""
        return GenerationSchema(name: name, root: root, definitions: read)
    }

    private func node(_ json: JSON, at place: String, named name: String?) throws(SchemaFormatError) -> SchemaNode {
        guard let object = json.objectValue else { throw SchemaFormatError(place: place, problem: "is not an object.") }
        try refuseUnknownKeys(of: object, at: place)
        if let reference = object["$ref"] { return try self.reference(reference, at: place) }
        if let choices = object["anyOf"] { return try union(choices, in: object, at: place, named: name) }
        if let constant = object["const"] {
            guard let text = constant.stringValue else {
                throw SchemaFormatError(place: place, problem: "has a const that is not a string.")
            }
            return .constant(text)
        }
        if let values = object["enum"] { return try choices(values, in: object, at: place, named: name) }
        guard let type = object["type"] else {
            if object["not"] != nil { return .nothing }
            if object.members.allSatisfy({ ["$defs", "title", "description"].contains($0.key) }) { return .anything }
            throw SchemaFormatError(place: place, problem: "has none of the keys type, const, enum, $ref and anyOf.")
        }
        switch type.stringValue {
        case "object": return .object(try self.object(object, at: place, named: name))
        case "array":
            guard let items = object["items"] else {
                throw SchemaFormatError(place: place, problem: "is an array without items.")
            }
            return .array(
                items: try node(items, at: place + "/items", named: nil),
                minimum: object["minItems"]?.intValue, maximum: object["maxItems"]?.intValue)
        case "string": return .string(pattern: object["pattern"]?.stringValue)
        case "integer": return .integer(minimum: object["minimum"], maximum: object["maximum"])
        case "number": return .number(minimum: object["minimum"], maximum: object["maximum"])
        case "boolean": return .boolean
        case "null": return .null
        default: throw SchemaFormatError(place: place, problem: "has the type \(type), which is not one of JSON's.")
        }
    }

    private func object(
        _ json: JSONObject, at place: String, named name: String?
    ) throws(SchemaFormatError) -> SchemaObject {
        let members = json["properties"]?.objectValue ?? JSONObject()
        let required = json["required"]?.arrayValue?.compactMap(\.stringValue) ?? []
        var order = json["x-order"]?.arrayValue?.compactMap(\.stringValue) ?? []
        for key in members.keys where !order.contains(key) { order.append(key) }
        var properties: [SchemaProperty] = []
        var writesNil = false
        for key in order {
            guard let value = members[key] else {
                throw SchemaFormatError(place: place, problem: "orders a property '\(key)' that it does not have.")
            }
            let isOptional = !required.contains(key)
            var form = value
            if isOptional, let inner = SchemaReader.nullable(value) {
                writesNil = true
                form = inner
            }
            properties.append(
                SchemaProperty(
                    name: key, description: value["description"]?.stringValue,
                    node: try node(form, at: "\(place)/properties/\(key)", named: nil), isOptional: isOptional))
        }
        let title = json["title"]?.stringValue ?? name ?? ""
        return SchemaObject(
            name: SchemaName(title), description: json["description"]?.stringValue, properties: properties,
            writesNil: writesNil)
    }

    /// The form that an explicit-nil property is when it is not null.
    private static func nullable(_ json: JSON) -> JSON? {
        guard let choices = json["anyOf"]?.arrayValue, choices.count == 2, json["title"] == nil,
            choices[1] == ["type": "null"]
        else { return nil }
        return choices[0]
    }

    private func choices(
        _ values: JSON, in object: JSONObject, at place: String, named name: String?
    ) throws(SchemaFormatError) -> SchemaNode {
        var texts: [String] = []
        for value in values.arrayValue ?? [] {
            guard let text = value.stringValue else {
                throw SchemaFormatError(place: place, problem: "has a choice, \(value), that is not a string.")
            }
            texts.append(text)
        }
        let title = object["title"]?.stringValue ?? name
        return .choices(
            SchemaChoices(
                name: title.map { SchemaName($0) }, description: object["description"]?.stringValue, values: texts))
    }

    private func union(
        _ choices: JSON, in object: JSONObject, at place: String, named name: String?
    ) throws(SchemaFormatError) -> SchemaNode {
        var nodes: [SchemaNode] = []
        for (index, choice) in (choices.arrayValue ?? []).enumerated() {
            nodes.append(try node(choice, at: "\(place)/anyOf/\(index)", named: nil))
        }
        let title = object["title"]?.stringValue ?? name
        return .union(
            SchemaUnion(
                name: title.map { SchemaName($0) }, description: object["description"]?.stringValue, choices: nodes))
    }

    private func reference(_ json: JSON, at place: String) throws(SchemaFormatError) -> SchemaNode {
        guard let target = json.stringValue else {
            throw SchemaFormatError(place: place, problem: "has a $ref that is not a string.")
        }
        if target == "#" { return .root }
        let prefix = "#/$defs/"
        let name = String(target.dropFirst(prefix.count))
        // A fragment may be written in percents, or carelessly: as it stands.
        for text in [name.removingPercentEncoding, name] where target.hasPrefix(prefix) {
            guard let key = text?.replacing("~1", with: "/").replacing("~0", with: "~") else { continue }
            if definitions.contains(key) { return .reference(key) }
        }
        throw SchemaFormatError(place: place, problem: "refers to '\(target)', which the schema does not define.")
    }

    private static let knownKeys: Set<String> = [
        "$defs", "$ref", "$schema", "additionalProperties", "anyOf", "const", "description", "enum", "items",
        "maxItems", "maximum", "minItems", "minimum", "not", "pattern", "properties", "required", "title", "type",
        "x-order",
    ]

    private func refuseUnknownKeys(of object: JSONObject, at place: String) throws(SchemaFormatError) {
        for key in object.keys where !SchemaReader.knownKeys.contains(key) {
            throw SchemaFormatError(place: place, problem: "has the key '\(key)', which is not supported.")
        }
    }
}

extension SchemaNode {
    /// The Swift type that has this schema, for forms that are written without a title.
    fileprivate var plainName: String? {
        switch self {
        case .string: "String"
        case .integer: "Int"
        case .number: "Double"
        case .boolean: "Bool"
        case .anything: "GeneratedContent"
        case .array(let items, _, _): items.plainName.map { "Array<\($0)>" }
        case .reference(let name): name
        default: name?.text
        }
    }
}
