/// Reading and rounding numbers as Python does.
enum NumberFilters {
    /// Jinja's `int`: nil where it falls back to its default.
    static func integer(_ value: Value, base: Int) throws(TemplateError) -> Value? {
        switch value {
        case .text(let text):
            if let number = integer(text, base: base) { return .integer(number) }
            return float(text).flatMap { Int(exactly: $0.rounded(.towardZero)) }.map(Value.integer)
        case .float(let number): return Int(exactly: number.rounded(.towardZero)).map(Value.integer)
        default: return value.integer.map(Value.integer)
        }
    }

    /// Jinja's `float`: nil where it falls back to its default.
    static func float(_ value: Value) -> Value? {
        if case .text(let text) = value { return float(text).map(Value.float) }
        return value.double.map(Value.float)
    }

    /// Python's `int(text, base)`: white space around, a sign, single `_` between digits, a prefix that fits the base.
    static func integer(_ text: Text, base: Int) -> Int? {
        var digits = Array(text.stripped().bytes)
        var isNegative = false
        if let sign = digits.first, sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") {
            isNegative = sign == UInt8(ascii: "-")
            digits.removeFirst()
        }
        var base = base
        if digits.count > 2, digits[0] == UInt8(ascii: "0") {
            let prefixed: Int? =
                switch digits[1] | 0x20 {
                case UInt8(ascii: "x"): 16
                case UInt8(ascii: "o"): 8
                case UInt8(ascii: "b"): 2
                default: nil
                }
            if let prefixed, base == prefixed || base == 0 {
                digits.removeFirst(2)
                base = prefixed
            }
        }
        if base == 0 { base = 10 }
        guard (2...36).contains(base), let plain = withoutUnderscores(digits), plain.first != UInt8(ascii: "-"),
            plain.first != UInt8(ascii: "+")
        else { return nil }
        return Int((isNegative ? "-" : "") + plain.map { String(Unicode.Scalar($0)) }.joined(), radix: base)
    }

    /// Python's `float(text)`.
    static func float(_ text: Text) -> Double? {
        guard let plain = withoutUnderscores(text.stripped().bytes), plain.allSatisfy({ $0 < 0x80 }) else { return nil }
        let word = String(decoding: plain, as: UTF8.self)
        switch word.lowercased() {
        case "inf", "+inf", "infinity", "+infinity": return .infinity
        case "-inf", "-infinity": return -.infinity
        case "nan", "+nan", "-nan": return .nan
        default:
            // Swift also reads hexadecimal floats; Python does not.
            return plain.contains { $0 | 0x20 == UInt8(ascii: "x") || $0 | 0x20 == UInt8(ascii: "n") }
                ? nil : Double(word)
        }
    }

    /// Nil where `_` does not stand between two digits.
    private static func withoutUnderscores(_ digits: [UInt8]) -> [UInt8]? {
        guard let first = digits.first, first != 0x5F, digits.last != 0x5F else { return nil }
        for (a, b) in zip(digits, digits.dropFirst()) where a == 0x5F && b == 0x5F { return nil }
        return digits.filter { $0 != 0x5F }
    }

    /// Jinja's `round`: halves go to the even neighbour, as in Python. Nil for an unknown method.
    static func rounded(_ value: Value, _ precision: Int, _ method: String) -> Value? {
        guard let number = value.double else { return nil }
        // A double has no digits beyond these.
        let precision = max(-330, min(precision, 330))
        switch method {
        case "common":
            if let whole = value.integer, precision >= 0 { return .integer(whole) }
            guard number.isFinite else { return .float(number) }
            if precision >= 0 {
                // The decimal text is rounded from the exact value.
                let text = PlatformNumbers.text(of: number, "f", precision: precision)
                return Double(text).map(Value.float)
            }
            guard let scale = PlatformNumbers.power(10, Double(-precision)), scale.isFinite else { return .float(0) }
            let result = (number / scale).rounded(.toNearestOrEven) * scale
            return value.integer == nil ? .float(result) : Int(exactly: result).map(Value.integer) ?? .float(result)
        case "ceil", "floor":
            guard let scale = PlatformNumbers.power(10, Double(precision)), scale > 0, scale.isFinite else {
                return value
            }
            let scaled = number * scale
            return .float((method == "ceil" ? scaled.rounded(.up) : scaled.rounded(.down)) / scale)
        default: return nil
        }
    }
}
