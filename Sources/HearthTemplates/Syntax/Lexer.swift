/// Cuts a template into tokens, with the white-space rules that chat templates are written for: `trim_blocks` and
/// `lstrip_blocks` on, one newline at the very end dropped (Jinja 3.1, as transformers sets it up).
///
/// Brackets are counted, so that `}}` inside a mapping or a text does not end an expression.
struct TemplateLexer {
    let bytes: [UInt8]
    var offset = 0
    var tokens: [TemplateToken] = []
    /// The text before the present tag ended with a newline, or nothing stands before it.
    var isLineStart = true
    var brackets: [UInt8] = []
    /// The place of byte `placed`, from which later ones are counted.
    var (line, column, placed) = (1, 1, 0)

    static func tokens(of source: String) throws(TemplateError) -> [TemplateToken] {
        var lexer = TemplateLexer(source)
        try lexer.readAll()
        return lexer.tokens
    }

    init(_ source: String) {
        var clean: [UInt8] = []
        clean.reserveCapacity(source.utf8.count)
        var previous: UInt8 = 0
        for byte in source.utf8 {
            if byte == 0x0D { clean.append(0x0A) } else if byte != 0x0A || previous != 0x0D { clean.append(byte) }
            previous = byte
        }
        if clean.last == 0x0A { clean.removeLast() }
        bytes = clean
    }

    mutating func place(_ at: Int) -> TemplatePlace {
        // Errors may look back to where something began.
        if at < placed { (line, column, placed) = (1, 1, 0) }
        while placed < at {
            if bytes[placed] == 0x0A {
                line += 1
                column = 1
            } else if bytes[placed] & 0xC0 != 0x80 {
                column += 1
            }
            placed += 1
        }
        return TemplatePlace(line: line, column: column)
    }

    mutating func add(_ kind: TemplateToken.Kind, at start: Int) {
        tokens.append(TemplateToken(kind: kind, place: place(start)))
    }

    func has(_ text: StaticString, at index: Int) -> Bool {
        let count = text.utf8CodeUnitCount
        guard index >= 0, index + count <= bytes.count else { return false }
        return unsafe UnsafeBufferPointer(start: text.utf8Start, count: count).elementsEqual(
            bytes[index..<index + count])
    }

    mutating func readAll() throws(TemplateError) {
        while offset < bytes.count {
            var tag = offset
            while tag < bytes.count, !has("{{", at: tag), !has("{%", at: tag), !has("{#", at: tag) { tag += 1 }
            guard tag < bytes.count else {
                add(.text(Array(bytes[offset...])), at: offset)
                offset = bytes.count
                break
            }
            try readTag(tag)
        }
        add(.end, at: bytes.count)
    }

    mutating func readTag(_ tag: Int) throws(TemplateError) {
        let isOutput = has("{{", at: tag)
        let sign: UInt8? =
            tag + 2 < bytes.count && (bytes[tag + 2] == 0x2D || bytes[tag + 2] == 0x2B) ? bytes[tag + 2] : nil
        addText(before: tag, sign: sign, isOutput: isOutput)
        let inner = tag + 2 + (sign == nil ? 0 : 1)
        if has("{#", at: tag) {
            try skipComment(from: inner, began: tag)
        } else if !isOutput, let start = rawStart(inner) {
            try readRaw(from: start, began: tag)
        } else {
            add(isOutput ? .outputBegin : .tagBegin, at: tag)
            offset = inner
            try readExpression(isOutput: isOutput, began: tag)
        }
    }

    /// The text up to a tag, shortened as the tag's sign and `lstrip_blocks` ask.
    mutating func addText(before tag: Int, sign: UInt8?, isOutput: Bool) {
        var end = tag
        if sign == 0x2D {
            end = offset + Text(Array(bytes[offset..<tag]), .template).stripped(start: false).count
        } else if sign == nil, !isOutput {
            var start = tag
            while start > offset, bytes[start - 1] != 0x0A { start -= 1 }
            if start > offset || isLineStart, start < tag,
                Text(Array(bytes[start..<tag]), .template).stripped().isEmpty
            {
                end = start
            }
        }
        if end > offset { add(.text(Array(bytes[offset..<end])), at: offset) }
    }

    func spaceEnd(_ start: Int) -> Int {
        var index = start
        while index < bytes.count {
            let (scalar, length) = Text.scalar(in: bytes, at: index)
            guard Text.isSpace(scalar) else { break }
            index += length
        }
        return index
    }

    /// Goes on after a tag's end: `trim_blocks` drops one newline, `-` all white space.
    mutating func resume(at end: Int, stripsAll: Bool, trims: Bool) {
        offset = end
        if stripsAll {
            offset = spaceEnd(end)
        } else if trims, offset < bytes.count, bytes[offset] == 0x0A {
            offset += 1
        }
        isLineStart = offset > 0 && bytes[offset - 1] == 0x0A
    }

    mutating func skipComment(from start: Int, began: Int) throws(TemplateError) {
        var end = start
        while end < bytes.count, !has("#}", at: end) { end += 1 }
        guard end < bytes.count else { throw TemplateError(.unterminated("the comment"), at: place(began)) }
        let sign: UInt8 = end > start ? bytes[end - 1] : 0
        resume(at: end + 2, stripsAll: sign == 0x2D, trims: sign != 0x2B)
    }

    /// Where the content of `{% raw %}` begins.
    func rawStart(_ inner: Int) -> Int? {
        var index = spaceEnd(inner)
        guard has("raw", at: index) else { return nil }
        index = spaceEnd(index + 3)
        if has("-%}", at: index) { return spaceEnd(index + 3) }
        return has("%}", at: index) ? index + 2 : nil
    }

    mutating func readRaw(from start: Int, began: Int) throws(TemplateError) {
        var tag = start
        while tag < bytes.count {
            defer { tag += 1 }
            guard has("{%", at: tag) else { continue }
            var index = tag + 2
            let sign: UInt8? =
                index < bytes.count && (bytes[index] == 0x2D || bytes[index] == 0x2B) ? bytes[index] : nil
            index = spaceEnd(index + (sign == nil ? 0 : 1))
            guard has("endraw", at: index) else { continue }
            index = spaceEnd(index + 6)
            let closing: UInt8 = has("-%}", at: index) ? 0x2D : has("+%}", at: index) ? 0x2B : 0
            if closing != 0 { index += 1 }
            guard has("%}", at: index) else { continue }
            offset = start
            isLineStart = bytes[start - 1] == 0x0A
            addText(before: tag, sign: sign, isOutput: false)
            resume(at: index + 2, stripsAll: closing == 0x2D, trims: closing != 0x2B)
            return
        }
        throw TemplateError(.unterminated("the raw block"), at: place(began))
    }
}
