/// How a value is written.
package struct JSONStyle: Hashable, Sendable {
    package enum NonFinite: Hashable, Sendable {
        /// `JSONError.notFinite`.
        case refuse
        /// `NaN`, `Infinity`, `-Infinity`, as Python writes them. No JSON.
        case word
    }

    package var itemSeparator = ","
    package var keySeparator = ":"
    /// Everything beyond ASCII as `\uXXXX`.
    package var ensureASCII = false
    /// Keys in the order of their UTF-8 bytes, for canonical texts; else as they stand.
    package var sortedKeys = false
    /// One member or item a line, indented by this many spaces for each level.
    package var indent: Int?
    package var nonFinite = NonFinite.refuse

    package init() {}

    /// `{"a":1,"b":2}`
    package static let compact = JSONStyle()

    /// `{"a": 1, "b": 2}`: Python's `json.dumps`.
    package static let spaced = {
        var style = JSONStyle()
        style.itemSeparator = ", "
        style.keySeparator = ": "
        return style
    }()

    /// One text for equal values: compact, keys sorted.
    package static let canonical = {
        var style = JSONStyle()
        style.sortedKeys = true
        return style
    }()
}

extension JSON {
    /// - Throws: `JSONError.notFinite`, unless the style has a word for such numbers.
    package func bytes(_ style: JSONStyle = .compact) throws(JSONError) -> [UInt8] {
        if style.nonFinite == .refuse, let value = firstNonFinite { throw JSONError(.notFinite(value), at: nil) }
        return JSONWriter(style).bytesOfAnything(self)
    }

    package func text(_ style: JSONStyle = .compact) throws(JSONError) -> String {
        String(decoding: try bytes(style), as: UTF8.self)
    }

    private var firstNonFinite: Double? {
        switch self {
        case .number(let value): value.isFinite ? nil : value
        case .array(let items): items.lazy.compactMap(\.firstNonFinite).first
        case .object(let object): object.members.lazy.compactMap(\.value.firstNonFinite).first
        default: nil
        }
    }

    /// The shortest text that reads back as the same number, laid out as Python's `repr`: `0.1`, `1.0`, `1e-07`, `1e+22`.
    package static func text(of value: Double) -> String {
        guard value.isFinite else { return value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity" }
        // Swift's own digits are the shortest, as Python's; it only turns to an exponent earlier, at 2^53. The numbers
        // between that and 1e16 are whole and even, so that their digits are those of the integer.
        guard value.magnitude >= 0x1p53, value.magnitude < 1e16 else { return value.description }
        return "\(Int64(value)).0"
    }
}

struct JSONWriter {
    private let style: JSONStyle
    private var out: [UInt8] = []

    init(_ style: JSONStyle) { self.style = style }

    consuming func bytesOfAnything(_ value: JSON) -> [UInt8] {
        var writer = self
        writer.write(value, level: 0)
        return writer.out
    }

    private mutating func write(_ value: JSON, level: Int) {
        switch value {
        case .null: put("null")
        case .bool(let flag): put(flag ? "true" : "false")
        case .integer(let value): put(String(value))
        case .number(let value): put(JSON.text(of: value))
        case .string(let text): write(text)
        case .array(let items):
            put("[")
            for (index, item) in items.enumerated() {
                separate(index, level + 1)
                write(item, level: level + 1)
            }
            close("]", isEmpty: items.isEmpty, level)
        case .object(let object):
            put("{")
            for (index, member) in ordered(object).enumerated() {
                separate(index, level + 1)
                write(member.key)
                put(style.keySeparator)
                write(member.value, level: level + 1)
            }
            close("}", isEmpty: object.isEmpty, level)
        }
    }

    private func ordered(_ object: JSONObject) -> [JSONObject.Member] {
        guard style.sortedKeys else { return object.members }
        return object.members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    }

    private mutating func put(_ text: String) { out.append(contentsOf: text.utf8) }

    private mutating func separate(_ index: Int, _ level: Int) {
        if index > 0 { put(style.itemSeparator) }
        breakLine(level)
    }

    private mutating func close(_ bracket: String, isEmpty: Bool, _ level: Int) {
        if !isEmpty { breakLine(level) }
        put(bracket)
    }

    private mutating func breakLine(_ level: Int) {
        guard let indent = style.indent else { return }
        out.append(0x0A)
        out.append(contentsOf: repeatElement(0x20, count: max(0, indent) * level))
    }

    private mutating func write(_ text: String) {
        out.append(UInt8(ascii: "\""))
        if style.ensureASCII {
            for unit in text.utf16 {
                if unit < 0x7F {
                    writeEscaping(UInt8(unit))
                } else if unit == 0x7F {
                    out.append(0x7F)
                } else {
                    writeUnit(unit)
                }
            }
        } else {
            for byte in text.utf8 { writeEscaping(byte) }
        }
        out.append(UInt8(ascii: "\""))
    }

    private mutating func writeEscaping(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "\""): put("\\\"")
        case UInt8(ascii: "\\"): put("\\\\")
        case 0x08: put("\\b")
        case 0x0C: put("\\f")
        case 0x0A: put("\\n")
        case 0x0D: put("\\r")
        case 0x09: put("\\t")
        case 0..<0x20: writeUnit(UInt16(byte))
        default: out.append(byte)
        }
    }

    private mutating func writeUnit(_ unit: UInt16) {
        let digits = String(unit, radix: 16)
        put("\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits)
    }
}
