import HearthJSON
import Testing

@Suite struct JSONErrorTests {
    static let place = JSONError.Place(offset: 9, line: 2, column: 7)
    static let words: [(JSONError.Cause, String)] = [
        (.endsEarly(.commaOrBrace), "the text ends where `,` or `}` should follow. It may have been cut short."),
        (.endsEarly(.literal("true")), "the text ends where `true` should follow. It may have been cut short."),
        (.empty, "there is nothing to read. A JSON text holds one value."),
        (.unexpected(0x78, .value), "found `x` where a value should stand."),
        (.unexpected(0x0A, .key), "found a line feed where a key in double quotes should stand."),
        (.unexpected(0x5D, .colon), "found `]` where `:` should stand."),
        (.unexpected(0x20, .digit), "found a space where a digit should stand."),
        (.unexpected(0x09, .commaOrBracket), "found a tab where `,` or `]` should stand."),
        (.unexpected(0x0D, .quote), "found a carriage return where the closing `\"` of a text should stand."),
        (.trailing(0x7D), "found `}` after the end of the value. A JSON text holds one value only."),
        (.tooDeep(limit: 128), "arrays and objects are more than 128 deep. Flatten the document."),
        (.duplicateKey("a"), "the key \"a\" stands twice in one object. Keep one of the two."),
        (.controlCharacter(1), "byte 0x01 stands unescaped in a text. Write it as \\u0001."),
        (.unknownEscape(0x78), "\\ is followed by `x`. Escapes are \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\uXXXX."),
        (.badUnicodeEscape, "\\u is not followed by four hexadecimal digits."),
        (.loneSurrogate(0xD800), "\\ud800 is half of a surrogate pair and stands alone. Write both halves."),
        (.invalidUTF8(0xC3), "byte 0xc3 is no UTF-8 here. Save the text as UTF-8."),
        (.leadingZero, "a number begins with 0 and goes on. Leave out the leading zero."),
        (.numberTooLarge("1e999"), "1e999 is beyond the range of a number (about 1.8e308)."),
        (.notFinite(.infinity), "inf cannot be written as JSON. Use null, or a text."),
    ]

    @Test("each cause has its words", arguments: words)
    func complete(_ cause: JSONError.Cause, _ text: String) {
        #expect("\(JSONError(cause, at: Self.place))" == "JSON, line 2, column 7 (byte 9): " + text)
        #expect("\(JSONError(cause, at: nil))" == text)
    }
}
