/// Letters, as Python's `str` treats them.
extension Text {
    var uppercased: Text { mapped { $1.append(contentsOf: $0.properties.uppercaseMapping.utf8) } }

    var lowercased: Text {
        // A capital sigma at the end of a word has its own small form (Unicode 3.13); rare enough to look for it first.
        guard bytes.contains(0xCE), scalars.contains("\u{3A3}") else {
            return mapped { $1.append(contentsOf: $0.properties.lowercaseMapping.utf8) }
        }
        let all = scalars
        var index = 0
        return mapped { scalar, out in
            if scalar == "\u{3A3}" {
                out.append(contentsOf: (Self.isFinalSigma(all, index) ? "\u{3C2}" : "\u{3C3}").utf8)
            } else {
                out.append(contentsOf: scalar.properties.lowercaseMapping.utf8)
            }
            index += 1
        }
    }

    private static func isFinalSigma(_ scalars: [Unicode.Scalar], _ index: Int) -> Bool {
        let before = scalars[..<index].last { !$0.properties.isCaseIgnorable }
        let after = scalars[(index + 1)...].first { !$0.properties.isCaseIgnorable }
        return before?.properties.isCased == true && after?.properties.isCased != true
    }

    /// Jinja's `capitalize`: the first character large, the rest small.
    var capitalized: Text {
        let first = boundaries.dropFirst().first ?? 0
        var result = self[0..<first].mapped { $1.append(contentsOf: $0.properties.titlecaseMapping.utf8) }
        result.append(self[first..<count].lowercased)
        return result
    }

    /// Python's `str.title`: a large letter after every character that has no case.
    var titlecased: Text {
        var insideWord = false
        return mapped { scalar, out in
            let properties = scalar.properties
            out.append(contentsOf: (insideWord ? properties.lowercaseMapping : properties.titlecaseMapping).utf8)
            insideWord = properties.isCased
        }
    }

    /// Jinja's `title` filter: words begin after white space, `-`, `(`, `{`, `[` and `<`.
    var jinjaTitle: Text {
        var isStart = true
        return mapped { scalar, out in
            let isBreak = Self.isSpace(scalar) || "-({[<".unicodeScalars.contains(scalar)
            let properties = scalar.properties
            out.append(contentsOf: (isStart ? properties.uppercaseMapping : properties.lowercaseMapping).utf8)
            isStart = isBreak
        }
    }

    var swappedCase: Text {
        mapped {
            let properties = $0.properties
            $1.append(
                contentsOf: (properties.isUppercase ? properties.lowercaseMapping : properties.uppercaseMapping).utf8)
        }
    }

    /// Python's `isupper` and `islower`: at least one cased character, and none of the other case.
    func isAll(upper: Bool) -> Bool {
        var seen = false
        for scalar in scalars {
            let properties = scalar.properties
            if upper ? properties.isLowercase : properties.isUppercase { return false }
            if properties.generalCategory == .titlecaseLetter { return false }
            if upper ? properties.isUppercase : properties.isLowercase { seen = true }
        }
        return seen
    }

    /// HTML's special characters as entities (Jinja's `escape`).
    var escaped: Text {
        if isMarkup { return self }
        var result = mapped { scalar, out in
            switch scalar {
            case "&": out.append(contentsOf: "&amp;".utf8)
            case "<": out.append(contentsOf: "&lt;".utf8)
            case ">": out.append(contentsOf: "&gt;".utf8)
            case "'": out.append(contentsOf: "&#39;".utf8)
            case "\"": out.append(contentsOf: "&#34;".utf8)
            default: out.append(contentsOf: UTF8.encode(scalar)!)
            }
        }
        result.isMarkup = true
        return result
    }
}
