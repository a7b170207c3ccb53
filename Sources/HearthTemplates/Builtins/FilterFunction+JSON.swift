import HearthJSON

extension Renderer {
    /// Python's `json.dumps` with the arguments that transformers lets through; no HTML escapes.
    func toJSON(_ value: Value, _ reader: ArgumentReader) throws(TemplateError) -> Value {
        var style = JSONStyle.spaced
        style.nonFinite = .word
        style.ensureASCII = reader.flag(0)
        style.sortedKeys = reader.flag(3)
        if let indent = reader.optional(1), !indent.isNone {
            let width = try reader.integer(1)
            style.indent = max(0, min(width, 64))
            style.itemSeparator = ","
        }
        if let separators = reader.optional(2), !separators.isNone {
            let pair = try array(of: separators, for: "`separators`")
            guard pair.count == 2, case .text(let item) = pair[0], case .text(let key) = pair[1] else {
                throw fail(.badArguments(function: "tojson", problem: "needs a pair of texts as `separators`"))
            }
            (style.itemSeparator, style.keySeparator) = (item.string, key.string)
        }
        let json: JSON
        do { json = try value.json() } catch {
            if case .undefined(let undefined) = value { throw fail(undefined.cause) }
            throw fail(error)
        }
        let bytes: [UInt8]
        do { bytes = try json.bytes(style) } catch { throw fail(.notJSON("\(error)")) }
        return try charge(Text(bytes, value.hasData ? .data : .template))
    }
}
