/// What a tokenizer does to a text before it is cut into words, step after step.
package struct TextNormalizer: Sendable {
    enum Step: Sendable {
        case form(NormalForm)
        /// Each scalar by itself, as Unicode maps it without regard to language.
        case lowercase
        /// Marks go; composed letters stay unless they were decomposed before.
        case stripAccents
        /// Each occurrence of the first text becomes the second, from the left.
        case replace([UInt8], [UInt8])
        /// Each run of two or more spaces becomes the text.
        case collapseSpaces([UInt8])
        /// In front of a text that is not empty.
        case prepend([UInt8])
        /// A space in front of a text that begins with something else.
        case beginWithSpace
        /// White space at the ends goes.
        case strip(left: Bool, right: Bool)
        /// White space becomes one space between two words, and none at the ends.
        case joinWords
        /// SentencePiece's compiled rules.
        case map(CharactersMap)
    }

    let steps: [Step]
    private static let key = "tokenizer.hearth.normalizers"

    /// - Parameter spelled: the names of the steps in order, each with its texts behind it.
    /// - Parameter map: SentencePiece's rules, for the step `map`.
    package init(_ spelled: [[UInt8]], map: [UInt8] = []) throws(TokenizerError) {
        var steps: [Step] = []
        var place = 0
        while place < spelled.count {
            let name = String(decoding: spelled[place], as: UTF8.self)
            place += 1
            func text(_ offset: Int) throws(TokenizerError) -> [UInt8] {
                guard place + offset < spelled.count else {
                    throw .unusable(
                        key: Self.key, value: "`\(name)` at its end", expected: "the step's texts follow it")
                }
                return spelled[place + offset]
            }
            switch name {
            case "lowercase": steps.append(.lowercase)
            case "strip_accents": steps.append(.stripAccents)
            case "begin_with_space": steps.append(.beginWithSpace)
            case "strip_left": steps.append(.strip(left: true, right: false))
            case "strip_right": steps.append(.strip(left: false, right: true))
            case "strip": steps.append(.strip(left: true, right: true))
            case "join_words": steps.append(.joinWords)
            case "map": steps.append(.map(try CharactersMap(map)))
            case "prepend":
                steps.append(.prepend(try text(0)))
                place += 1
            case "collapse_spaces":
                steps.append(.collapseSpaces(try text(0)))
                place += 1
            case "replace":
                let (old, new) = (try text(0), try text(1))
                guard !old.isEmpty else {
                    throw .unusable(key: Self.key, value: "`replace` of an empty text", expected: "a text to look for")
                }
                steps.append(.replace(old, new))
                place += 2
            default:
                guard let form = NormalForm(rawValue: name) else {
                    throw .unusable(key: Self.key, value: "`\(name)`", expected: "known are \(Self.known)")
                }
                steps.append(.form(form))
            }
        }
        self.steps = steps
    }

    private static let known =
        (NormalForm.allCases.map(\.rawValue) + [
            "lowercase", "strip_accents", "begin_with_space", "strip_left", "strip_right", "strip", "join_words", "map",
            "prepend",
            "collapse_spaces", "replace",
        ]).map { "`\($0)`" }.joined(separator: ", ")

    var isEmpty: Bool { steps.isEmpty }

    package func apply(to text: [UInt8]) throws(TokenizerError) -> [UInt8] {
        var text = text
        for step in steps {
            switch step {
            case .form(let form): text = form.apply(to: text)
            case .lowercase: text = Self.mapped(text, Self.lowercase)
            case .stripAccents:
                text = Self.mapped(text) { scalar, output in
                    if !ScalarClass(of: scalar).contains(.mark) { appendScalar(scalar, to: &output) }
                }
            case .replace(let old, let new): text = Self.replacing(old, by: new, in: text)
            case .collapseSpaces(let new): text = Self.collapsingSpaces(to: new, in: text)
            case .prepend(let start): if !text.isEmpty { text = start + text }
            case .beginWithSpace: if !text.isEmpty, text[0] != 0x20 { text = [0x20] + text }
            case .strip(let left, let right): text = Self.stripping(text, left: left, right: right)
            case .joinWords: text = Self.joiningWords(text)
            case .map(let map): text = try Self.mapping(text, map)
            }
        }
        return text
    }

    private static func mapped(_ text: [UInt8], _ body: (UInt32, inout [UInt8]) -> Void) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(text.count)
        var place = 0
        while place < text.count {
            let (scalar, length) = decodeScalar(text.span, at: place)
            body(scalar, &output)
            place += length
        }
        return output
    }

    private static func lowercase(_ scalar: UInt32, _ output: inout [UInt8]) {
        guard scalar >= 0x80, let known = Unicode.Scalar(scalar) else {
            return appendScalar((0x41...0x5A).contains(scalar) ? scalar + 0x20 : scalar, to: &output)
        }
        output.append(contentsOf: known.properties.lowercaseMapping.utf8)
    }

    private static func replacing(_ old: [UInt8], by new: [UInt8], in text: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(text.count)
        var place = 0
        while place < text.count {
            if text[place] == old[0], text.count - place >= old.count,
                text[place..<place + old.count].elementsEqual(old)
            {
                output.append(contentsOf: new)
                place += old.count
            } else {
                output.append(text[place])
                place += 1
            }
        }
        return output
    }

    private static func collapsingSpaces(to new: [UInt8], in text: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(text.count)
        var place = 0
        while place < text.count {
            var end = place
            while end < text.count, text[end] == 0x20 { end += 1 }
            switch end - place {
            case 0, 1:
                output.append(text[place])
                place += 1
            default:
                output.append(contentsOf: new)
                place = end
            }
        }
        return output
    }

    private static func stripping(_ text: [UInt8], left: Bool, right: Bool) -> [UInt8] {
        let classified = ClassifiedText(text.span)
        var (first, last) = (0, classified.count)
        while left, first < last, classified.classes[first].contains(.space) { first += 1 }
        while right, first < last, classified.classes[last - 1].contains(.space) { last -= 1 }
        return Array(text[classified.bytes(first..<last)])
    }

    private static func joiningWords(_ text: [UInt8]) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(text.count)
        var isBetween = false
        var place = 0
        while place < text.count {
            let (scalar, length) = decodeScalar(text.span, at: place)
            if ScalarClass(of: scalar).contains(.space) {
                isBetween = true
            } else {
                if isBetween, !output.isEmpty { output.append(0x20) }
                isBetween = false
                output.append(contentsOf: text[place..<place + length])
            }
            place += length
        }
        return output
    }

    private static func mapping(_ text: [UInt8], _ map: CharactersMap) throws(TokenizerError) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(text.count)
        var place = 0
        while place < text.count {
            if let length = try map.replace(text.span, at: place, into: &output) {
                place += length
                continue
            }
            let length = decodeScalar(text.span, at: place).length
            output.append(contentsOf: text[place..<place + length])
            place += length
        }
        return output
    }
}
