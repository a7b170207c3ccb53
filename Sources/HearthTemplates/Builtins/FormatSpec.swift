/// Python's format specification: `[[fill]align][sign][#][0][width][,|_][.precision][type]`.
struct FormatSpec {
    var fill = Text(" ")
    var align: Unicode.Scalar?
    var sign: Unicode.Scalar = "-"
    var isAlternate = false
    var width = 0
    var grouping: Unicode.Scalar?
    var precision: Int?
    var type: Unicode.Scalar?

    /// Longest padding and most digits: far more than a prompt needs, and small enough to make at once.
    static let most = 10_000

    init() {}

    /// - Returns: nil when the text is no specification.
    init?(_ text: Text) {
        var rest = text.scalars[...]
        func isAlign(_ scalar: Unicode.Scalar?) -> Bool { scalar.map { "<>=^".unicodeScalars.contains($0) } ?? false }
        if rest.count > 1, isAlign(rest[rest.startIndex + 1]) {
            fill = Text(String(Character(rest.removeFirst())), text.cautiousOrigin)
            align = rest.removeFirst()
        } else if isAlign(rest.first) {
            align = rest.removeFirst()
        }
        if let first = rest.first, "+- ".unicodeScalars.contains(first) { sign = rest.removeFirst() }
        if rest.first == "#" {
            isAlternate = true
            rest.removeFirst()
        }
        if rest.first == "0" {
            rest.removeFirst()
            if align == nil { (fill, align) = (Text("0"), "=") }
        }
        guard let width = Self.number(&rest) else { return nil }
        self.width = width ?? 0
        if rest.first == "," || rest.first == "_" { grouping = rest.removeFirst() }
        if rest.first == "." {
            rest.removeFirst()
            guard case .some(.some(let digits)) = Self.number(&rest) else { return nil }
            precision = digits
        }
        if let last = rest.first {
            type = last
            rest.removeFirst()
        }
        if !rest.isEmpty { return nil }
    }

    /// Digits at the front: the inner nil when there are none, the outer one when they are too many.
    private static func number(_ rest: inout ArraySlice<Unicode.Scalar>) -> Int?? {
        var value: Int?
        while let digit = rest.first, ("0"..."9").contains(digit) {
            value = (value ?? 0) * 10 + Int(digit.value - 0x30)
            if value! > most { return nil }
            rest.removeFirst()
        }
        return .some(value)
    }

    /// Pads a text; numbers stand to the right unless asked, and may be filled after their sign.
    func padded(_ text: Text, isNumber: Bool = false) -> Text {
        let missing = width - text.length
        if missing <= 0 { return text }
        switch align ?? (isNumber ? ">" : "<") {
        case "<":
            return TextFilters.padded(text, to: width, .left, with: fill)
        case "^":
            var result = fill.repeated(missing / 2)
            result.append(text)
            result.append(fill.repeated(missing - missing / 2))
            return result
        case "=" where isNumber:
            let signs = text.bytes.prefix { $0 == 0x2B || $0 == 0x2D || $0 == 0x20 }.count
            var result = text[0..<signs]
            result.append(fill.repeated(missing))
            result.append(text[signs..<text.count])
            return result
        default: return TextFilters.padded(text, to: width, .right, with: fill)
        }
    }

    /// - Returns: nil when the value has no such form.
    func format(_ value: Value) -> Text? {
        switch value {
        case .text(let text):
            guard type == nil || type == "s", grouping == nil else { return nil }
            let bounds = text.boundaries
            let cut = precision.map { min($0, bounds.count - 1) } ?? bounds.count - 1
            return padded(text[0..<bounds[cut]])
        case .bool where type == nil: return padded(value.printed)
        case .bool, .integer:
            let number = value.integer ?? 0
            switch type ?? "d" {
            case "d", "n", "x", "X", "o", "b": return padded(integer(number), isNumber: true)
            case "c":
                return UInt32(exactly: number).flatMap(Unicode.Scalar.init).map { padded(Text(String(Character($0)))) }
            default: return float(Double(number)).map { padded($0, isNumber: true) }
            }
        case .float(let number): return float(number).map { padded($0, isNumber: true) }
        default:
            return type == nil && width == 0 ? value.printed : nil
        }
    }

    private func signed(_ digits: String, isNegative: Bool) -> String {
        (isNegative ? "-" : sign == "-" ? "" : String(Character(sign))) + digits
    }

    private func grouped(_ digits: String, every size: Int = 3) -> String {
        guard let grouping else { return digits }
        var result: [UInt8] = []
        for (index, digit) in digits.utf8.enumerated() {
            if index > 0, (digits.utf8.count - index) % size == 0 { result.append(UInt8(grouping.value)) }
            result.append(digit)
        }
        return String(decoding: result, as: UTF8.self)
    }

    private func integer(_ number: Int) -> Text {
        let magnitude = number.magnitude
        let text: String
        switch type {
        case "x", "X":
            text =
                (isAlternate ? type == "x" ? "0x" : "0X" : "")
                + grouped(String(magnitude, radix: 16, uppercase: type == "X"), every: 4)
        case "o": text = (isAlternate ? "0o" : "") + grouped(String(magnitude, radix: 8), every: 4)
        case "b": text = (isAlternate ? "0b" : "") + grouped(String(magnitude, radix: 2), every: 4)
        default: text = grouped(String(magnitude))
        }
        return Text(signed(text, isNegative: number < 0))
    }

    private func float(_ number: Double) -> Text? {
        let magnitude = number.magnitude
        var digits: String
        switch type {
        case "f", "F":
            digits = PlatformNumbers.text(of: magnitude, "f", precision: precision ?? 6, alternate: isAlternate)
        case "e", "E":
            digits = PlatformNumbers.text(of: magnitude, "e", precision: precision ?? 6, alternate: isAlternate)
        case "g", "G", "n":
            digits = PlatformNumbers.text(of: magnitude, "g", precision: precision ?? 6, alternate: isAlternate)
        case "%": digits = PlatformNumbers.text(of: magnitude * 100, "f", precision: precision ?? 6) + "%"
        case nil:
            if let precision {
                digits = PlatformNumbers.text(of: magnitude, "g", precision: max(1, precision))
                if !digits.utf8.contains(where: { $0 == 0x2E || $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "n") }) {
                    digits += ".0"
                }
            } else {
                digits = Value.repr(magnitude)
            }
        default: return nil
        }
        if type == "F" || type == "E" || type == "G" { digits = digits.uppercased() }
        let whole = digits.prefix { $0 != "." && $0 != "e" && $0 != "E" && $0 != "%" }
        if grouping != nil { digits = grouped(String(whole)) + digits.dropFirst(whole.count) }
        return Text(signed(digits, isNegative: number.sign == .minus && !number.isNaN))
    }
}
