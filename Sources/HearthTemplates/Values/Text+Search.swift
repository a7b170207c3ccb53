/// What Python's `str` does with places in a text. All linear.
extension Text {
    /// Python's `str.isspace` for one character, which is also `\s` of its regular expressions.
    static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09...0x0D, 0x1C...0x20, 0x85, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000: true
        default: false
        }
    }

    /// Python's `strip`: characters of a set, or white space.
    func stripped(_ set: Text? = nil, start: Bool = true, end: Bool = true) -> Text {
        let wanted = set.map { Set($0.scalars) }
        func isStripped(_ scalar: Unicode.Scalar) -> Bool { wanted?.contains(scalar) ?? Self.isSpace(scalar) }
        var low = 0
        var high = bytes.count
        while start, low < high {
            let (scalar, length) = Self.scalar(in: bytes, at: low)
            guard isStripped(scalar) else { break }
            low += length
        }
        while end, high > low {
            var last = high - 1
            while last > low, bytes[last] & 0xC0 == 0x80 { last -= 1 }
            guard isStripped(Self.scalar(in: bytes, at: last).0) else { break }
            high = last
        }
        return self[low..<high]
    }

    /// First place at or after `start` where `needle` stands.
    func find(_ needle: Text, from start: Int = 0) -> Int? {
        let n = needle.bytes
        guard let first = n.first else { return start <= count ? start : nil }
        guard count - start >= n.count else { return nil }
        var offset = start
        while offset <= count - n.count {
            if bytes[offset] == first, bytes[offset..<offset + n.count].elementsEqual(n) { return offset }
            offset += 1
        }
        return nil
    }

    /// Last place before `end` where `needle` stands whole.
    func findLast(_ needle: Text, before end: Int) -> Int? {
        var offset = end - needle.count
        while offset >= 0 {
            if bytes[offset..<offset + needle.count].elementsEqual(needle.bytes) { return offset }
            offset -= 1
        }
        return nil
    }

    func contains(_ needle: Text) -> Bool { find(needle) != nil }
    func hasPrefix(_ prefix: Text) -> Bool { bytes.starts(with: prefix.bytes) }
    func hasSuffix(_ suffix: Text) -> Bool {
        count >= suffix.count && bytes[(count - suffix.count)...].elementsEqual(suffix.bytes)
    }

    func occurrences(of needle: Text) -> Int {
        if needle.isEmpty { return length + 1 }
        var found = 0
        var start = 0
        while let place = find(needle, from: start) {
            found += 1
            start = place + needle.count
        }
        return found
    }

    func replacing(_ old: Text, with new: Text, limit: Int) -> Text {
        var result = Text([], .template)
        result.isMarkup = isMarkup
        var left = limit < 0 ? Int.max : limit
        if old.isEmpty {
            let bounds = boundaries
            for (index, start) in bounds.enumerated() {
                if left > 0 {
                    result.append(new)
                    left -= 1
                }
                if index + 1 < bounds.count { result.append(self[start..<bounds[index + 1]]) }
            }
            return result
        }
        var start = 0
        while left > 0, let place = find(old, from: start) {
            result.append(self[start..<place])
            result.append(new)
            start = place + old.count
            left -= 1
        }
        if start == 0 { return self }
        result.append(self[start..<count])
        return result
    }

    /// Python's `split` (from the left) and `rsplit`.
    func split(_ separator: Text?, limit: Int, fromRight: Bool = false) -> [Text] {
        let limit = limit < 0 ? Int.max : limit
        guard let separator else { return splitAtSpace(limit, fromRight) }
        var parts: [Text] = []
        if fromRight {
            var end = count
            while parts.count < limit, let place = findLast(separator, before: end) {
                parts.append(self[place + separator.count..<end])
                end = place
            }
            parts.append(self[0..<end])
            return parts.reversed()
        }
        var start = 0
        while parts.count < limit, let place = find(separator, from: start) {
            parts.append(self[start..<place])
            start = place + separator.count
        }
        parts.append(self[start..<count])
        return parts
    }

    private func splitAtSpace(_ limit: Int, _ fromRight: Bool) -> [Text] {
        var words: [Range<Int>] = []
        var start: Int?
        var offset = 0
        while offset < count {
            let (scalar, length) = Self.scalar(in: bytes, at: offset)
            if Self.isSpace(scalar) {
                if let begin = start { words.append(begin..<offset) }
                start = nil
            } else if start == nil {
                start = offset
            }
            offset += length
        }
        if let begin = start { words.append(begin..<count) }
        guard words.count > limit else { return words.map { self[$0] } }
        if fromRight {
            let kept = words.suffix(limit)
            let rest = limit == 0 ? words.last!.upperBound : words[words.count - limit - 1].upperBound
            return [self[0..<rest].stripped(end: false)] + kept.map { self[$0] }
        }
        return words.prefix(limit).map { self[$0] } + [self[words[limit].lowerBound..<count].stripped(start: false)]
    }

    /// Python's `splitlines`.
    func lines(keepingEnds: Bool = false) -> [Text] {
        var lines: [Text] = []
        var start = 0
        var offset = 0
        while offset < count {
            let (scalar, length) = Self.scalar(in: bytes, at: offset)
            var next = offset + length
            switch scalar.value {
            case 0x0A...0x0D, 0x1C...0x1E, 0x85, 0x2028, 0x2029:
                if scalar.value == 0x0D, next < count, bytes[next] == 0x0A { next += 1 }
                lines.append(self[start..<(keepingEnds ? next : offset)])
                start = next
            default: break
            }
            offset = next
        }
        if start < count { lines.append(self[start..<count]) }
        return lines
    }

    func repeated(_ times: Int) -> Text {
        var result = Text([], .template)
        result.isMarkup = isMarkup
        // By doubling: appending a million times costs more than the bytes do.
        var (left, unit) = (max(0, times), self)
        while left > 0 {
            if left & 1 == 1 { result.append(unit) }
            left >>= 1
            if left > 0 { unit.append(unit) }
        }
        return result
    }

    static func joined(_ parts: [Text], by separator: Text) -> Text {
        var result = Text([], .template)
        for (index, part) in parts.enumerated() {
            if index > 0 { result.append(separator) }
            result.append(part)
        }
        return result
    }
}
