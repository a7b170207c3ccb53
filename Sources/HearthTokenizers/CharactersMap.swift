/// SentencePiece's compiled normalisation rules: longest matching prefix to its replacement.
///
/// Layout (`precompiled_charsmap`): a UInt32 with the byte length of a double array, that array of UInt32 units, then
/// the replacements, each ended by a zero byte. A unit of the array (Darts-clone) has its label in bits 0 to 7, whether
/// a value hangs on it in bit 8, and the distance to its children in bits 10 to 30, times 256 where bit 9 is set; a unit
/// with bit 31 set is a value.
struct CharactersMap: Sendable {
    private let units: [UInt32]
    private let replacements: [UInt8]
    private static let key = "tokenizer.ggml.precompiled_charsmap"

    init(_ bytes: [UInt8]) throws(TokenizerError) {
        func word(_ place: Int) -> UInt32 {
            (0..<4).reduce(0) { $0 | UInt32(bytes[place + $1]) << UInt32(8 * $1) }
        }
        guard bytes.count >= 4 else {
            throw Self.broken("\(bytes.count) bytes long", "it begins with a length of 4 bytes")
        }
        let length = Int(word(0))
        guard length % 4 == 0, length <= bytes.count - 4 else {
            throw Self.broken("\(bytes.count) bytes long", "its array alone says it has \(length) bytes")
        }
        guard bytes.count == 4 + length || bytes.last == 0 else {
            throw Self.broken("cut off", "its last replacement must end with a zero byte")
        }
        units = stride(from: 4, to: 4 + length, by: 4).map(word)
        replacements = Array(bytes[(4 + length)...])
    }

    /// Adds the replacement of the longest prefix at `place` that has one, and answers its length; nil where none has.
    func replace(_ text: Span<UInt8>, at place: Int, into output: inout [UInt8]) throws(TokenizerError) -> Int? {
        var found: (length: Int, value: Int)?
        var node = offset(try unit(0))
        var end = place
        while end < text.count, text[end] != 0 {
            node ^= Int(text[end])
            let here = try unit(node)
            // label and value flag together: a value unit never equals a label
            guard here & 0x8000_00FF == UInt32(text[end]) else { break }
            node ^= offset(here)
            end += 1
            if here & 0x100 != 0 { found = (end - place, Int(try unit(node) & 0x7FFF_FFFF)) }
        }
        guard let found else { return nil }
        guard found.value < replacements.count else {
            throw Self.broken("damaged", "replacement \(found.value) is past its \(replacements.count) bytes")
        }
        var at = found.value
        while replacements[at] != 0 {  // the last byte is 0
            output.append(replacements[at])
            at += 1
        }
        return found.length
    }

    private func offset(_ unit: UInt32) -> Int { Int(unit >> 10) << Int((unit & (1 << 9)) >> 6) }

    private func unit(_ index: Int) throws(TokenizerError) -> UInt32 {
        guard index >= 0, index < units.count else {
            throw Self.broken("damaged", "unit \(index) is past its \(units.count)")
        }
        return units[index]
    }

    private static func broken(_ value: String, _ expected: String) -> TokenizerError {
        .unusable(key: key, value: value, expected: expected)
    }
}
