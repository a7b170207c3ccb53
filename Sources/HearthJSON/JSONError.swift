/// Why a text is no JSON that we take, or a value none that can be written.
package struct JSONError: Error, Hashable, Sendable {
    package enum Cause: Hashable, Sendable {
        /// The text ends inside a value.
        case endsEarly(Expectation)
        /// The text is empty, or holds white space only.
        case empty
        /// A byte that cannot stand here.
        case unexpected(UInt8, Expectation)
        /// Something follows the value.
        case trailing(UInt8)
        /// Arrays and objects inside each other, more than `limit` deep.
        case tooDeep(limit: Int)
        case duplicateKey(String)
        /// An unescaped control character in a text.
        case controlCharacter(UInt8)
        case unknownEscape(UInt8)
        /// `\u` that is not followed by four hexadecimal digits.
        case badUnicodeEscape
        /// Half of a surrogate pair: no character has this number.
        case loneSurrogate(UInt16)
        case invalidUTF8(UInt8)
        case leadingZero
        /// Beyond the range of a 64-bit floating-point number.
        case numberTooLarge(String)
        /// A value to be written holds NaN or an infinity.
        case notFinite(Double)
    }

    /// What could have stood at a place.
    package enum Expectation: Hashable, Sendable {
        case value, key, colon, commaOrBracket, commaOrBrace, digit, quote
        case literal(String)
    }

    /// Offset in bytes from 0; line and column from 1, the column in characters (Unicode scalars).
    package struct Place: Hashable, Sendable {
        package let offset: Int
        package let line: Int
        package let column: Int

        package init(offset: Int, line: Int, column: Int) {
            (self.offset, self.line, self.column) = (offset, line, column)
        }

        /// The place of a byte in a text.
        init(_ offset: Int, in bytes: [UInt8]) {
            var line = 1
            var column = 1
            for byte in bytes.prefix(offset) {
                if byte == 0x0A {
                    line += 1
                    column = 1
                } else if byte & 0xC0 != 0x80 {
                    column += 1
                }
            }
            self.init(offset: offset, line: line, column: column)
        }
    }

    package let cause: Cause
    /// Nil when a value could not be written: it has no place.
    package let place: Place?

    package init(_ cause: Cause, at place: Place?) {
        (self.cause, self.place) = (cause, place)
    }
}
