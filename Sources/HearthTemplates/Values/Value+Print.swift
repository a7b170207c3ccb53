import HearthJSON

/// Python's `str` and `repr`.
extension Value {
    /// What is printed for a value.
    var printed: Text {
        switch self {
        case .undefined: return .empty
        case .text(let text):
            var plain = text
            plain.isMarkup = false
            return plain
        case .none: return Text("None")
        case .bool(let flag): return Text(flag ? "True" : "False")
        case .integer(let value): return Text(String(value))
        case .float(let value): return Text(Self.repr(value))
        default:
            var out = Text([], .template)
            writeRepr(to: &out)
            return out
        }
    }

    /// Python's `repr`.
    var repr: Text {
        var out = Text([], .template)
        writeRepr(to: &out)
        return out
    }

    static func repr(_ value: Double) -> String {
        value.isFinite ? JSON.text(of: value) : value.isNaN ? "nan" : value < 0 ? "-inf" : "inf"
    }

    private func writeRepr(to out: inout Text, isInner: Bool = false) {
        switch self {
        case .undefined: out.append("Undefined", .template)
        case .text(let text): Self.writeRepr(of: text, to: &out)
        case .list(let list): Self.writeRepr(of: list, to: &out)
        case .range(let range):
            out.append(
                "range(\(range.start), \(range.stop)" + (range.step == 1 ? ")" : ", \(range.step))"), .template)
        case .mapping(let mapping):
            out.append("{", .template)
            for index in 0..<mapping.count {
                if index > 0 { out.append(", ", .template) }
                mapping.keys[index].writeRepr(to: &out, isInner: true)
                out.append(": ", .template)
                mapping.values[index].writeRepr(to: &out, isInner: true)
            }
            out.append("}", .template)
        // A namespace may hold itself: one inside another value is named only.
        case .namespace where isInner: out.append("<Namespace>", .template)
        case .namespace(let namespace):
            out.append("<Namespace {", .template)
            for (index, name) in namespace.names.enumerated() {
                if index > 0 { out.append(", ", .template) }
                Self.writeRepr(of: Text(name), to: &out)
                out.append(": ", .template)
                namespace.values[index].writeRepr(to: &out, isInner: true)
            }
            out.append("}>", .template)
        // Python prints the address of these; nothing useful can be done with it.
        case .generator: out.append("<generator>", .template)
        case .function: out.append("<function>", .template)
        case .loop(let loop): out.append("<LoopContext \(loop.index0 + 1)>", .template)
        default: out.append(printed)
        }
    }

    private static func writeRepr(of list: ValueList, to out: inout Text) {
        let (opening, closing) =
            switch list.kind {
            case .list: ("[", "]")
            case .tuple: ("(", list.items.count == 1 ? ",)" : ")")
            case .keys: ("dict_keys([", "])")
            case .values: ("dict_values([", "])")
            case .items: ("dict_items([", "])")
            }
        out.append(opening, .template)
        for (index, item) in list.items.enumerated() {
            if index > 0 { out.append(", ", .template) }
            item.writeRepr(to: &out, isInner: true)
        }
        out.append(closing, .template)
    }

    private static func writeRepr(of text: Text, to out: inout Text) {
        let quote: Unicode.Scalar = text.bytes.contains(0x27) && !text.bytes.contains(0x22) ? "\"" : "'"
        out.append((text.isMarkup ? "Markup(" : "") + String(Character(quote)), .template)
        let body = text.mapped { scalar, bytes in
            switch scalar {
            case quote, "\\":
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(contentsOf: UTF8.encode(scalar)!)
            case "\n": bytes.append(contentsOf: "\\n".utf8)
            case "\r": bytes.append(contentsOf: "\\r".utf8)
            case "\t": bytes.append(contentsOf: "\\t".utf8)
            case " "..."~": bytes.append(UInt8(scalar.value))
            default:
                if isPrintable(scalar) {
                    bytes.append(contentsOf: UTF8.encode(scalar)!)
                } else {
                    let digits = String(scalar.value, radix: 16)
                    let (mark, width) =
                        scalar.value < 0x100 ? ("\\x", 2) : scalar.value < 0x10000 ? ("\\u", 4) : ("\\U", 8)
                    bytes.append(contentsOf: mark.utf8)
                    bytes.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: width - digits.utf8.count))
                    bytes.append(contentsOf: digits.utf8)
                }
            }
        }
        var plain = body
        plain.isMarkup = false
        out.append(plain)
        out.append(String(Character(quote)) + (text.isMarkup ? ")" : ""), .template)
    }

    /// Python's `str.isprintable` for one character.
    static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        case .spaceSeparator: scalar == " "
        default: true
        }
    }
}
