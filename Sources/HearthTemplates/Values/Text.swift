/// Where bytes of a prompt come from.
package enum TextOrigin: Hashable, Sendable {
    /// The template wrote them: control tokens may be read in them.
    case template
    /// They came with the messages, tools or documents, or were made from such text.
    case data
}

/// A text of the template language: UTF-8 bytes, and which of them are data. Indices are bytes here; the template
/// counts Unicode scalars, as Python does.
struct Text: Sendable {
    /// One stretch of equal origin, ending before byte `end`.
    struct Run: Hashable, Sendable {
        var end: Int
        var origin: TextOrigin
    }

    private(set) var bytes: [UInt8]
    private(set) var runs: [Run]
    /// `safe` and `escape` make a text to which `+` adds others escaped (Jinja's Markup).
    var isMarkup = false

    static let empty = Text([], .template)

    init(_ bytes: [UInt8], _ origin: TextOrigin) {
        self.bytes = bytes
        runs = bytes.isEmpty ? [] : [Run(end: bytes.count, origin: origin)]
    }

    init(_ text: String, _ origin: TextOrigin = .template) { self.init(Array(text.utf8), origin) }

    var count: Int { bytes.count }
    var isEmpty: Bool { bytes.isEmpty }
    var string: String { String(decoding: bytes, as: UTF8.self) }
    var hasData: Bool { runs.contains { $0.origin == .data } }

    /// `.data` if any byte is: what is made from a mixture is treated as data.
    var cautiousOrigin: TextOrigin { hasData ? .data : .template }

    mutating func append(_ other: Text) {
        if bytes.isEmpty {
            let markup = isMarkup
            self = other
            isMarkup = markup
            return
        }
        let base = bytes.count
        bytes.append(contentsOf: other.bytes)
        for run in other.runs { extend(to: base + run.end, run.origin) }
    }

    mutating func append(_ text: some Collection<UInt8>, _ origin: TextOrigin) {
        if text.isEmpty { return }
        bytes.append(contentsOf: text)
        extend(to: bytes.count, origin)
    }

    mutating func append(_ text: String, _ origin: TextOrigin) { append(text.utf8, origin) }

    private mutating func extend(to end: Int, _ origin: TextOrigin) {
        if let last = runs.last, last.origin == origin {
            runs[runs.count - 1].end = end
        } else if end > (runs.last?.end ?? 0) {
            runs.append(Run(end: end, origin: origin))
        }
    }

    /// The bytes of a range, with their origins.
    subscript(_ range: Range<Int>) -> Text {
        if range.count == bytes.count { return self }
        var part = Text([], .template)
        part.isMarkup = isMarkup
        part.bytes = Array(bytes[range])
        if range.isEmpty { return part }
        var start = 0
        for run in runs where start < range.upperBound {
            if run.end > range.lowerBound {
                part.extend(to: min(run.end, range.upperBound) - range.lowerBound, run.origin)
            }
            start = run.end
        }
        return part
    }

    /// Each stretch through a function of its characters; origins stay with what they became.
    func mapped(_ body: (Unicode.Scalar, inout [UInt8]) -> Void) -> Text {
        var result = Text([], .template)
        result.isMarkup = isMarkup
        result.bytes.reserveCapacity(bytes.count)
        var offset = 0
        for run in runs {
            while offset < run.end {
                let (scalar, length) = Self.scalar(in: bytes, at: offset)
                body(scalar, &result.bytes)
                offset += length
            }
            result.extend(to: result.bytes.count, run.origin)
        }
        return result
    }

    /// The character that begins at a byte. Texts hold valid UTF-8: they come from Swift's String or whole slices of it.
    static func scalar(in bytes: [UInt8], at offset: Int) -> (Unicode.Scalar, length: Int) {
        let lead = bytes[offset]
        if lead < 0x80 { return (Unicode.Scalar(lead), 1) }
        let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
        var value = UInt32(lead) & (0x7F >> UInt32(length))
        for byte in bytes[offset + 1..<min(offset + length, bytes.count)] { value = value << 6 | UInt32(byte & 0x3F) }
        return (Unicode.Scalar(value) ?? "\u{FFFD}", length)
    }

    var scalars: [Unicode.Scalar] {
        var result: [Unicode.Scalar] = []
        var offset = 0
        while offset < bytes.count {
            let (scalar, length) = Self.scalar(in: bytes, at: offset)
            result.append(scalar)
            offset += length
        }
        return result
    }

    /// Python's `len`: Unicode scalars.
    var length: Int { bytes.reduce(0) { $0 + ($1 & 0xC0 != 0x80 ? 1 : 0) } }

    /// Where each character begins, and the end.
    var boundaries: [Int] {
        var result: [Int] = []
        result.reserveCapacity(bytes.count + 1)
        for (offset, byte) in bytes.enumerated() where byte & 0xC0 != 0x80 { result.append(offset) }
        result.append(bytes.count)
        return result
    }
}

extension Text: Hashable {
    static func == (a: Text, b: Text) -> Bool { a.bytes == b.bytes }
    func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}
