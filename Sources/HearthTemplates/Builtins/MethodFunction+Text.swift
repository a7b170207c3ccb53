/// Python's methods of `str`.
extension Renderer {
    func call(_ method: MethodFunction, on text: Text, _ arguments: CallArguments) throws(TemplateError) -> Value {
        func reader(_ names: String...) throws(TemplateError) -> ArgumentReader {
            try ArgumentReader(method.rawValue, arguments, names, self)
        }
        switch method {
        case .lower, .upper, .casefold, .capitalize, .title, .swapcase:
            _ = try reader()
            return try charge(changedCase(method, text))
        case .strip: return try charge(text.stripped(try reader("chars").optionalText(0)))
        case .lstrip: return try charge(text.stripped(try reader("chars").optionalText(0), end: false))
        case .rstrip: return try charge(text.stripped(try reader("chars").optionalText(0), start: false))
        case .removeprefix:
            let prefix = try reader("prefix").text(0)
            return text.hasPrefix(prefix) ? try charge(text[prefix.count..<text.count]) : .text(text)
        case .removesuffix:
            let suffix = try reader("suffix").text(0)
            return text.hasSuffix(suffix) ? try charge(text[0..<text.count - suffix.count]) : .text(text)
        case .split, .rsplit:
            let reader = try reader("sep", "maxsplit")
            let separator = try reader.optionalText(0)
            if separator?.isEmpty == true {
                throw fail(.badArguments(function: method.rawValue, problem: "needs a separator that is not empty"))
            }
            let parts = text.split(separator, limit: try reader.integer(1, -1), fromRight: method == .rsplit)
            try charge(bytes: text.count + parts.count * (Self.textBytes + Self.runBytes))
            return try list(parts.map { .text($0) })
        case .splitlines:
            let lines = text.lines(keepingEnds: try reader("keepends").flag(0))
            try charge(bytes: text.count + lines.count * (Self.textBytes + Self.runBytes))
            return try list(lines.map { .text($0) })
        case .partition, .rpartition: return try partitioned(text, method, try reader("sep").text(0))
        case .startswith, .endswith, .find, .rfind, .index, .rindex, .count:
            return try search(method, text, arguments)
        case .replace:
            let reader = try reader("old", "new", "count")
            var new = try reader.text(1)
            if text.isMarkup { new = new.escaped }
            return try replaced(text, try reader.text(0), new, try reader.integer(2, -1), isMarkup: text.isMarkup)
        case .join:
            var parts: [Text] = []
            for item in try array(of: try reader("iterable").value(0), for: "`join`") {
                guard case .text(let part) = item else { throw wrongKind("join", item) }
                parts.append(text.isMarkup ? part.escaped : part)
            }
            try charge(bytes: parts.reduce(0) { $0 + $1.count } + parts.count * text.count)
            var result = Text.joined(parts, by: text)
            result.isMarkup = text.isMarkup
            return .text(result)
        case .format: return try charge(try BraceFormat.format(text, arguments, self))
        case .center, .ljust, .rjust:
            let reader = try reader("width", "fillchar")
            let width = try reader.integer(0)
            let fill = try reader.optionalText(1) ?? Text(" ")
            guard fill.length == 1 else {
                throw fail(.badArguments(function: method.rawValue, problem: "fills with one character"))
            }
            try charge(bytes: max(0, min(width, .max / 4)) * fill.count)
            return .text(
                TextFilters.padded(
                    text, to: width, method == .center ? .center : method == .ljust ? .left : .right, with: fill))
        case .zfill:
            let width = max(0, try reader("width").integer(0))
            try charge(bytes: width)
            let sign = text.bytes.first == 0x2D || text.bytes.first == 0x2B ? 1 : 0
            var result = text[0..<sign]
            result.append(String(repeating: "0", count: max(0, width - text.length)), .template)
            result.append(text[sign..<text.count])
            return .text(result)
        case .expandtabs: return try expandedTabs(text, try reader("tabsize").integer(0, 8))
        default:
            _ = try reader()
            return .bool(isTrue(method, of: text))
        }
    }

    private func changedCase(_ method: MethodFunction, _ text: Text) -> Text {
        switch method {
        case .lower, .casefold: text.lowercased
        case .upper: text.uppercased
        case .capitalize: text.capitalized
        case .title: text.titlecased
        default: text.swappedCase
        }
    }

    private func isTrue(_ method: MethodFunction, of text: Text) -> Bool {
        func all(_ holds: (Unicode.Scalar) -> Bool) -> Bool { !text.isEmpty && text.scalars.allSatisfy(holds) }
        switch method {
        case .isalnum: return all(TextFilters.isAlphanumeric)
        case .isalpha: return all(TextFilters.isLetter)
        case .isascii: return text.bytes.allSatisfy { $0 < 0x80 }
        case .isdecimal: return all { $0.properties.generalCategory == .decimalNumber }
        case .isdigit: return all { $0.properties.numericType == .decimal || $0.properties.numericType == .digit }
        case .isnumeric: return all { $0.properties.numericType != nil }
        case .isspace: return all(Text.isSpace)
        case .islower: return text.isAll(upper: false)
        case .isupper: return text.isAll(upper: true)
        default: return text.scalars.contains { $0.properties.isCased } && text.titlecased == text
        }
    }

    private func partitioned(_ text: Text, _ method: MethodFunction, _ separator: Text) throws(TemplateError) -> Value {
        if separator.isEmpty {
            throw fail(.badArguments(function: method.rawValue, problem: "needs a separator that is not empty"))
        }
        try charge(bytes: text.count)
        let isRight = method == .rpartition
        guard let place = isRight ? text.findLast(separator, before: text.count) : text.find(separator) else {
            let parts: [Text] = isRight ? [.empty, .empty, text] : [text, .empty, .empty]
            return try list(parts.map { .text($0) }, .tuple)
        }
        let end = place + separator.count
        return try list([.text(text[0..<place]), .text(text[place..<end]), .text(text[end..<text.count])], .tuple)
    }

    private func search(
        _ method: MethodFunction, _ text: Text, _ arguments: CallArguments
    ) throws(TemplateError) -> Value {
        let reader = try ArgumentReader(method.rawValue, arguments, ["sub", "start", "end"], self)
        let needle = try reader.value(0)
        // `startswith` and `endswith` take a tuple of texts too.
        if method == .startswith || method == .endswith, case .list(let list) = needle, list.kind == .tuple {
            for item in list.items {
                var one = arguments
                one.positional[0] = item
                if try search(method, text, one).isTrue { return .bool(true) }
            }
            return .bool(false)
        }
        let part = try reader.text(0)
        var (low, high) = (0, text.count)
        if reader.optional(1) != nil || reader.optional(2) != nil {
            let bounds = text.boundaries
            let count = bounds.count - 1
            func bound(_ place: Int, _ standard: Int) throws(TemplateError) -> Int {
                guard let value = reader.optional(place), !value.isNone else { return standard }
                let number = try reader.integer(place)
                return number < 0 ? max(0, number &+ count) : number
            }
            let (start, end) = (try bound(1, 0), min(count, try bound(2, count)))
            guard start <= end else {
                switch method {
                case .find, .rfind: return .integer(-1)
                case .count: return .integer(0)
                case .index, .rindex:
                    throw fail(.badArguments(function: method.rawValue, problem: "does not find the text"))
                default: return .bool(false)
                }
            }
            (low, high) = (bounds[start], bounds[end])
        }
        let window = text[low..<high]
        switch method {
        case .startswith: return .bool(window.hasPrefix(part))
        case .endswith: return .bool(window.hasSuffix(part))
        case .count: return .integer(window.occurrences(of: part))
        default:
            let isLast = method == .rfind || method == .rindex
            guard let place = isLast ? window.findLast(part, before: window.count) : window.find(part) else {
                if method == .find || method == .rfind { return .integer(-1) }
                throw fail(.badArguments(function: method.rawValue, problem: "does not find the text"))
            }
            return .integer(text[0..<low + place].length)
        }
    }

    private func expandedTabs(_ text: Text, _ size: Int) throws(TemplateError) -> Value {
        let size = max(0, size)
        try charge(bytes: size, times: text.occurrences(of: Text("\t")), and: text.count)
        var column = 0
        return .text(
            text.mapped { scalar, out in
                if scalar == "\t" {
                    let width = size == 0 ? 0 : size - column % size
                    out.append(contentsOf: repeatElement(0x20, count: width))
                    column += width
                } else {
                    out.append(contentsOf: UTF8.encode(scalar)!)
                    column = scalar == "\n" || scalar == "\r" ? 0 : column + 1
                }
            })
    }
}
