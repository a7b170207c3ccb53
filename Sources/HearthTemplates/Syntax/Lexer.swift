/// Cuts a template into tokens, with the white-space rules that chat templates are written for: `trim_blocks` and
/// `lstrip_blocks` on, one newline at the very end dropped (Jinja 3.1, as transformers sets it up).
///
/// Brackets are counted, so that `}}` inside a mapping or a text does not end an expression.
struct TemplateLexer {
    private let bytes: [UInt8]
    private var offset = 0
    private var tokens: [TemplateToken] = []
    /// The text before the present tag ended with a newline, or nothing stands before it.
    private var isLineStart = true
    private var brackets: [UInt8] = []
    /// The place of byte `placed`, from which later ones are counted.
    private var (line, column, placed) = (1, 1, 0)

    static func tokens(of source: String) throws(TemplateError) -> [TemplateToken] {
        var lexer = TemplateLexer(source)
        try lexer.readAll()
        return lexer.tokens
    }

    private init(_ source: String) {
        var clean: [UInt8] = []
        clean.reserveCapacity(source.utf8.count)
        var previous: UInt8 = 0
        for byte in source.utf8 {
            if byte == 0x0D { clean.append(0x0A) } else if byte != 0x0A || previous != 0x0D { clean.append(byte) }
            previous = byte
        }
        if clean.last == 0x0A { clean.removeLast() }
        bytes = clean
    }

    private mutating func place(_ at: Int) -> TemplatePlace {
        // Errors may look back to where something began.
        if at < placed { (line, column, placed) = (1, 1, 0) }
        while placed < at {
            if bytes[placed] == 0x0A {
                line += 1
                column = 1
            } else if bytes[placed] & 0xC0 != 0x80 {
                column += 1
            }
            placed += 1
        }
        return TemplatePlace(line: line, column: column)
    }

    private mutating func add(_ kind: TemplateToken.Kind, at start: Int) {
        tokens.append(TemplateToken(kind: kind, place: place(start)))
    }

    private func has(_ text: StaticString, at index: Int) -> Bool {
        let count = text.utf8CodeUnitCount
        guard index >= 0, index + count <= bytes.count else { return false }
        return unsafe UnsafeBufferPointer(start: text.utf8Start, count: count).elementsEqual(bytes[index..<index + count])
    }

    private mutating func readAll() throws(TemplateError) {
        while offset < bytes.count {
            var tag = offset
            while tag < bytes.count, !has("{{", at: tag), !has("{%", at: tag), !has("{#", at: tag) { tag += 1 }
            guard tag < bytes.count else {
                add(.text(Array(bytes[offset...])), at: offset)
                offset = bytes.count
                break
            }
            try readTag(tag)
        }
        add(.end, at: bytes.count)
    }

    private mutating func readTag(_ tag: Int) throws(TemplateError) {
        let isOutput = has("{{", at: tag)
        let sign: UInt8? = tag + 2 < bytes.count && (bytes[tag + 2] == 0x2D || bytes[tag + 2] == 0x2B) ? bytes[tag + 2] : nil
        addText(before: tag, sign: sign, isOutput: isOutput)
        let inner = tag + 2 + (sign == nil ? 0 : 1)
        if has("{#", at: tag) {
            try skipComment(from: inner, began: tag)
        } else if !isOutput, let start = rawStart(inner) {
            try readRaw(from: start, began: tag)
        } else {
            add(isOutput ? .outputBegin : .tagBegin, at: tag)
            offset = inner
            try readExpression(isOutput: isOutput, began: tag)
        }
    }

    /// The text up to a tag, shortened as the tag's sign and `lstrip_blocks` ask.
    private mutating func addText(before tag: Int, sign: UInt8?, isOutput: Bool) {
        var end = tag
        if sign == 0x2D {
            end = offset + Text(Array(bytes[offset..<tag]), .template).stripped(start: false).count
        } else if sign == nil, !isOutput {
            var start = tag
            while start > offset, bytes[start - 1] != 0x0A { start -= 1 }
            if start > offset || isLineStart, start < tag,
                Text(Array(bytes[start..<tag]), .template).stripped().isEmpty
            {
                end = start
            }
        }
        if end > offset { add(.text(Array(bytes[offset..<end])), at: offset) }
    }

    private func spaceEnd(_ start: Int) -> Int {
        var index = start
        while index < bytes.count {
            let (scalar, length) = Text.scalar(in: bytes, at: index)
            guard Text.isSpace(scalar) else { break }
            index += length
        }
        return index
    }

    /// Goes on after a tag's end: `trim_blocks` drops one newline, `-` all white space.
    private mutating func resume(at end: Int, stripsAll: Bool, trims: Bool) {
        offset = end
        if stripsAll {
            offset = spaceEnd(end)
        } else if trims, offset < bytes.count, bytes[offset] == 0x0A {
            offset += 1
        }
        isLineStart = offset > 0 && bytes[offset - 1] == 0x0A
    }

    private mutating func skipComment(from start: Int, began: Int) throws(TemplateError) {
        var end = start
        while end < bytes.count, !has("#}", at: end) { end += 1 }
        guard end < bytes.count else { throw TemplateError(.unterminated("the comment"), at: place(began)) }
        let sign: UInt8 = end > start ? bytes[end - 1] : 0
        resume(at: end + 2, stripsAll: sign == 0x2D, trims: sign != 0x2B)
    }

    /// Where the content of `{% raw %}` begins.
    private func rawStart(_ inner: Int) -> Int? {
        var index = spaceEnd(inner)
        guard has("raw", at: index) else { return nil }
        index = spaceEnd(index + 3)
        if has("-%}", at: index) { return spaceEnd(index + 3) }
        return has("%}", at: index) ? index + 2 : nil
    }

    private mutating func readRaw(from start: Int, began: Int) throws(TemplateError) {
        var tag = start
        while tag < bytes.count {
            defer { tag += 1 }
            guard has("{%", at: tag) else { continue }
            var index = tag + 2
            let sign: UInt8? = index < bytes.count && (bytes[index] == 0x2D || bytes[index] == 0x2B) ? bytes[index] : nil
            index = spaceEnd(index + (sign == nil ? 0 : 1))
            guard has("endraw", at: index) else { continue }
            index = spaceEnd(index + 6)
            let closing: UInt8 = has("-%}", at: index) ? 0x2D : has("+%}", at: index) ? 0x2B : 0
            if closing != 0 { index += 1 }
            guard has("%}", at: index) else { continue }
            offset = start
            isLineStart = bytes[start - 1] == 0x0A
            addText(before: tag, sign: sign, isOutput: false)
            resume(at: index + 2, stripsAll: closing == 0x2D, trims: closing != 0x2B)
            return
        }
        throw TemplateError(.unterminated("the raw block"), at: place(began))
    }
}

// MARK: - Inside a tag

extension TemplateLexer {
    private mutating func readExpression(isOutput: Bool, began: Int) throws(TemplateError) {
        brackets = []
        while true {
            offset = spaceEnd(offset)
            guard offset < bytes.count else {
                throw TemplateError(.unterminated(isOutput ? "`{{`" : "`{%`"), at: place(began))
            }
            if brackets.isEmpty, endTag(isOutput) { return }
            let byte = bytes[offset]
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): try readNumber()
            case UInt8(ascii: "'"), UInt8(ascii: "\""): try readString(byte)
            default:
                if isNameStart(offset) { readName() } else { try readSymbol() }
            }
        }
    }

    private mutating func endTag(_ isOutput: Bool) -> Bool {
        let start = offset
        let sign: UInt8 = bytes[offset] == 0x2D || (bytes[offset] == 0x2B && !isOutput) ? bytes[offset] : 0
        let index = offset + (sign == 0 ? 0 : 1)
        guard isOutput ? has("}}", at: index) : has("%}", at: index) else { return false }
        add(isOutput ? .outputEnd : .tagEnd, at: start)
        resume(at: index + 2, stripsAll: sign == 0x2D, trims: !isOutput && sign != 0x2B)
        return true
    }

    private func isNameStart(_ index: Int) -> Bool {
        let (scalar, _) = Text.scalar(in: bytes, at: index)
        return scalar == "_" || scalar.properties.isXIDStart
    }

    private mutating func readName() {
        let start = offset
        while offset < bytes.count {
            let (scalar, length) = Text.scalar(in: bytes, at: offset)
            guard scalar == "_" || scalar.properties.isXIDContinue else { break }
            offset += length
        }
        add(.name(String(decoding: bytes[start..<offset], as: UTF8.self)), at: start)
    }

    /// Symbols by their one or two bytes.
    private static let symbols: [UInt16: TemplateToken.Symbol] = {
        var table: [UInt16: TemplateToken.Symbol] = [:]
        for symbol in TemplateToken.Symbol.allCases {
            table[symbol.rawValue.utf8.reduce(0) { $0 << 8 | UInt16($1) }] = symbol
        }
        return table
    }()

    private mutating func readSymbol() throws(TemplateError) {
        let two = offset + 1 < bytes.count ? Self.symbols[UInt16(bytes[offset]) << 8 | UInt16(bytes[offset + 1])] : nil
        if let symbol = two ?? Self.symbols[UInt16(bytes[offset])] {
            let start = offset
            offset += two == nil ? 1 : 2
            switch symbol {
            case .leftBrace: brackets.append(UInt8(ascii: "}"))
            case .leftBracket: brackets.append(UInt8(ascii: "]"))
            case .leftParenthesis: brackets.append(UInt8(ascii: ")"))
            case .rightBrace, .rightBracket, .rightParenthesis:
                let expected = brackets.popLast().map { String(Character(Unicode.Scalar($0))) }
                if expected != symbol.rawValue {
                    throw TemplateError(.unbalanced(found: symbol.rawValue, expected: expected), at: place(start))
                }
            default: break
            }
            add(.symbol(symbol), at: start)
            return
        }
        let (scalar, _) = Text.scalar(in: bytes, at: offset)
        throw TemplateError(.unexpectedCharacter(String(Character(scalar))), at: place(offset))
    }

    private mutating func skipDigits() -> Bool {
        let start = offset
        while offset < bytes.count {
            if bytes[offset] &- 0x30 < 10 {
                offset += 1
            } else if bytes[offset] == 0x5F, offset > start, offset + 1 < bytes.count, bytes[offset + 1] &- 0x30 < 10 {
                offset += 2
            } else {
                break
            }
        }
        return offset > start
    }

    private mutating func readNumber() throws(TemplateError) {
        let start = offset
        if bytes[offset] == 0x30, offset + 1 < bytes.count, let radix = Self.radix(bytes[offset + 1]) {
            offset += 2
            let digits = offset
            while offset < bytes.count, bytes[offset] == 0x5F || Unicode.Scalar(bytes[offset]).properties.isASCIIHexDigit {
                offset += 1
            }
            let text = String(decoding: bytes[digits..<offset].filter { $0 != 0x5F }, as: UTF8.self)
            guard let value = Int(text, radix: radix) else { throw badNumber(start) }
            return add(.integer(value), at: start)
        }
        _ = skipDigits()
        var isFloat = false
        var mark = offset
        // In `a.0.1` the numbers are two steps of a path.
        let isStep = bytes[start - 1] == 0x2E
        if !isStep, offset < bytes.count, bytes[offset] == 0x2E {
            offset += 1
            if skipDigits() { (isFloat, mark) = (true, offset) } else { offset = mark }
        }
        if !isStep, offset < bytes.count, bytes[offset] | 0x20 == UInt8(ascii: "e") {
            offset += 1
            if offset < bytes.count, bytes[offset] == 0x2B || bytes[offset] == 0x2D { offset += 1 }
            if skipDigits() { isFloat = true } else { offset = mark }
        }
        let text = String(decoding: bytes[start..<offset].filter { $0 != 0x5F }, as: UTF8.self)
        if isFloat, let value = Double(text), value.isFinite { return add(.float(value), at: start) }
        guard !isFloat, let value = Int(text), text.utf8.first != 0x30 || value == 0 else { throw badNumber(start) }
        add(.integer(value), at: start)
    }

    private mutating func badNumber(_ start: Int) -> TemplateError {
        TemplateError(.badNumber(String(decoding: bytes[start..<offset], as: UTF8.self)), at: place(start))
    }

    private static func radix(_ byte: UInt8) -> Int? {
        switch byte | 0x20 {
        case UInt8(ascii: "x"): 16
        case UInt8(ascii: "o"): 8
        case UInt8(ascii: "b"): 2
        default: nil
        }
    }

    private mutating func readString(_ quote: UInt8) throws(TemplateError) {
        let start = offset
        var text: [UInt8] = []
        offset += 1
        while offset < bytes.count, bytes[offset] != quote {
            if bytes[offset] == UInt8(ascii: "\\"), offset + 1 < bytes.count {
                try readEscape(into: &text)
            } else {
                text.append(bytes[offset])
                offset += 1
            }
        }
        guard offset < bytes.count else { throw TemplateError(.unterminated("the text"), at: place(start)) }
        offset += 1
        add(.string(text), at: start)
    }

    /// Python's escapes. One that it does not know stays as it is written, with its backslash.
    private mutating func readEscape(into text: inout [UInt8]) throws(TemplateError) {
        let start = offset
        let byte = bytes[offset + 1]
        offset += 2
        switch byte {
        case 0x0A: break
        case UInt8(ascii: "\\"), UInt8(ascii: "'"), UInt8(ascii: "\""): text.append(byte)
        case UInt8(ascii: "a"): text.append(0x07)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "v"): text.append(0x0B)
        case UInt8(ascii: "0")...UInt8(ascii: "7"):
            var value = UInt32(byte - 0x30)
            for _ in 0..<2 where offset < bytes.count && (0x30...0x37).contains(bytes[offset]) {
                value = value << 3 | UInt32(bytes[offset] - 0x30)
                offset += 1
            }
            text.append(contentsOf: UTF8.encode(Unicode.Scalar(value) ?? "\u{FFFD}")!)
        case UInt8(ascii: "x"): try readCode(2, start, into: &text)
        case UInt8(ascii: "u"): try readCode(4, start, into: &text)
        case UInt8(ascii: "U"): try readCode(8, start, into: &text)
        case UInt8(ascii: "N"): throw badEscape(start)
        default:
            text.append(UInt8(ascii: "\\"))
            offset -= 1
        }
    }

    private mutating func badEscape(_ start: Int) -> TemplateError {
        TemplateError(.badEscape(String(decoding: bytes[start..<min(offset, bytes.count)], as: UTF8.self)), at: place(start))
    }

    private mutating func code(_ digits: Int) -> UInt32? {
        guard offset + digits <= bytes.count else { return nil }
        let text = String(decoding: bytes[offset..<offset + digits], as: UTF8.self)
        guard text.utf8.allSatisfy({ Unicode.Scalar($0).properties.isASCIIHexDigit }) else { return nil }
        offset += digits
        return UInt32(text, radix: 16)
    }

    private mutating func readCode(_ digits: Int, _ start: Int, into text: inout [UInt8]) throws(TemplateError) {
        guard var value = code(digits) else { throw badEscape(start) }
        // Two halves of a surrogate pair make one character, as in JSON.
        if value & 0xFFFF_FC00 == 0xD800, has("\\u", at: offset) {
            offset += 2
            guard let low = code(4), low & 0xFC00 == 0xDC00 else { throw badEscape(start) }
            value = 0x10000 + (value & 0x3FF) << 10 + (low & 0x3FF)
        }
        guard let scalar = Unicode.Scalar(value) else { throw badEscape(start) }
        text.append(contentsOf: UTF8.encode(scalar)!)
    }
}
