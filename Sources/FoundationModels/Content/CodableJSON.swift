package import HearthJSON

/// A JSON value through `Codable`. Coders keep no order of keys: who needs it must store it.
package struct CodableJSON: Codable, Sendable {
    package let json: JSON

    package init(_ json: JSON) {
        self.json = json
    }

    package init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: Key.self) {
            var object = JSONObject()
            // A decoder gives the keys in no order; sorted, at least they always come the same way.
            for key in container.allKeys.sorted(by: { $0.stringValue < $1.stringValue }) {
                object[key.stringValue] = try container.decode(CodableJSON.self, forKey: key).json
            }
            json = .object(object)
        } else if var container = try? decoder.unkeyedContainer() {
            var items: [JSON] = []
            while !container.isAtEnd { items.append(try container.decode(CodableJSON.self).json) }
            json = .array(items)
        } else {
            json = try CodableJSON.scalar(decoder.singleValueContainer())
        }
    }

    private static func scalar(_ container: any SingleValueDecodingContainer) throws -> JSON {
        // Each attempt is a question about the kind of value; the last one carries the error.
        if container.decodeNil() { return .null }
        if let value = try? container.decode(Bool.self) { return .bool(value) }
        if let value = try? container.decode(Int64.self) { return .integer(value) }
        if let value = try? container.decode(Double.self) { return .number(value) }
        return .string(try container.decode(String.self))
    }

    package func encode(to encoder: any Encoder) throws {
        switch json {
        case .object(let object):
            var container = encoder.container(keyedBy: Key.self)
            for member in object.members { try container.encode(CodableJSON(member.value), forKey: Key(member.key)) }
        case .array(let items):
            var container = encoder.unkeyedContainer()
            for item in items { try container.encode(CodableJSON(item)) }
        case .null:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        case .bool(let value):
            var container = encoder.singleValueContainer()
            try container.encode(value)
        case .integer(let value):
            var container = encoder.singleValueContainer()
            try container.encode(value)
        case .number(let value):
            var container = encoder.singleValueContainer()
            try container.encode(value)
        case .string(let text):
            var container = encoder.singleValueContainer()
            try container.encode(text)
        }
    }

    package struct Key: CodingKey {
        package let stringValue: String
        package var intValue: Int? { nil }

        package init(_ stringValue: String) { self.stringValue = stringValue }
        package init?(stringValue: String) { self.init(stringValue) }
        package init?(intValue: Int) { return nil }
    }
}
