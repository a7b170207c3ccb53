/// A value of the template language, with Python's rules for truth, equality and order.
///
/// Lists and mappings cannot be changed once made (transformers renders in Jinja's immutable sandbox); only the
/// attributes of a namespace can.
enum Value {
    case undefined(Undefined)
    case none
    case bool(Bool)
    case integer(Int)
    case float(Double)
    case text(Text)
    case list(ValueList)
    case range(ValueRange)
    /// What `map`, `select` and their like give: can be walked through once, and has no length.
    case generator(ValueGenerator)
    case mapping(ValueMapping)
    case namespace(ValueNamespace)
    case function(ValueFunction)
    case loop(LoopState)
}

/// What Jinja gives for something that is not there.
final class Undefined {
    enum Reason {
        case name(String)
        case attribute(String, kind: String)
        case element(String, kind: String)
        case forbidden(String)
        case hint(String)
    }

    let reason: Reason
    init(_ reason: Reason) { self.reason = reason }

    var cause: TemplateError.Cause {
        switch reason {
        case .name(let name): .undefined("`\(name)` is undefined")
        case .attribute(let name, let kind): .undefined("\(kind) has no attribute `\(name)`")
        case .element(let name, let kind): .undefined("\(kind) has no element \(name)")
        case .forbidden(let what): .forbidden(what)
        case .hint(let hint): .undefined(hint)
        }
    }
}

final class ValueList {
    enum Kind { case list, tuple, keys, values, items }
    let items: [Value]
    let kind: Kind
    /// Levels of lists and mappings, this one included.
    let depth: Int
    /// Names of the places, for the pairs of `groupby`.
    let fields: [String]

    init(_ items: [Value], _ kind: Kind = .list, fields: [String] = []) {
        self.items = items
        self.kind = kind
        self.fields = fields
        depth = 1 + items.reduce(0) { max($0, $1.depth) }
    }
}

/// Python's `range`.
struct ValueRange: Equatable {
    let start: Int
    let stop: Int
    let step: Int

    var count: Int {
        if step > 0 { return start < stop ? (stop - start - 1) / step + 1 : 0 }
        return start > stop ? (start - stop - 1) / -step + 1 : 0
    }

    subscript(_ index: Int) -> Int { start + index * step }
}

final class ValueGenerator {
    private var next: (() throws(TemplateError) -> Value?)?
    init(_ next: @escaping () throws(TemplateError) -> Value?) { self.next = next }

    convenience init(_ items: [Value]) {
        var index = 0
        self.init { () throws(TemplateError) -> Value? in
            guard index < items.count else { return nil }
            index += 1
            return items[index - 1]
        }
    }

    func pull() throws(TemplateError) -> Value? {
        guard let next else { return nil }
        let value = try next()
        if value == nil { self.next = nil }
        return value
    }
}

/// A mapping in order of insertion.
final class ValueMapping {
    let keys: [Value]
    let values: [Value]
    let depth: Int
    private let places: [ValueKey: Int]

    /// A key that comes again takes its last value at its first place, as in Python.
    init(_ pairs: [(key: ValueKey, name: Value, value: Value)]) {
        var keys: [Value] = []
        var values: [Value] = []
        var places: [ValueKey: Int] = [:]
        for pair in pairs {
            if let place = places[pair.key] {
                values[place] = pair.value
            } else {
                places[pair.key] = keys.count
                keys.append(pair.name)
                values.append(pair.value)
            }
        }
        (self.keys, self.values, self.places) = (keys, values, places)
        depth = 1 + values.reduce(0) { max($0, $1.depth) }
    }

    subscript(_ key: ValueKey) -> Value? { places[key].map { values[$0] } }
    subscript(_ name: String) -> Value? { self[.text(Array(name.utf8))] }
    var count: Int { keys.count }

    func pair(_ index: Int) -> Value { .list(ValueList([keys[index], values[index]], .tuple)) }
}

/// What can be the key of a mapping; 1, 1.0 and true are one key.
enum ValueKey: Hashable {
    case none
    case integer(Int)
    case float(Double)
    case text([UInt8])
    case tuple([ValueKey])
    case undefined

    init?(_ value: Value) {
        switch value {
        case .none: self = .none
        case .bool(let flag): self = .integer(flag ? 1 : 0)
        case .integer(let value): self = .integer(value)
        case .float(let value): self = Int(exactly: value).map(ValueKey.integer) ?? .float(value)
        case .text(let text): self = .text(text.bytes)
        case .undefined: self = .undefined
        case .list(let list) where list.kind == .tuple:
            var keys: [ValueKey] = []
            for item in list.items {
                guard let key = ValueKey(item) else { return nil }
                keys.append(key)
            }
            self = .tuple(keys)
        default: return nil
        }
    }
}

final class ValueNamespace {
    var names: [String] = []
    var values: [Value] = []
    /// The deepest value ever put in, and one.
    var depth = 1

    subscript(_ name: String) -> Value? {
        names.firstIndex { $0.utf8.elementsEqual(name.utf8) }.map { values[$0] }
    }

    func set(_ name: String, _ value: Value) {
        depth = max(depth, value.depth + 1)
        if let place = names.firstIndex(where: { $0.utf8.elementsEqual(name.utf8) }) {
            values[place] = value
        } else {
            names.append(name)
            values.append(value)
        }
    }
}

/// What can be called.
enum ValueFunction {
    case global(GlobalFunction)
    case macro(MacroValue)
    /// A method together with the value it belongs to.
    case method(MethodFunction, BoxedValue)
    case cycler(Cycler, CyclerVerb)
    case joiner(Joiner)
    case loopCycle(LoopState)
    case loopChanged(LoopState)
}

enum CyclerVerb { case object, next, reset }

final class BoxedValue {
    let value: Value
    init(_ value: Value) { self.value = value }
}

final class MacroValue {
    let syntax: MacroSyntax
    let scope: Scope
    init(_ syntax: MacroSyntax, _ scope: Scope) { (self.syntax, self.scope) = (syntax, scope) }
}

final class Cycler {
    let items: [Value]
    var place = 0
    init(_ items: [Value]) { self.items = items }
}

final class Joiner {
    let separator: Value
    var isUsed = false
    init(_ separator: Value) { self.separator = separator }
}

extension Value {
    /// For messages.
    var kind: String {
        switch self {
        case .undefined: "an undefined value"
        case .none: "none"
        case .bool: "a truth value"
        case .integer: "an integer"
        case .float: "a float"
        case .text: "a text"
        case .list(let list):
            switch list.kind {
            case .list: "a list"
            case .tuple: "a tuple"
            default: "a view of a mapping"
            }
        case .range: "a range"
        case .generator: "a generator"
        case .mapping: "a mapping"
        case .namespace: "a namespace"
        case .function: "a function"
        case .loop: "the loop"
        }
    }

    /// Levels of lists and mappings.
    var depth: Int {
        switch self {
        case .list(let list): list.depth
        case .mapping(let mapping): mapping.depth
        case .namespace(let namespace): namespace.depth
        default: 0
        }
    }

    var isTrue: Bool {
        switch self {
        case .undefined, .none: false
        case .bool(let flag): flag
        case .integer(let value): value != 0
        case .float(let value): value != 0
        case .text(let text): !text.isEmpty
        case .list(let list): !list.items.isEmpty
        case .range(let range): range.count > 0
        case .mapping(let mapping): mapping.count > 0
        case .loop, .generator, .namespace, .function: true
        }
    }

    var isUndefined: Bool {
        if case .undefined = self { true } else { false }
    }

    var undefined: Undefined? {
        if case .undefined(let undefined) = self { undefined } else { nil }
    }

    var isNone: Bool {
        if case .none = self { true } else { false }
    }

    /// Truth values count as 0 and 1.
    var integer: Int? {
        switch self {
        case .integer(let value): value
        case .bool(let flag): flag ? 1 : 0
        default: nil
        }
    }

    var double: Double? {
        if case .float(let value) = self { return value }
        return integer.map(Double.init)
    }

    static func text(_ text: String) -> Value { .text(Text(text)) }
    static func list(_ items: [Value]) -> Value { .list(ValueList(items)) }
    static func tuple(_ items: [Value]) -> Value { .list(ValueList(items, .tuple)) }

    /// Python's `==`. Depth is bounded where containers are made.
    func equals(_ other: Value) -> Bool {
        switch (self, other) {
        case (.undefined, .undefined), (.none, .none): return true
        case (.text(let a), .text(let b)): return a == b
        case (.list(let a), .list(let b)):
            return a.kind == b.kind && a.items.count == b.items.count
                && zip(a.items, b.items).allSatisfy { $0.equals($1) }
        case (.range(let a), .range(let b)):
            return a.count == b.count && (a.count == 0 || a.start == b.start && (a.count == 1 || a.step == b.step))
        case (.mapping(let a), .mapping(let b)):
            return a.count == b.count
                && zip(a.keys, a.values).allSatisfy { key, value in
                    ValueKey(key).flatMap { b[$0] }?.equals(value) ?? false
                }
        case (.namespace(let a), .namespace(let b)): return a === b
        case (.loop(let a), .loop(let b)): return a === b
        case (.generator(let a), .generator(let b)): return a === b
        default:
            if let a = integer, let b = other.integer { return a == b }
            if let a = double, let b = other.double { return a == b }
            return false
        }
    }

    /// Python's `<`; nil where it raises.
    func precedes(_ other: Value) -> Bool? {
        if let a = integer, let b = other.integer { return a < b }
        if let a = double, let b = other.double { return a < b }
        switch (self, other) {
        // The order of UTF-8 bytes is the order of Unicode scalars.
        case (.text(let a), .text(let b)): return a.bytes.lexicographicallyPrecedes(b.bytes)
        case (.list(let a), .list(let b)) where a.kind == b.kind:
            for (x, y) in zip(a.items, b.items) where !x.equals(y) { return x.precedes(y) }
            return a.items.count < b.items.count
        default: return nil
        }
    }
}
