import HearthJSON

/// A limit that cannot be put on a form.
package enum SchemaProblem: Error, Sendable, Equatable {
    case patternWithoutText
    case twoPatterns(String, String)
    case limitDoesNotFit(limit: String, form: String)
    case emptyChoices
}

extension SchemaNode {
    /// The form with one more limit. Limits only narrow: of two minimums the larger holds.
    package func applying(_ limit: SchemaLimit) throws(SchemaProblem) -> SchemaNode {
        switch (self, limit) {
        case (.string(nil), .constant(let value)): return .constant(value)
        case (.string(nil), .anyOf(let values)):
            if values.isEmpty { throw .emptyChoices }
            return .choices(SchemaChoices(name: nil, description: nil, values: values))
        case (.string(let earlier), .pattern(let pattern)):
            guard let pattern else { throw .patternWithoutText }
            if let earlier { throw .twoPatterns(earlier, pattern) }
            return .string(pattern: pattern)
        case (.integer(let minimum, let maximum), .minimum(let value)):
            return .integer(minimum: SchemaNode.larger(minimum, value), maximum: maximum)
        case (.integer(let minimum, let maximum), .maximum(let value)):
            return .integer(minimum: minimum, maximum: SchemaNode.smaller(maximum, value))
        case (.number(let minimum, let maximum), .minimum(let value)):
            return .number(minimum: SchemaNode.larger(minimum, value), maximum: maximum)
        case (.number(let minimum, let maximum), .maximum(let value)):
            return .number(minimum: minimum, maximum: SchemaNode.smaller(maximum, value))
        case (.array(let items, let minimum, let maximum), .minimumCount(let count)):
            return .array(items: items, minimum: max(minimum ?? count, count), maximum: maximum)
        case (.array(let items, let minimum, let maximum), .maximumCount(let count)):
            return .array(items: items, minimum: minimum, maximum: min(maximum ?? count, count))
        case (.array(let items, let minimum, let maximum), .element(let inner)):
            return .array(items: .limited(items, [inner]), minimum: minimum, maximum: maximum)
        default:
            throw .limitDoesNotFit(limit: limit.words, form: words)
        }
    }

    private static func larger(_ a: JSON?, _ b: JSON) -> JSON {
        guard let a, let x = a.doubleValue, let y = b.doubleValue else { return b }
        return x > y ? a : b
    }

    private static func smaller(_ a: JSON?, _ b: JSON) -> JSON {
        guard let a, let x = a.doubleValue, let y = b.doubleValue else { return b }
        return x < y ? a : b
    }

    /// The form in words, for messages.
    var words: String {
        switch self {
        case .object(let object): "the object \(object.name.text)"
        case .array: "an array"
        case .string(nil): "a string"
        case .string: "a string with a pattern"
        case .constant: "a constant"
        case .choices: "a list of choices"
        case .integer: "a whole number"
        case .number: "a number"
        case .boolean: "a boolean"
        case .null: "null"
        case .union: "a union"
        case .reference(let name): "the form \(name)"
        case .root: "the schema itself"
        case .type(let type): GenerationSchema.name(of: type)
        case .limited(let node, _): node.words
        case .anything: "any value"
        case .nothing: "no value"
        }
    }
}

extension SchemaLimit {
    var words: String {
        switch self {
        case .constant: "constant"
        case .anyOf: "anyOf"
        case .pattern: "pattern"
        case .minimum: "minimum"
        case .maximum: "maximum"
        case .minimumCount: "minimumCount"
        case .maximumCount: "maximumCount"
        case .element(let inner): "element(\(inner.words))"
        }
    }
}
