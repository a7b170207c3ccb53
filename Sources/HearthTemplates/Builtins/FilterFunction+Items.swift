/// Filters over the items of a value.
extension Renderer {
    func applyToItems(
        _ filter: FilterFunction, _ name: String, _ value: Value, _ arguments: CallArguments
    ) throws(TemplateError) -> Value {
        func reader(_ names: String...) throws(TemplateError) -> ArgumentReader {
            try ArgumentReader(name, arguments, names, self)
        }
        switch filter {
        case .join:
            let reader = try reader("d", "attribute")
            let separator = reader.optional(0)?.printed ?? .empty
            var parts: [Text] = []
            for item in try array(of: value, for: "`join`") {
                parts.append(try attribute(path: reader.optional(1), of: item).printed)
            }
            let size = parts.reduce(0) { $0 + $1.count } + parts.count * separator.count
            try charge(bytes: size)
            return .text(Text.joined(parts, by: separator))
        case .first:
            return try items(of: value, for: "`first`").pull()
                ?? .undefined(Undefined(.hint("an empty value has no first item")))
        case .last:
            if case .generator = value { throw wrongKind(name, value) }
            return try array(of: value, for: "`last`").last
                ?? .undefined(Undefined(.hint("an empty value has no last item")))
        case .reverse:
            if case .text(let text) = value {
                let bounds = text.boundaries
                return try charge(
                    Text.joined((0..<bounds.count - 1).reversed().map { text[bounds[$0]..<bounds[$0 + 1]] }, by: .empty)
                )
            }
            return .generator(ValueGenerator(try array(of: value, for: "`reverse`").reversed()))
        case .sum:
            let reader = try reader("attribute", "start")
            var sum = reader.optional(1) ?? .integer(0)
            for item in try array(of: value, for: "`sum`") {
                sum = try calculate(sum, .add, try attribute(path: reader.optional(0), of: item))
            }
            return sum
        case .min, .max: return try extreme(value, isMax: filter == .max, try reader("case_sensitive", "attribute"))
        case .sort:
            let reader = try reader("reverse", "case_sensitive", "attribute")
            let items = try array(of: value, for: "`sort`")
            return try list(
                try sorted(items, reverse: reader.flag(0)) { (item) throws(TemplateError) in
                    try self.sortKey(item, reader.optional(2), caseSensitive: reader.flag(1))
                })
        case .dictsort:
            let reader = try reader("case_sensitive", "by", "reverse")
            guard case .mapping(let mapping) = value else { throw wrongKind(name, value) }
            let by = try reader.optionalText(1)?.string ?? "key"
            guard by == "key" || by == "value" else {
                throw fail(.badArguments(function: name, problem: "sorts by `key` or by `value`"))
            }
            let pairs = (0..<mapping.count).map { mapping.pair($0) }
            return try list(
                try sorted(pairs, reverse: reader.flag(2)) { (pair) throws(TemplateError) in
                    let part = try self.item(.integer(by == "key" ? 0 : 1), of: pair)
                    return [reader.flag(0) ? part : Self.ignoringCase(part)]
                })
        case .unique:
            let reader = try reader("case_sensitive", "attribute")
            var seen: Set<ValueKey> = []
            var result: [Value] = []
            for item in try array(of: value, for: "`unique`") {
                let part = try attribute(path: reader.optional(1), of: item)
                guard let key = ValueKey(reader.flag(0) ? part : Self.ignoringCase(part)) else {
                    throw fail(.wrongKind(operation: "`unique`", kind: part.kind))
                }
                if seen.insert(key).inserted { result.append(item) }
            }
            return .generator(ValueGenerator(result))
        case .groupby: return try grouped(value, try reader("attribute", "default", "case_sensitive"))
        case .batch: return try batched(value, try reader("linecount", "fill_with"))
        case .slice: return try sliced(value, try reader("slices", "fill_with"))
        case .map: return try mapped(value, arguments)
        case .select, .reject, .selectattr, .rejectattr: return try selected(filter, name, value, arguments)
        default: throw fail(.unknownFilter(name, suggestion: nil))
        }
    }

    static func ignoringCase(_ value: Value) -> Value {
        if case .text(let text) = value { .text(text.lowercased) } else { value }
    }

    /// `a.0.b`: items of items; whole numbers are places.
    func attribute(path: Value?, of item: Value, standard: Value? = nil) throws(TemplateError) -> Value {
        guard let path, !path.isNone else { return item }
        guard case .text(let text) = path else { return try self.item(path, of: item) }
        var value = item
        for part in text.split(Text("."), limit: -1) {
            let isPlace = !part.isEmpty && part.bytes.allSatisfy { (0x30...0x39).contains($0) }
            let key = isPlace ? NumberFilters.integer(part, base: 10).map(Value.integer) ?? .text(part) : .text(part)
            value = try self.item(key, of: value)
            if let standard, value.isUndefined { value = standard }
        }
        return value
    }

    private func sortKey(_ item: Value, _ path: Value?, caseSensitive: Bool) throws(TemplateError) -> [Value] {
        var paths: [Value?] = [path]
        if case .text(let text)? = path { paths = text.split(Text(","), limit: -1).map { .text($0) } }
        var keys: [Value] = []
        for path in paths {
            let part = try attribute(path: path, of: item)
            keys.append(caseSensitive ? part : Self.ignoringCase(part))
        }
        return keys
    }

    /// Stable, as Python's. Errors of the comparison end the sort.
    private func sorted(
        _ items: [Value], reverse: Bool, by key: (Value) throws(TemplateError) -> [Value]
    ) throws(TemplateError) -> [Value] {
        var entries: [(keys: [Value], place: Int, item: Value)] = []
        for (place, item) in items.enumerated() { entries.append((try key(item), place, item)) }
        var failure: TemplateError?
        func isBefore(_ a: [Value], _ b: [Value]) -> Bool {
            do throws(TemplateError) {
                try step()
                for (x, y) in zip(a, b) where !x.equals(y) { return try precedes(x, y) }
            } catch {
                if failure == nil { failure = error }
            }
            return false
        }
        entries.sort {
            if failure != nil { return $0.place < $1.place }
            let (a, b) = reverse ? ($1.keys, $0.keys) : ($0.keys, $1.keys)
            if isBefore(a, b) { return true }
            if isBefore(b, a) { return false }
            return $0.place < $1.place
        }
        if let failure { throw failure }
        return entries.map(\.item)
    }

    private func extreme(_ value: Value, isMax: Bool, _ reader: ArgumentReader) throws(TemplateError) -> Value {
        var best: (item: Value, key: Value)?
        for item in try array(of: value, for: isMax ? "`max`" : "`min`") {
            let part = try attribute(path: reader.optional(1), of: item)
            let key = reader.flag(0) ? part : Self.ignoringCase(part)
            guard let current = best else {
                best = (item, key)
                continue
            }
            if try isMax ? precedes(current.key, key) : precedes(key, current.key) { best = (item, key) }
        }
        return best?.item ?? .undefined(Undefined(.hint("an empty value has no least or greatest item")))
    }

    private func grouped(_ value: Value, _ reader: ArgumentReader) throws(TemplateError) -> Value {
        let path = try reader.value(0)
        let standard = reader.optional(1)
        let isSensitive = reader.flag(2)
        let all = try array(of: value, for: "`groupby`")
        let isAlone = all.count < 2
        func key(_ item: Value) throws(TemplateError) -> Value {
            let part = try attribute(path: path, of: item, standard: standard)
            // Keys are ordered, and nothing comes before what is not there.
            if let undefined = part.undefined, !isAlone { throw fail(undefined.cause) }
            return isSensitive ? part : Self.ignoringCase(part)
        }
        let items = try sorted(all, reverse: false) { (item) throws(TemplateError) in
            [try key(item)]
        }
        var groups: [(key: Value, items: [Value])] = []
        for item in items {
            let itemKey = try key(item)
            if let last = groups.last, last.key.equals(itemKey) {
                groups[groups.count - 1].items.append(item)
            } else {
                groups.append((itemKey, [item]))
            }
        }
        var result: [Value] = []
        for group in groups {
            let grouper = try attribute(path: path, of: group.items[0], standard: standard)
            let pair = ValueList([grouper, try list(group.items)], .tuple, fields: ["grouper", "list"])
            result.append(.list(pair))
        }
        return try list(result)
    }

    private func batched(_ value: Value, _ reader: ArgumentReader) throws(TemplateError) -> Value {
        let count = try reader.integer(0)
        guard count > 0 else { throw fail(.badArguments(function: "batch", problem: "needs a count above 0")) }
        let items = try array(of: value, for: "`batch`")
        var rows: [Value] = []
        for start in Swift.stride(from: 0, to: items.count, by: count) {
            var row = Array(items[start..<min(items.count, start + min(count, items.count))])
            if let fill = reader.optional(1), !fill.isNone, row.count < count {
                try charge(bytes: Self.itemBytes, times: count - row.count)
                row.append(contentsOf: repeatElement(fill, count: count - row.count))
            }
            rows.append(try list(row))
        }
        return .generator(ValueGenerator(rows))
    }

    private func sliced(_ value: Value, _ reader: ArgumentReader) throws(TemplateError) -> Value {
        let count = try reader.integer(0)
        guard count > 0 else { throw fail(.badArguments(function: "slice", problem: "needs a count above 0")) }
        let items = try array(of: value, for: "`slice`")
        let (each, longer) = (items.count / count, items.count % count)
        var columns: [Value] = []
        var start = 0
        for column in 0..<count {
            try step()
            let end = start + each + (column < longer ? 1 : 0)
            var part = Array(items[start..<end])
            if let fill = reader.optional(1), !fill.isNone, column >= longer { part.append(fill) }
            columns.append(try list(part))
            start = end
        }
        return .generator(ValueGenerator(columns))
    }

    private func mapped(_ value: Value, _ arguments: CallArguments) throws(TemplateError) -> Value {
        // Jinja does not look at a value that is false: none has no items, and none are asked for.
        guard value.isTrue else { return .generator(ValueGenerator([])) }
        let source = try items(of: value, for: "`map`").pull
        let begun = place
        if arguments.positional.isEmpty {
            let reader = try ArgumentReader("map", arguments, ["attribute", "default"], self)
            let path = try reader.value(0)
            let standard = reader.optional(1)
            return .generator(
                ValueGenerator { [self] () throws(TemplateError) -> Value? in
                    guard let item = try source() else { return nil }
                    try step()
                    return try attribute(path: path, of: item, standard: standard)
                })
        }
        guard case .text(let name) = arguments.positional[0] else {
            throw fail(.badArguments(function: "map", problem: "needs the name of a filter"))
        }
        guard let function = FilterFunction.named(name.string) else {
            throw fail(
                .unknownFilter(name.string, suggestion: Spelling.closest(to: name.string, in: FilterFunction.names)))
        }
        var rest = arguments
        rest.positional.removeFirst()
        return .generator(
            ValueGenerator { [self, rest] () throws(TemplateError) -> Value? in
                guard let item = try source() else { return nil }
                try step()
                place = begun
                return try deeper { () throws(TemplateError) in
                    try apply(.known(function, name: name.string), to: item, rest)
                }
            })
    }

    private func selected(
        _ filter: FilterFunction, _ name: String, _ value: Value, _ arguments: CallArguments
    ) throws(TemplateError) -> Value {
        guard value.isTrue else { return .generator(ValueGenerator([])) }
        let source = try items(of: value, for: "`\(name)`").pull
        var rest = arguments
        var path: Value?
        if filter == .selectattr || filter == .rejectattr {
            guard !rest.positional.isEmpty else {
                throw fail(.badArguments(function: name, problem: "needs the name of an attribute"))
            }
            path = rest.positional.removeFirst()
        }
        var test: TestFunction?
        if !rest.positional.isEmpty {
            guard case .text(let word) = rest.positional.removeFirst() else {
                throw fail(.badArguments(function: name, problem: "needs the name of a test"))
            }
            test = TestFunction.named(word.string)
            if test == nil {
                throw fail(
                    .unknownTest(word.string, suggestion: Spelling.closest(to: word.string, in: TestFunction.names)))
            }
        }
        let wanted = filter == .select || filter == .selectattr
        return .generator(
            ValueGenerator { [self, rest, path, test] () throws(TemplateError) -> Value? in
                while let item = try source() {
                    try step()
                    let part = try attribute(path: path, of: item)
                    let isMet = if let test { try holds(test, part, rest) } else { part.isTrue }
                    if isMet == wanted { return item }
                }
                return nil
            })
    }
}
