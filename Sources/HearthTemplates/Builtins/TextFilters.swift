/// Filters and methods of texts that need more than a line.
enum TextFilters {
    enum Alignment { case left, right, center }

    /// Python's `ljust`, `rjust` and `center`, to a width in characters.
    static func padded(_ text: Text, to width: Int, _ alignment: Alignment, with fill: Text = Text(" ")) -> Text {
        let missing = max(0, width) - text.length
        guard missing > 0 else { return text }
        let left: Int =
            switch alignment {
            case .left: 0
            case .right: missing
            // Python puts the odd one to the left where the width is odd.
            case .center: missing / 2 + (missing & width & 1)
            }
        var result = fill.repeated(left)
        result.isMarkup = text.isMarkup
        result.append(text)
        result.append(fill.repeated(missing - left))
        return result
    }

    /// What Jinja's `indent` sees: the lines of the text with a newline added at its end.
    static func linesForIndent(_ text: Text) -> [Text] {
        var ended = text
        ended.append("\n", .template)
        return ended.lines()
    }

    /// Runs of Python's `\w`: letters, digits, and `_`.
    static func wordCount(_ text: Text) -> Int {
        var count = 0
        var isInside = false
        for scalar in text.scalars {
            let isWord = scalar == "_" || isAlphanumeric(scalar)
            if isWord, !isInside { count += 1 }
            isInside = isWord
        }
        return count
    }

    /// Python's `isalpha` for one character.
    static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: true
        default: false
        }
    }

    /// Python's `isalnum` for one character.
    static func isAlphanumeric(_ scalar: Unicode.Scalar) -> Bool {
        isLetter(scalar) || scalar.properties.numericType != nil
    }

    /// Python's `urllib.parse.quote`: `/` stays in a path; in a query a space is `+`.
    static func quoted(_ text: Text, isQuery: Bool) -> Text {
        text.mapped { scalar, out in
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "_", ".", "-", "~": out.append(UInt8(scalar.value))
            case "/" where !isQuery: out.append(UInt8(ascii: "/"))
            case " " where isQuery: out.append(UInt8(ascii: "+"))
            default:
                for byte in UTF8.encode(scalar)! {
                    let digits = String(byte, radix: 16, uppercase: true)
                    out.append(contentsOf: ("%" + (digits.utf8.count < 2 ? "0" : "") + digits).utf8)
                }
            }
        }
    }

    /// Jinja's `striptags`: comments and tags go, white space becomes single spaces, entities of `escape` are read back.
    static func withoutTags(_ text: Text) -> Text {
        var kept = text
        for (opening, closing) in [(Text("<!--"), Text("-->")), (Text("<"), Text(">"))] {
            var result = Text([], .template)
            var start = 0
            while let begin = kept.find(opening, from: start), let end = kept.find(closing, from: begin) {
                result.append(kept[start..<begin])
                start = end + closing.count
            }
            result.append(kept[start..<kept.count])
            kept = result
        }
        kept = Text.joined(kept.split(nil, limit: -1), by: Text(" "))
        for (entity, character) in [
            ("&lt;", "<"), ("&gt;", ">"), ("&#39;", "'"), ("&#34;", "\""), ("&quot;", "\""), ("&amp;", "&"),
        ] {
            kept = kept.replacing(Text(entity), with: Text(character, kept.cautiousOrigin), limit: -1)
        }
        return kept
    }
}
