/// Numbers and texts.
extension JSONReader {
    mutating func readNumber() throws(JSONError) -> Piece {
        let start = offset
        var isInteger = true
        if bytes[offset] == UInt8(ascii: "-") { offset += 1 }
        let firstDigit = offset
        guard try skipDigits() else { return .cut(nil) }
        if bytes[firstDigit] == UInt8(ascii: "0"), offset - firstDigit > 1 { throw error(.leadingZero, at: firstDigit) }
        if offset < bytes.count, bytes[offset] == UInt8(ascii: ".") {
            isInteger = false
            offset += 1
            guard try skipDigits() else { return .cut(nil) }
        }
        if offset < bytes.count, bytes[offset] | 0x20 == UInt8(ascii: "e") {
            isInteger = false
            offset += 1
            if offset < bytes.count, bytes[offset] == UInt8(ascii: "+") || bytes[offset] == UInt8(ascii: "-") {
                offset += 1
            }
            guard try skipDigits() else { return .cut(nil) }
        }
        // Further digits may follow inside an open array or object; a number alone is whole.
        if isPartial, offset == bytes.count, !open.isEmpty { return .cut(nil) }
        let text = String(decoding: bytes[start..<offset], as: UTF8.self)
        if isInteger, let value = Int64(text) { return .whole(.integer(value)) }
        guard let value = Double(text), value.isFinite else { throw error(.numberTooLarge(text), at: start) }
        return .whole(.number(value))
    }

    /// At least one digit; false when a partial document ends before it.
    mutating func skipDigits() throws(JSONError) -> Bool {
        let start = offset
        while offset < bytes.count, bytes[offset] &- UInt8(ascii: "0") < 10 { offset += 1 }
        if offset > start { return true }
        guard offset < bytes.count else {
            if isPartial { return false }
            throw early(.digit)
        }
        throw error(.unexpected(bytes[offset], .digit), at: offset)
    }
}

// MARK: - Texts

extension JSONReader {
    /// Reads a text in quotes. The flag is false when a partial document ends inside it; the text then holds its
    /// whole characters.
    mutating func readText() throws(JSONError) -> (String, Bool) {
        offset += 1
        var start = offset
        scratch.removeAll(keepingCapacity: true)
        while offset < bytes.count {
            let byte = bytes[offset]
            switch byte {
            case UInt8(ascii: "\""):
                scratch.append(contentsOf: bytes[start..<offset])
                offset += 1
                return (String(decoding: scratch, as: UTF8.self), true)
            case UInt8(ascii: "\\"):
                scratch.append(contentsOf: bytes[start..<offset])
                guard try readEscape() else { return (String(decoding: scratch, as: UTF8.self), false) }
                start = offset
            case 0..<0x20: throw error(.controlCharacter(byte), at: offset)
            case 0x20..<0x80: offset += 1
            default:
                guard let length = try characterLength() else {
                    scratch.append(contentsOf: bytes[start..<offset])
                    return (String(decoding: scratch, as: UTF8.self), false)
                }
                offset += length
            }
        }
        if !isPartial { throw early(.quote) }
        scratch.append(contentsOf: bytes[start..<offset])
        return (String(decoding: scratch, as: UTF8.self), false)
    }

    /// Bytes of the UTF-8 character at the offset (Unicode 16, table 3-7); nil when a partial document ends inside it.
    func characterLength() throws(JSONError) -> Int? {
        let lead = bytes[offset]
        let (length, second): (Int, ClosedRange<UInt8>)
        switch lead {
        case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: (length, second) = (3, 0x80...0xBF)
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: throw error(.invalidUTF8(lead), at: offset)
        }
        for index in 1..<length {
            guard offset + index < bytes.count else {
                if isPartial { return nil }
                throw error(.invalidUTF8(lead), at: offset)
            }
            let byte = bytes[offset + index]
            guard index == 1 ? second.contains(byte) : byte & 0xC0 == 0x80 else {
                throw error(.invalidUTF8(lead), at: offset)
            }
        }
        return length
    }

    /// Appends the character of an escape; false when a partial document ends inside it.
    mutating func readEscape() throws(JSONError) -> Bool {
        guard offset + 1 < bytes.count else {
            if isPartial { return false }
            throw early(.quote)
        }
        switch bytes[offset + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): scratch.append(bytes[offset + 1])
        case UInt8(ascii: "b"): scratch.append(0x08)
        case UInt8(ascii: "f"): scratch.append(0x0C)
        case UInt8(ascii: "n"): scratch.append(0x0A)
        case UInt8(ascii: "r"): scratch.append(0x0D)
        case UInt8(ascii: "t"): scratch.append(0x09)
        case UInt8(ascii: "u"): return try readUnicodeEscape()
        default: throw error(.unknownEscape(bytes[offset + 1]), at: offset)
        }
        offset += 2
        return true
    }

    mutating func readUnicodeEscape() throws(JSONError) -> Bool {
        guard let first = try unit(at: offset) else { return false }
        var code = UInt32(first)
        var length = 6
        if first & 0xFC00 == 0xD800 {
            if isPartial, offset + 6 == bytes.count || (offset + 7 == bytes.count && bytes[offset + 6] == 0x5C) {
                return false
            }
            guard offset + 7 < bytes.count, bytes[offset + 6] == 0x5C, bytes[offset + 7] == UInt8(ascii: "u") else {
                throw error(.loneSurrogate(first), at: offset)
            }
            guard let second = try unit(at: offset + 6) else { return false }
            guard second & 0xFC00 == 0xDC00 else { throw error(.loneSurrogate(first), at: offset) }
            code = 0x10000 + (UInt32(first & 0x3FF) << 10 | UInt32(second & 0x3FF))
            length = 12
        }
        guard let scalar = Unicode.Scalar(code) else { throw error(.loneSurrogate(first), at: offset) }
        scratch.append(contentsOf: UTF8.encode(scalar)!)
        offset += length
        return true
    }

    /// The four digits of the `\u` at `start`; nil when a partial document ends inside them.
    func unit(at start: Int) throws(JSONError) -> UInt16? {
        var unit: UInt16 = 0
        for index in start + 2..<start + 6 {
            guard index < bytes.count else {
                if isPartial { return nil }
                throw error(.badUnicodeEscape, at: start)
            }
            let digit: UInt8
            switch bytes[index] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = bytes[index] - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = bytes[index] - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = bytes[index] - UInt8(ascii: "A") + 10
            default: throw error(.badUnicodeEscape, at: start)
            }
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }
}
