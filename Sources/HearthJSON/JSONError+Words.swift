extension JSONError: CustomStringConvertible {
    package var description: String {
        guard let place else { return cause.words }
        return "JSON, line \(place.line), column \(place.column) (byte \(place.offset)): \(cause.words)"
    }
}

extension JSONError.Cause {
    var words: String {
        switch self {
        case .endsEarly(let expected):
            "the text ends where \(expected.words) should follow. It may have been cut short."
        case .empty:
            "there is nothing to read. A JSON text holds one value."
        case .unexpected(let byte, let expected):
            "found \(Self.name(byte)) where \(expected.words) should stand."
        case .trailing(let byte):
            "found \(Self.name(byte)) after the end of the value. A JSON text holds one value only."
        case .tooDeep(let limit):
            "arrays and objects are more than \(limit) deep. Flatten the document."
        case .duplicateKey(let key):
            "the key \"\(key)\" stands twice in one object. Keep one of the two."
        case .controlCharacter(let byte):
            "\(Self.name(byte)) stands unescaped in a text. Write it as \\u00\(Self.hex(byte))."
        case .unknownEscape(let byte):
            "\\ is followed by \(Self.name(byte)). Escapes are \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\uXXXX."
        case .badUnicodeEscape:
            "\\u is not followed by four hexadecimal digits."
        case .loneSurrogate(let unit):
            "\\u\(String(unit, radix: 16)) is half of a surrogate pair and stands alone. Write both halves."
        case .invalidUTF8(let byte):
            "byte 0x\(Self.hex(byte)) is no UTF-8 here. Save the text as UTF-8."
        case .leadingZero:
            "a number begins with 0 and goes on. Leave out the leading zero."
        case .numberTooLarge(let text):
            "\(text.utf8.count > 40 ? text.prefix(40) + "..." : Substring(text)) is beyond the range of a number (about 1.8e308)."
        case .notFinite(let value):
            "\(value) cannot be written as JSON. Use null, or a text."
        }
    }

    /// A byte as a reader of the message knows it.
    static func name(_ byte: UInt8) -> String {
        switch byte {
        case 0x0A: "a line feed"
        case 0x0D: "a carriage return"
        case 0x09: "a tab"
        case 0x20: "a space"
        case 0x21...0x7E: "`\(Character(Unicode.Scalar(byte)))`"
        default: "byte 0x\(hex(byte))"
        }
    }

    static func hex(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16)
        return digits.utf8.count < 2 ? "0" + digits : digits
    }
}

extension JSONError.Expectation {
    var words: String {
        switch self {
        case .value: "a value"
        case .key: "a key in double quotes"
        case .colon: "`:`"
        case .commaOrBracket: "`,` or `]`"
        case .commaOrBrace: "`,` or `}`"
        case .digit: "a digit"
        case .quote: "the closing `\"` of a text"
        case .literal(let word): "`\(word)`"
        }
    }
}
