import HearthJSON

extension Value {
    /// A value of the context. `origin` is that of its texts.
    init(_ json: JSON, origin: TextOrigin) {
        switch json {
        case .null: self = .none
        case .bool(let flag): self = .bool(flag)
        case .integer(let value): self = Int(exactly: value).map(Value.integer) ?? .float(Double(value))
        case .number(let value): self = .float(value)
        case .string(let text): self = .text(Text(text, origin))
        case .array(let items): self = .list(items.map { Value($0, origin: origin) })
        case .object(let object):
            self = .mapping(
                ValueMapping(
                    object.map { member in
                        let key = Text(member.key, origin)
                        return (.text(key.bytes), .text(key), Value(member.value, origin: origin))
                    }))
        }
    }

    /// For `tojson`; throws the kind of the first value that JSON has no form for.
    func json() throws(TemplateError.Cause) -> JSON {
        switch self {
        case .none: return .null
        case .bool(let flag): return .bool(flag)
        case .integer(let value): return .integer(Int64(value))
        case .float(let value): return .number(value)
        case .text(let text): return .string(text.string)
        case .list(let list) where list.kind == .list || list.kind == .tuple:
            var items: [JSON] = []
            for item in list.items { items.append(try item.json()) }
            return .array(items)
        case .mapping(let mapping):
            var object = JSONObject()
            for (key, value) in zip(mapping.keys, mapping.values) {
                object[try Self.jsonKey(key)] = try value.json()
            }
            return .object(object)
        default: throw .notJSON(kind)
        }
    }

    /// Python's `json.dumps` writes these keys as texts.
    private static func jsonKey(_ key: Value) throws(TemplateError.Cause) -> String {
        switch key {
        case .text(let text): return text.string
        case .none: return "null"
        case .bool(let flag): return flag ? "true" : "false"
        case .integer(let value): return String(value)
        case .float(let value): return JSON.text(of: value)
        default: throw .notJSON("\(key.kind) as a key")
        }
    }

    /// Any text inside came with the data.
    var hasData: Bool {
        switch self {
        case .text(let text): text.hasData
        case .list(let list): list.items.contains(where: \.hasData)
        case .mapping(let mapping): mapping.keys.contains(where: \.hasData) || mapping.values.contains(where: \.hasData)
        case .namespace: true
        default: false
        }
    }
}

extension TemplateError.Cause: Error {}
