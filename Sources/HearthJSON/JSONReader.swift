/// Reads RFC 8259 and nothing more: no comments, no trailing commas, no NaN, no byte order mark. Linear in the input;
/// nesting costs heap, not stack.
extension JSON {
    /// Levels of arrays and objects that are read unless the caller asks otherwise. Tool schemas, the deepest documents
    /// that we meet, stay under 30; releasing a value of this depth fits a stack of 512 KB many times over.
    package static let defaultDepth = 128

    /// - Parameter depth: levels of arrays and objects, at most 512.
    /// - Throws: `JSONError` with the place.
    package static func parse(_ bytes: [UInt8], depth: Int = defaultDepth) throws(JSONError) -> JSON {
        var reader = JSONReader(bytes, depth: depth, isPartial: false)
        let result = try reader.read()
        guard let value = result.value else { throw reader.error(.empty, at: bytes.count) }
        return value
    }

    package static func parse(_ text: some StringProtocol, depth: Int = defaultDepth) throws(JSONError) -> JSON {
        try parse(Array(text.utf8), depth: depth)
    }

    /// Reads a document that may be cut off anywhere, as a reply is while it is being written.
    ///
    /// A text that was cut keeps its whole characters. What would be wrong rather than short is left out: a key
    /// without value, `tru`, and a number at the very end of an open array or object, which may have further digits.
    /// - Throws: `JSONError` where no continuation could make the bytes valid.
    package static func parsePartial(_ bytes: [UInt8], depth: Int = defaultDepth) throws(JSONError) -> PartialJSON {
        var reader = JSONReader(bytes, depth: depth, isPartial: true)
        return try reader.read()
    }

    package static func parsePartial(
        _ text: some StringProtocol, depth: Int = defaultDepth
    ) throws(JSONError) -> PartialJSON {
        try parsePartial(Array(text.utf8), depth: depth)
    }
}

/// What can be said of a document that may be cut off.
package struct PartialJSON: Sendable, Hashable {
    /// Nil when nothing of the value is known yet.
    package let value: JSON?
    /// The document is whole.
    package let isComplete: Bool
    /// How many values are unfinished: the outermost one, its last member, the last member of that, and so on.
    /// `{"a":["x` gives 3 (object, array, text), `{"a":"x",` gives 1.
    package let openLevels: Int
}

struct JSONReader {
    let bytes: [UInt8]
    let depth: Int
    let isPartial: Bool
    var offset = 0
    /// Arrays and objects that are open, outermost first.
    var open: [Container] = []
    var scratch: [UInt8] = []

    /// An array or object that is being read.
    struct Container {
        let isObject: Bool
        var items: [JSON] = []
        var object = JSONObject()
        var key = ""
    }

    /// What may stand at the present place.
    enum Next { case value, valueOrEnd, keyOrEnd, key, separator }

    /// One value read, or the end of a partial document met inside it (with what is known of it).
    enum Piece {
        case whole(JSON)
        case cut(JSON?)
    }

    init(_ bytes: [UInt8], depth: Int, isPartial: Bool) {
        (self.bytes, self.depth, self.isPartial) = (bytes, min(depth, 512), isPartial)
    }

    func error(_ cause: JSONError.Cause, at place: Int) -> JSONError {
        JSONError(cause, at: JSONError.Place(place, in: bytes))
    }

    func early(_ expected: JSONError.Expectation) -> JSONError { error(.endsEarly(expected), at: bytes.count) }

    mutating func read() throws(JSONError) -> PartialJSON {
        var next = Next.value
        while true {
            skipSpace()
            guard offset < bytes.count else {
                if isPartial { return closed(with: nil) }
                guard let last = open.last else { throw error(.empty, at: offset) }
                throw early(expected(next, in: last))
            }
            let byte = bytes[offset]
            switch (next, byte) {
            case (.value, UInt8(ascii: "[")), (.valueOrEnd, UInt8(ascii: "[")):
                try enter(isObject: false)
                next = .valueOrEnd
            case (.value, UInt8(ascii: "{")), (.valueOrEnd, UInt8(ascii: "{")):
                try enter(isObject: true)
                next = .keyOrEnd
            case (.valueOrEnd, UInt8(ascii: "]")), (.keyOrEnd, UInt8(ascii: "}")):
                if let done = try leave() { return done }
                next = .separator
            case (.value, _), (.valueOrEnd, _):
                switch try readScalar(byte) {
                case .whole(let value):
                    if let done = try add(value) { return done }
                    next = .separator
                case .cut(let value): return closed(with: value)
                }
            case (.key, UInt8(ascii: "\"")), (.keyOrEnd, UInt8(ascii: "\"")):
                guard try readKey() else { return closed(with: nil) }
                next = .value
            case (.separator, UInt8(ascii: ",")):
                offset += 1
                next = open[open.count - 1].isObject ? .key : .value
            case (.separator, UInt8(ascii: "]")) where !open[open.count - 1].isObject,
                (.separator, UInt8(ascii: "}")) where open[open.count - 1].isObject:
                if let done = try leave() { return done }
            default:
                throw error(.unexpected(byte, open.last.map { expected(next, in: $0) } ?? .value), at: offset)
            }
        }
    }

    func expected(_ next: Next, in container: Container) -> JSONError.Expectation {
        switch next {
        case .value, .valueOrEnd: .value
        case .key, .keyOrEnd: .key
        case .separator: container.isObject ? .commaOrBrace : .commaOrBracket
        }
    }

    mutating func enter(isObject: Bool) throws(JSONError) {
        if open.count >= depth { throw error(.tooDeep(limit: depth), at: offset) }
        open.append(Container(isObject: isObject))
        offset += 1
    }

    mutating func leave() throws(JSONError) -> PartialJSON? {
        offset += 1
        return try add(value(of: open.removeLast()))
    }

    func value(of container: consuming Container) -> JSON {
        container.isObject ? .object(container.object) : .array(container.items)
    }

    /// Puts a whole value where it belongs; returns the document when that was its outermost value.
    mutating func add(_ value: JSON) throws(JSONError) -> PartialJSON? {
        let last = open.count - 1
        guard last >= 0 else {
            skipSpace()
            if offset < bytes.count { throw error(.trailing(bytes[offset]), at: offset) }
            return PartialJSON(value: value, isComplete: true, openLevels: 0)
        }
        if open[last].isObject {
            _ = open[last].object.append(open[last].key, value)
        } else {
            open[last].items.append(value)
        }
        return nil
    }

    /// The document as far as it is known, when it ends inside `innermost` or between values.
    mutating func closed(with innermost: JSON?) -> PartialJSON {
        var levels = innermost == nil ? 0 : 1
        var value = innermost
        while var container = open.popLast() {
            levels += 1
            if let value {
                if container.isObject {
                    _ = container.object.append(container.key, value)
                } else {
                    container.items.append(value)
                }
            }
            value = self.value(of: container)
        }
        return PartialJSON(value: value, isComplete: false, openLevels: levels)
    }

    mutating func skipSpace() {
        while offset < bytes.count {
            switch bytes[offset] {
            case 0x20, 0x0A, 0x0D, 0x09: offset += 1
            default: return
            }
        }
    }

    /// Reads a key and its colon; false when a partial document ends here.
    mutating func readKey() throws(JSONError) -> Bool {
        let start = offset
        guard case (let key, true) = try readText() else { return false }
        if open[open.count - 1].object.contains(key) { throw error(.duplicateKey(key), at: start) }
        skipSpace()
        guard offset < bytes.count else {
            if isPartial { return false }
            throw early(.colon)
        }
        guard bytes[offset] == UInt8(ascii: ":") else { throw error(.unexpected(bytes[offset], .colon), at: offset) }
        offset += 1
        open[open.count - 1].key = key
        return true
    }

    mutating func readScalar(_ byte: UInt8) throws(JSONError) -> Piece {
        switch byte {
        case UInt8(ascii: "\""):
            let (text, isWhole) = try readText()
            return isWhole ? .whole(.string(text)) : .cut(.string(text))
        case UInt8(ascii: "t"): return try readLiteral("true", .bool(true))
        case UInt8(ascii: "f"): return try readLiteral("false", .bool(false))
        case UInt8(ascii: "n"): return try readLiteral("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try readNumber()
        default: throw error(.unexpected(byte, .value), at: offset)
        }
    }

    mutating func readLiteral(_ word: StaticString, _ value: JSON) throws(JSONError) -> Piece {
        let name = word.description
        for expected in name.utf8 {
            guard offset < bytes.count else {
                if isPartial { return .cut(nil) }
                throw early(.literal(name))
            }
            guard bytes[offset] == expected else {
                throw error(.unexpected(bytes[offset], .literal(name)), at: offset)
            }
            offset += 1
        }
        return .whole(value)
    }
}
