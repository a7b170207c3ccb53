/// Methods of texts, mappings and lists that do not change them.
enum MethodFunction: String {
    // Texts
    case capitalize, casefold, center, count, endswith, expandtabs, find, format, index, isalnum, isalpha, isascii,
        isdecimal
    case isdigit, islower, isnumeric, isspace, istitle, isupper, join, ljust, lower, lstrip, partition, removeprefix
    case removesuffix, replace, rfind, rindex, rjust, rpartition, rsplit, rstrip, split, splitlines, startswith
    case strip, swapcase, title, upper, zfill
    // Mappings
    case copy, get, items, keys, values
    // The function `dict` itself
    case fromkeys

    /// The method of that name which such a value has.
    static func method(_ name: String, of value: Value) -> MethodFunction? {
        guard let method = MethodFunction(rawValue: name) else { return nil }
        switch value {
        case .text:
            switch method {
            case .copy, .get, .items, .keys, .values, .fromkeys: return nil
            default: return method
            }
        case .mapping:
            switch method {
            case .copy, .get, .items, .keys, .values, .fromkeys: return method
            default: return nil
            }
        case .list(let list) where list.kind == .list: return [.index, .count, .copy].contains(method) ? method : nil
        case .list(let list) where list.kind == .tuple: return [.index, .count].contains(method) ? method : nil
        case .range: return [.index, .count].contains(method) ? method : nil
        case .function(.global(.dict)): return method == .fromkeys ? method : nil
        default: return nil
        }
    }

    /// Methods that Python has and that the sandbox keeps from templates.
    static func isMutating(_ name: String, of value: Value) -> Bool {
        switch value {
        case .mapping: ["clear", "pop", "popitem", "setdefault", "update"].contains(name)
        case .list(let list) where list.kind == .list:
            ["append", "clear", "extend", "insert", "pop", "remove", "reverse", "sort"].contains(name)
        default: false
        }
    }
}

extension Renderer {
    func call(_ method: MethodFunction, on value: Value, _ arguments: CallArguments) throws(TemplateError) -> Value {
        switch value {
        case .text(let text):
            try step(text.count >> 6)
            return try call(method, on: text, arguments)
        case .mapping(let mapping): return try call(method, on: mapping, arguments)
        case .function(.global(.dict)): return try fromKeys(arguments)
        default: return try callOnItems(method, value, arguments)
        }
    }

    private func call(
        _ method: MethodFunction, on mapping: ValueMapping, _ arguments: CallArguments
    ) throws(TemplateError) -> Value {
        func reader(_ names: String...) throws(TemplateError) -> ArgumentReader {
            try ArgumentReader(method.rawValue, arguments, names, self)
        }
        switch method {
        case .get:
            let reader = try reader("key", "default")
            let name = try reader.value(0)
            guard let key = ValueKey(name) else {
                throw fail(.wrongKind(operation: "a key of a mapping", kind: name.kind))
            }
            return mapping[key] ?? reader.optional(1) ?? .none
        case .keys:
            _ = try reader()
            return try list(mapping.keys, .keys)
        case .values:
            _ = try reader()
            return try list(mapping.values, .values)
        case .items:
            _ = try reader()
            return try list((0..<mapping.count).map { mapping.pair($0) }, .items)
        case .copy: return .mapping(mapping)
        default: return try fromKeys(arguments)
        }
    }

    private func fromKeys(_ arguments: CallArguments) throws(TemplateError) -> Value {
        let reader = try ArgumentReader("fromkeys", arguments, ["iterable", "value"], self)
        var pairs: [(key: ValueKey, name: Value, value: Value)] = []
        for name in try array(of: try reader.value(0), for: "`fromkeys`") {
            guard let key = ValueKey(name) else {
                throw fail(.wrongKind(operation: "a key of a mapping", kind: name.kind))
            }
            pairs.append((key, name, reader.optional(1) ?? .none))
        }
        return try mapping(pairs)
    }

    private func callOnItems(
        _ method: MethodFunction, _ value: Value, _ arguments: CallArguments
    ) throws(TemplateError) -> Value {
        if method == .copy { return value }
        let wanted = try ArgumentReader(method.rawValue, arguments, ["value"], self).value(0)
        let all = try array(of: value, for: "`\(method.rawValue)`")
        if method == .count { return .integer(all.count { $0.equals(wanted) }) }
        guard let place = all.firstIndex(where: { $0.equals(wanted) }) else {
            throw fail(.badArguments(function: "index", problem: "finds no such item"))
        }
        return .integer(place)
    }
}
