/// One JSON value (RFC 8259). The keys of an object keep the order in which they were written.
///
/// Texts and keys are compared by their UTF-8 bytes, not by Swift's canonical equivalence, so `é` written as one scalar
/// and as two are different keys.
///
///     let value = try JSON.parse(#"{"city": "Köln", "n": 2}"#)
///     value["n"]                        // .integer(2)
///     try value.text(.compact)          // {"city":"Köln","n":2}
package enum JSON: Sendable {
    case null
    case bool(Bool)
    /// A number written without fraction and exponent that fits 64 bits: kept exactly.
    case integer(Int64)
    /// Every other number.
    case number(Double)
    case string(String)
    case array([JSON])
    case object(JSONObject)
}

extension JSON {
    /// The member of an object; nil when this is no object or has no such key.
    package subscript(_ key: String) -> JSON? {
        if case .object(let object) = self { object[key] } else { nil }
    }

    /// The element of an array; nil when this is no array or is shorter.
    package subscript(_ index: Int) -> JSON? {
        if case .array(let items) = self, items.indices.contains(index) { items[index] } else { nil }
    }

    package var stringValue: String? {
        if case .string(let text) = self { text } else { nil }
    }

    package var boolValue: Bool? {
        if case .bool(let flag) = self { flag } else { nil }
    }

    /// A whole number, written as `2` or as `2.0`.
    package var intValue: Int? {
        switch self {
        case .integer(let value): Int(exactly: value)
        case .number(let value): Int(exactly: value)
        default: nil
        }
    }

    package var doubleValue: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    package var arrayValue: [JSON]? {
        if case .array(let items) = self { items } else { nil }
    }

    package var objectValue: JSONObject? {
        if case .object(let object) = self { object } else { nil }
    }

    package var isNull: Bool {
        if case .null = self { true } else { false }
    }
}

extension JSON: Hashable {
    package static func == (a: JSON, b: JSON) -> Bool {
        switch (a, b) {
        case (.null, .null): true
        case (.bool(let x), .bool(let y)): x == y
        case (.integer(let x), .integer(let y)): x == y
        case (.number(let x), .number(let y)): x == y
        case (.string(let x), .string(let y)): x.utf8.elementsEqual(y.utf8)
        case (.array(let x), .array(let y)): x == y
        case (.object(let x), .object(let y)): x == y
        default: false
        }
    }

    package func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .integer(let value): hasher.combine(value)
        case .number(let value): hasher.combine(value)
        case .string(let text): ByteKey(text).hash(into: &hasher)
        case .array(let items): hasher.combine(items)
        case .object(let object): object.hash(into: &hasher)
        }
    }
}

extension JSON: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(nilLiteral: ()) { self = .null }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(floatLiteral value: Double) { self = .number(value) }
    package init(stringLiteral value: String) { self = .string(value) }
    package init(arrayLiteral elements: JSON...) { self = .array(elements) }
    /// A key that is written twice keeps its first place and takes its last value.
    package init(dictionaryLiteral elements: (String, JSON)...) {
        var object = JSONObject()
        for (key, value) in elements { object[key] = value }
        self = .object(object)
    }
}

extension JSON: CustomStringConvertible {
    /// As Python's `json.dumps` writes it, for people to read; a number that is not finite becomes a word.
    package var description: String {
        var style = JSONStyle.spaced
        style.nonFinite = .word
        return String(decoding: JSONWriter(style).bytesOfAnything(self), as: UTF8.self)
    }
}
