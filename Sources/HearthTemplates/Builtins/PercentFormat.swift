/// Python's `text % values`.
enum PercentFormat {
    /// - Parameter values: a tuple for several, a mapping for `%(name)s`, else the one value.
    static func format(_ format: Text, with values: Value, _ renderer: Renderer) throws(TemplateError) -> Text {
        var items: [Value] = [values]
        if case .list(let list) = values, list.kind == .tuple { items = list.items }
        var used = 0
        var result = Text([], .template)
        result.isMarkup = format.isMarkup
        var offset = 0

        func next() throws(TemplateError) -> Value {
            guard used < items.count else {
                throw renderer.fail(.badFormat("asks for more values than the \(items.count) given"))
            }
            used += 1
            return items[used - 1]
        }
        func byte() throws(TemplateError) -> UInt8 {
            guard offset < format.count else { throw renderer.fail(.badFormat("ends after `%`")) }
            return format.bytes[offset]
        }
        func number() throws(TemplateError) -> Int? {
            if try byte() == UInt8(ascii: "*") {
                offset += 1
                guard let value = try next().integer, value.magnitude <= FormatSpec.most else {
                    throw renderer.fail(.badFormat("needs a small integer for `*`"))
                }
                return value
            }
            var value: Int?
            while try (0x30...0x39).contains(byte()) {
                value = (value ?? 0) * 10 + Int(try byte() - 0x30)
                if value! > FormatSpec.most {
                    throw renderer.fail(.badFormat("asks for more than \(FormatSpec.most) characters"))
                }
                offset += 1
            }
            return value
        }

        while let percent = format.find(Text("%"), from: offset) {
            result.append(format[offset..<percent])
            offset = percent + 1
            if try byte() == UInt8(ascii: "%") {
                result.append("%", .template)
                offset += 1
                continue
            }
            var named: Value?
            if try byte() == UInt8(ascii: "(") {
                guard let end = format.find(Text(")"), from: offset), case .mapping(let mapping) = values else {
                    throw renderer.fail(.badFormat("names a value, and needs a mapping"))
                }
                let name = format[offset + 1..<end]
                guard let value = mapping[.text(name.bytes)] else {
                    throw renderer.fail(.badFormat("names `\(name.string)`, which is not given"))
                }
                named = value
                offset = end + 1
            }
            var spec = FormatSpec()
            while let flag = "-+ #0".utf8.first(where: { $0 == format.bytes[min(offset, format.count - 1)] }),
                offset < format.count
            {
                switch flag {
                case UInt8(ascii: "-"): (spec.align, spec.fill) = ("<", Text(" "))
                case UInt8(ascii: "+"): spec.sign = "+"
                case UInt8(ascii: " "): if spec.sign == "-" { spec.sign = " " }
                case UInt8(ascii: "#"): spec.isAlternate = true
                default: if spec.align == nil { (spec.align, spec.fill) = ("=", Text("0")) }
                }
                offset += 1
            }
            if let width = try number() {
                spec.width = Int(width.magnitude)
                if width < 0 { spec.align = "<" }
            }
            if try byte() == UInt8(ascii: ".") {
                offset += 1
                spec.precision = try number() ?? 0
            }
            let conversion = Unicode.Scalar(try byte())
            offset += 1
            let value = if let named { named } else { try next() }
            result.append(try convert(value, conversion, spec, format.isMarkup, renderer))
        }
        result.append(format[offset..<format.count])
        if used < items.count, !mayBeUnused(values) {
            throw renderer.fail(.badFormat("asks for fewer values than the \(items.count) given"))
        }
        return result
    }

    /// Python counts only the values of a tuple, and one that is no container.
    private static func mayBeUnused(_ value: Value) -> Bool {
        switch value {
        case .mapping, .range: true
        case .list(let list): list.kind == .list
        default: false
        }
    }

    private static func convert(
        _ value: Value, _ conversion: Unicode.Scalar, _ start: FormatSpec, _ isMarkup: Bool, _ renderer: Renderer
    ) throws(TemplateError) -> Text {
        var spec = start
        switch conversion {
        case "s", "r", "a":
            var text = conversion == "s" ? value.printed : value.repr
            if isMarkup, conversion == "s" { text = text.escaped }
            if let precision = spec.precision {
                let bounds = text.boundaries
                text = text[0..<bounds[max(0, min(precision, bounds.count - 1))]]
            }
            if spec.align == "=" { (spec.align, spec.fill) = (">", Text(" ")) }
            if spec.align == nil { spec.align = ">" }
            return spec.padded(text)
        case "d", "i", "u", "x", "X", "o":
            var number = value.integer
            if case .float(let float) = value, "diu".unicodeScalars.contains(conversion) {
                number = Int(exactly: float.rounded(.towardZero))
            }
            guard let number else { break }
            spec.type = "diu".unicodeScalars.contains(conversion) ? "d" : conversion
            if let precision = spec.precision {
                // Python fills with zeros to the precision.
                var digits = spec
                (digits.width, digits.fill, digits.align) = (precision + (number < 0 ? 1 : 0), Text("0"), "=")
                guard let text = digits.format(.integer(number)) else { break }
                return spec.padded(text, isNumber: true)
            }
            if let text = spec.format(.integer(number)) { return text }
        case "e", "E", "f", "F", "g", "G":
            guard let number = value.double else { break }
            spec.type = conversion
            if let text = spec.format(.float(number)) { return text }
        case "c":
            if case .text(let text) = value, text.length == 1 { return spec.padded(text) }
            if let number = value.integer, let code = UInt32(exactly: number), let scalar = Unicode.Scalar(code) {
                return spec.padded(Text(String(Character(scalar))))
            }
        default: throw renderer.fail(.badFormat("has `%\(conversion)`, which is no conversion"))
        }
        throw renderer.fail(.badFormat("cannot write \(value.kind) as `%\(conversion)`"))
    }
}
