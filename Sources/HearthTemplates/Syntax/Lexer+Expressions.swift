/// What stands inside a tag.
extension TemplateLexer {
    mutating func readExpression(isOutput: Bool, began: Int) throws(TemplateError) {
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

    mutating func endTag(_ isOutput: Bool) -> Bool {
        let start = offset
        let sign: UInt8 = bytes[offset] == 0x2D || (bytes[offset] == 0x2B && !isOutput) ? bytes[offset] : 0
        let index = offset + (sign == 0 ? 0 : 1)
        guard isOutput ? has("}}", at: index) : has("%}", at: index) else { return false }
        add(isOutput ? .outputEnd : .tagEnd, at: start)
        resume(at: index + 2, stripsAll: sign == 0x2D, trims: !isOutput && sign != 0x2B)
        return true
    }

    func isNameStart(_ index: Int) -> Bool {
        let (scalar, _) = Text.scalar(in: bytes, at: index)
        return scalar == "_" || scalar.properties.isXIDStart
    }

    mutating func readName() {
        let start = offset
        while offset < bytes.count {
            let (scalar, length) = Text.scalar(in: bytes, at: offset)
            guard scalar == "_" || scalar.properties.isXIDContinue else { break }
            offset += length
        }
        add(.name(String(decoding: bytes[start..<offset], as: UTF8.self)), at: start)
    }

    /// Symbols by their one or two bytes.
    static let symbols: [UInt16: TemplateToken.Symbol] = {
        var table: [UInt16: TemplateToken.Symbol] = [:]
        for symbol in TemplateToken.Symbol.allCases {
            table[symbol.rawValue.utf8.reduce(0) { $0 << 8 | UInt16($1) }] = symbol
        }
        return table
    }()

    mutating func readSymbol() throws(TemplateError) {
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

    mutating func skipDigits() -> Bool {
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

    mutating func readNumber() throws(TemplateError) {
        let start = offset
        if bytes[offset] == 0x30, offset + 1 < bytes.count, let radix = Self.radix(bytes[offset + 1]) {
            offset += 2
            let digits = offset
            while offset < bytes.count,
                bytes[offset] == 0x5F || Unicode.Scalar(bytes[offset]).properties.isASCIIHexDigit
            {
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

    mutating func badNumber(_ start: Int) -> TemplateError {
        TemplateError(.badNumber(String(decoding: bytes[start..<offset], as: UTF8.self)), at: place(start))
    }

    static func radix(_ byte: UInt8) -> Int? {
        switch byte | 0x20 {
        case UInt8(ascii: "x"): 16
        case UInt8(ascii: "o"): 8
        case UInt8(ascii: "b"): 2
        default: nil
        }
    }

    mutating func readString(_ quote: UInt8) throws(TemplateError) {
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
    mutating func readEscape(into text: inout [UInt8]) throws(TemplateError) {
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

    mutating func badEscape(_ start: Int) -> TemplateError {
        TemplateError(
            .badEscape(String(decoding: bytes[start..<min(offset, bytes.count)], as: UTF8.self)), at: place(start))
    }

    mutating func code(_ digits: Int) -> UInt32? {
        guard offset + digits <= bytes.count else { return nil }
        let text = String(decoding: bytes[offset..<offset + digits], as: UTF8.self)
        guard text.utf8.allSatisfy({ Unicode.Scalar($0).properties.isASCIIHexDigit }) else { return nil }
        offset += digits
        return UInt32(text, radix: 16)
    }

    mutating func readCode(_ digits: Int, _ start: Int, into text: inout [UInt8]) throws(TemplateError) {
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
