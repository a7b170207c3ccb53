/// The filters: Jinja's that make sense in a prompt, and `tojson` as transformers defines it.
enum FilterFunction: String, CaseIterable {
    case abs, attr, batch, capitalize, center, `default`, dictsort, escape, first, float, forceescape, format, groupby
    case indent, int, items, join, last, length, list, lower, map, max, min, reject, rejectattr, replace, reverse
    case round, safe, select, selectattr, slice, sort, string, striptags, sum, title, tojson, trim, truncate, unique
    case upper, urlencode, wordcount

    private static let short: [String: FilterFunction] = ["d": .default, "e": .escape, "count": .length]

    static func named(_ name: String) -> FilterFunction? { FilterFunction(rawValue: name) ?? short[name] }

    static let names = allCases.map(\.rawValue)
}

extension Renderer {
    func apply(_ filter: Filter, to value: Value, _ arguments: CallArguments) throws(TemplateError) -> Value {
        switch filter {
        case .known(let function, let name): return try apply(function, name, to: value, arguments)
        case .unknown(let name):
            throw fail(.unknownFilter(name, suggestion: Spelling.closest(to: name, in: FilterFunction.names)))
        }
    }

    private func apply(
        _ filter: FilterFunction, _ name: String, to value: Value, _ arguments: CallArguments
    ) throws(TemplateError) -> Value {
        func reader(_ names: String...) throws(TemplateError) -> ArgumentReader {
            try ArgumentReader(name, arguments, names, self)
        }
        /// The input as text, as Python's `str`; undefined is empty.
        func text() throws(TemplateError) -> Text {
            if case .text(let text) = value {
                try step(text.count >> 6)
                return text
            }
            let printed = value.printed
            try charge(bytes: printed.count)
            return printed
        }
        switch filter {
        // Texts
        case .capitalize: return try charge(try text().capitalized)
        case .lower: return try charge(try text().lowercased)
        case .upper: return try charge(try text().uppercased)
        case .title: return try charge(try text().jinjaTitle)
        case .trim: return try charge(try text().stripped(try reader("chars").optionalText(0)))
        case .string: return try charge(try text())
        case .safe:
            var result = try text()
            result.isMarkup = true
            return .text(result)
        case .escape: return try charge(try text().escaped)
        case .forceescape: return try charge(value.printed.escaped)
        case .striptags: return try charge(TextFilters.withoutTags(value.printed))
        case .center:
            let width = try reader("width").integer(0, 80)
            try charge(bytes: max(0, width))
            return .text(TextFilters.padded(try text(), to: width, .center))
        case .replace:
            let reader = try reader("s", "new", "count")
            let (old, new) = (try reader.value(0).printed, try reader.value(1).printed)
            let count = try reader.optionalInteger(2) ?? -1
            return try replaced(try text(), old, new, count, isMarkup: false)
        case .indent: return try indented(value, try reader("width", "first", "blank"))
        case .truncate: return try truncated(value, try reader("length", "killwords", "end", "leeway"))
        case .format:
            let values: Value =
                arguments.named.isEmpty
                ? try list(arguments.positional, .tuple)
                : try mapping(arguments.named.map { (.text(Array($0.name.utf8)), .text($0.name), $0.value) })
            return try charge(try PercentFormat.format(try text(), with: values, self))
        case .wordcount: return .integer(TextFilters.wordCount(try text()))
        case .urlencode: return try charge(try urlEncoded(value))
        case .tojson: return try toJSON(value, try reader("ensure_ascii", "indent", "separators", "sort_keys"))
        // Numbers
        case .abs:
            if let number = value.integer {
                if number == .min { throw fail(.integerOverflow) }
                return .integer(Swift.abs(number))
            }
            if case .float(let number) = value { return .float(Swift.abs(number)) }
            throw wrongKind(name, value)
        case .int:
            let reader = try reader("default", "base")
            if let undefined = value.undefined { throw fail(undefined.cause) }
            return try NumberFilters.integer(value, base: try reader.integer(1, 10)) ?? reader.optional(0)
                ?? .integer(0)
        case .float:
            let reader = try reader("default")
            if let undefined = value.undefined { throw fail(undefined.cause) }
            return NumberFilters.float(value) ?? reader.optional(0) ?? .float(0)
        case .round: return try rounded(value, try reader("precision", "method"))
        // Any value
        case .default:
            let reader = try reader("default_value", "boolean")
            let isMissing = value.isUndefined || (reader.flag(1) && !value.isTrue)
            return isMissing ? reader.optional(0) ?? .text(.empty) : value
        case .length: return .integer(try length(of: value))
        case .attr: return try attributeOnly(try reader("name").text(0).string, of: value)
        case .items:
            switch value {
            case .mapping(let mapping): return .generator(ValueGenerator((0..<mapping.count).map { mapping.pair($0) }))
            case .undefined: return .generator(ValueGenerator([]))
            default: throw wrongKind(name, value)
            }
        case .list: return try list(try array(of: value, for: "`list`"))
        default: return try applyToItems(filter, name, value, arguments)
        }
    }

    func wrongKind(_ filter: String, _ value: Value) -> TemplateError {
        if case .undefined(let undefined) = value { return fail(undefined.cause) }
        return fail(.wrongKind(operation: "`\(filter)`", kind: value.kind))
    }

    func length(of value: Value) throws(TemplateError) -> Int {
        switch value {
        case .text(let text): return text.length
        case .list(let list): return list.items.count
        case .mapping(let mapping): return mapping.count
        case .range(let range): return range.count
        case .loop(let loop): return try loop.count()
        case .undefined: return 0
        default: throw fail(.wrongKind(operation: "`length`", kind: value.kind))
        }
    }

    private func attributeOnly(_ name: String, of value: Value) throws(TemplateError) -> Value {
        // `attr` looks for attributes and never for items.
        if case .mapping = value, MethodFunction.method(name, of: value) == nil {
            return .undefined(Undefined(.attribute(name, kind: value.kind)))
        }
        return try attribute(name, of: value)
    }

    func replaced(
        _ text: Text, _ old: Text, _ new: Text, _ count: Int, isMarkup: Bool
    ) throws(TemplateError) -> Value {
        var text = text
        text.isMarkup = isMarkup
        // Charged before it is made: an empty `old` stands between all characters.
        let places = old.isEmpty ? text.count + 1 : text.occurrences(of: old)
        try charge(bytes: new.count + 2 * Self.runBytes, times: places, and: text.count)
        return .text(text.replacing(old, with: new, limit: count))
    }

    private func indented(_ value: Value, _ reader: ArgumentReader) throws(TemplateError) -> Value {
        guard case .text(let text) = value else { throw wrongKind("indent", value) }
        let indent: Text
        if case .text(let given)? = reader.optional(0) {
            indent = given
        } else {
            let width = max(0, try reader.integer(0, 4))
            try charge(bytes: width)
            indent = Text(String(repeating: " ", count: width))
        }
        let lines = TextFilters.linesForIndent(text)
        try charge(bytes: indent.count + 2 * Self.runBytes, times: lines.count, and: text.count)
        let newline = Text("\n")
        var result = Text([], .template)
        result.isMarkup = text.isMarkup
        for (index, line) in lines.enumerated() {
            if index > 0 { result.append(newline) }
            let isIndented = index > 0 ? reader.flag(2) || !line.isEmpty : reader.flag(1)
            if isIndented { result.append(indent) }
            result.append(line)
        }
        return .text(result)
    }

    private func truncated(_ value: Value, _ reader: ArgumentReader) throws(TemplateError) -> Value {
        let length = try reader.integer(0, 255)
        let end = try reader.optionalText(2) ?? Text("...")
        let leeway = try reader.optionalInteger(3) ?? 5
        guard length >= end.length, leeway >= 0 else {
            throw fail(.badArguments(function: "truncate", problem: "needs a length of at least that of `end`"))
        }
        let (limit, overflow) = length.addingReportingOverflow(leeway)
        let count = try self.length(of: value)
        if overflow || count <= limit { return value }
        guard case .text(let text) = value else { throw wrongKind("truncate", value) }
        let bounds = text.boundaries
        var result = text[0..<bounds[length - end.length]]
        if !reader.flag(1) { result = result.split(Text(" "), limit: 1, fromRight: true)[0] }
        result.append(end)
        return try charge(result)
    }

    private func urlEncoded(_ value: Value) throws(TemplateError) -> Text {
        func pairs() throws(TemplateError) -> [Value]? {
            switch value {
            case .mapping(let mapping): return (0..<mapping.count).map { mapping.pair($0) }
            case .list, .range, .generator: return try array(of: value, for: "`urlencode`")
            default: return nil
            }
        }
        guard let pairs = try pairs() else { return TextFilters.quoted(value.printed, isQuery: false) }
        var result = Text([], .template)
        for (index, item) in pairs.enumerated() {
            let pair = try array(of: item, for: "`urlencode`")
            guard pair.count == 2 else { throw fail(.unpack(expected: 2, actual: pair.count)) }
            if index > 0 { result.append("&", .template) }
            result.append(TextFilters.quoted(pair[0].printed, isQuery: true))
            result.append("=", .template)
            result.append(TextFilters.quoted(pair[1].printed, isQuery: true))
        }
        return result
    }

    private func rounded(_ value: Value, _ reader: ArgumentReader) throws(TemplateError) -> Value {
        let precision = try reader.integer(0, 0)
        let method = try reader.optionalText(1)?.string ?? "common"
        guard value.double != nil else { throw wrongKind("round", value) }
        guard let result = NumberFilters.rounded(value, precision, method) else {
            throw fail(.badArguments(function: "round", problem: "needs common, ceil or floor as `method`"))
        }
        return result
    }
}
