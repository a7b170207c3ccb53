/// The tests behind `is`.
enum TestFunction: String, CaseIterable {
    case boolean, callable, defined, divisibleby, escaped, even, `false`, filter, float, `in`, integer, iterable, lower
    case mapping, none, number, odd, sameas, sequence, string, test, `true`, undefined, upper
    case equal = "eq"
    case notEqual = "ne"
    case less = "lt"
    case lessEqual = "le"
    case greater = "gt"
    case greaterEqual = "ge"

    private static let other: [String: TestFunction] = [
        "==": .equal, "equalto": .equal, "!=": .notEqual, "<": .less, "lessthan": .less, "<=": .lessEqual,
        ">": .greater, "greaterthan": .greater, ">=": .greaterEqual,
    ]

    static func named(_ name: String) -> TestFunction? { TestFunction(rawValue: name) ?? other[name] }

    static let names = allCases.map(\.rawValue) + ["equalto", "lessthan", "greaterthan"]
}

extension Renderer {
    func apply(_ test: Test, to value: Value, _ arguments: CallArguments) throws(TemplateError) -> Bool {
        switch test {
        case .known(let function, _): return try holds(function, value, arguments)
        case .unknown(let name):
            throw fail(.unknownTest(name, suggestion: Spelling.closest(to: name, in: TestFunction.names)))
        }
    }

    func holds(_ test: TestFunction, _ value: Value, _ arguments: CallArguments) throws(TemplateError) -> Bool {
        func other() throws(TemplateError) -> Value {
            try ArgumentReader(test.rawValue, arguments, ["other"], self).value(0)
        }
        if case .undefined(let undefined) = value {
            switch test {
            case .odd, .even, .divisibleby: throw fail(undefined.cause)
            default: break
            }
        }
        switch test {
        case .defined: return !value.isUndefined
        case .undefined: return value.isUndefined
        case .none: return value.isNone
        case .boolean: if case .bool = value { return true } else { return false }
        case .true: if case .bool(true) = value { return true } else { return false }
        case .false: if case .bool(false) = value { return true } else { return false }
        case .integer: if case .integer = value { return true } else { return false }
        case .float: if case .float = value { return true } else { return false }
        case .number: return value.double != nil
        case .string: if case .text = value { return true } else { return false }
        case .mapping: if case .mapping = value { return true } else { return false }
        case .callable:
            if case .function(.cycler(_, .object)) = value { return false }
            if case .function = value { return true }
            // An undefined value has a `__call__` in Jinja, and so has the loop.
            if case .loop = value { return true }
            return value.isUndefined
        case .escaped: if case .text(let text) = value { return text.isMarkup } else { return false }
        case .sequence:
            switch value {
            case .text, .range, .mapping, .undefined: return true
            case .list(let list): return list.kind == .list || list.kind == .tuple
            default: return false
            }
        case .iterable:
            switch value {
            case .text, .range, .mapping, .undefined, .list, .generator, .loop: return true
            default: return false
            }
        case .lower: return value.printed.isAll(upper: false)
        case .upper: return value.printed.isAll(upper: true)
        case .odd, .even, .divisibleby:
            let divisor =
                test == .divisibleby
                ? try ArgumentReader("divisibleby", arguments, ["num"], self).value(0) : .integer(2)
            let rest = try calculate(value, .modulo, divisor)
            return rest.equals(.integer(test == .odd ? 1 : 0))
        case .equal: return value.equals(try other())
        case .notEqual: return !value.equals(try other())
        case .less: return try compare(value, .less, try other())
        case .lessEqual: return try compare(value, .lessEqual, try other())
        case .greater: return try compare(value, .greater, try other())
        case .greaterEqual: return try compare(value, .greaterEqual, try other())
        case .in: return try contains(try other(), value)
        case .sameas: return isSame(value, try other())
        case .filter: return FilterFunction.named(value.printed.string) != nil
        case .test: return TestFunction.named(value.printed.string) != nil
        }
    }

    /// Python's `is`, where it can be told: constants and objects, and texts and numbers by value.
    private func isSame(_ a: Value, _ b: Value) -> Bool {
        switch (a, b) {
        case (.list(let x), .list(let y)): x === y
        case (.mapping(let x), .mapping(let y)): x === y
        case (.bool(let x), .bool(let y)): x == y
        case (.bool, _), (_, .bool), (.integer, .float), (.float, .integer): false
        default: a.equals(b)
        }
    }
}
