/// Python's `text.format(...)`: `{}`, `{0}`, `{name.attribute[key]!r:>8}`, `{{` and `}}`.
enum BraceFormat {
    static func format(_ format: Text, _ arguments: CallArguments, _ renderer: Renderer) throws(TemplateError) -> Text {
        var automatic = 0
        return try fill(format, arguments, &automatic, depth: 2, renderer)
    }

    private static func fill(
        _ format: Text, _ arguments: CallArguments, _ automatic: inout Int, depth: Int, _ renderer: Renderer
    ) throws(TemplateError) -> Text {
        guard depth > 0 else { throw renderer.fail(.badFormat("has fields inside fields inside fields")) }
        var result = Text([], .template)
        result.isMarkup = format.isMarkup
        var offset = 0
        var start = 0
        while offset < format.count {
            let byte = format.bytes[offset]
            guard byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}") else {
                offset += 1
                continue
            }
            result.append(format[start..<offset])
            if offset + 1 < format.count, format.bytes[offset + 1] == byte {
                result.append(format[offset..<offset + 1])
                offset += 2
                start = offset
                continue
            }
            guard byte == UInt8(ascii: "{"), let end = fieldEnd(format, offset + 1) else {
                throw renderer.fail(.badFormat("has a single `\(Character(Unicode.Scalar(byte)))`"))
            }
            result.append(try field(format[offset + 1..<end], arguments, &automatic, depth, format.isMarkup, renderer))
            offset = end + 1
            start = offset
        }
        result.append(format[start..<format.count])
        return result
    }

    private static func fieldEnd(_ format: Text, _ start: Int) -> Int? {
        var level = 0
        for offset in start..<format.count {
            if format.bytes[offset] == UInt8(ascii: "{") { level += 1 }
            if format.bytes[offset] == UInt8(ascii: "}") {
                if level == 0 { return offset }
                level -= 1
            }
        }
        return nil
    }

    private static func field(
        _ field: Text, _ arguments: CallArguments, _ automatic: inout Int, _ depth: Int, _ isMarkup: Bool,
        _ renderer: Renderer
    ) throws(TemplateError) -> Text {
        var name = field
        var spec = Text.empty
        // The first colon outside of brackets begins the specification.
        var level = 0
        for (offset, byte) in field.bytes.enumerated() {
            if byte == UInt8(ascii: "[") { level += 1 }
            if byte == UInt8(ascii: "]") { level -= 1 }
            if byte == UInt8(ascii: ":"), level == 0 {
                name = field[0..<offset]
                spec = try fill(field[offset + 1..<field.count], arguments, &automatic, depth: depth - 1, renderer)
                break
            }
        }
        var conversion: UInt8?
        if name.count >= 2, name.bytes[name.count - 2] == UInt8(ascii: "!") {
            conversion = name.bytes[name.count - 1]
            name = name[0..<name.count - 2]
        }
        var value = try find(name, arguments, &automatic, renderer)
        switch conversion {
        case nil: break
        case UInt8(ascii: "s"): value = .text(value.printed)
        case UInt8(ascii: "r"), UInt8(ascii: "a"): value = .text(value.repr)
        default: throw renderer.fail(.badFormat("has an unknown conversion after `!`"))
        }
        guard let parsed = FormatSpec(spec) else {
            throw renderer.fail(.badFormat("has `\(spec.string)`, which is no specification"))
        }
        guard let text = parsed.format(value) else {
            throw renderer.fail(.badFormat("cannot write \(value.kind) as `\(spec.string)`"))
        }
        return isMarkup ? text.escaped : text
    }

    private static func find(
        _ path: Text, _ arguments: CallArguments, _ automatic: inout Int, _ renderer: Renderer
    ) throws(TemplateError) -> Value {
        let end = path.bytes.firstIndex { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "[") } ?? path.count
        let first = path[0..<end].string
        var value: Value
        if first.isEmpty || first.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            let place = first.isEmpty ? automatic : Int(first) ?? .max
            if first.isEmpty { automatic += 1 }
            guard place < arguments.positional.count else {
                throw renderer.fail(.badFormat("asks for more values than the \(arguments.positional.count) given"))
            }
            value = arguments.positional[place]
        } else {
            guard let found = arguments.named.last(where: { $0.name == first }) else {
                throw renderer.fail(.badFormat("names `\(first)`, which is not given"))
            }
            value = found.value
        }
        var offset = end
        while offset < path.count {
            if path.bytes[offset] == UInt8(ascii: ".") {
                let stop =
                    path.bytes[(offset + 1)...].firstIndex { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "[") }
                    ?? path.count
                value = try renderer.attribute(path[offset + 1..<stop].string, of: value)
                offset = stop
            } else {
                guard let stop = path.find(Text("]"), from: offset) else {
                    throw renderer.fail(.badFormat("has a `[` without `]`"))
                }
                let key = path[offset + 1..<stop]
                let isPlace = !key.isEmpty && key.bytes.allSatisfy { (0x30...0x39).contains($0) }
                value = try renderer.item(
                    isPlace ? .integer(NumberFilters.integer(key, base: 10) ?? .max) : .text(key), of: value)
                offset = stop + 1
            }
        }
        return value
    }
}
