/// SentencePiece's spelling of a space: `▁`, U+2581. A text's own `▁` is the same to it as a space.
enum Metaspace {
    /// The text with a space for each `▁`, at the end of `start`.
    static func toSpaces(_ text: Span<UInt8>, after start: [UInt8] = []) -> [UInt8] {
        var output = start
        output.reserveCapacity(start.count + text.count)
        var place = 0
        while place < text.count {
            if text[place] == 0xE2, place + 2 < text.count, text[place + 1] == 0x96, text[place + 2] == 0x81 {
                output.append(0x20)
                place += 3
            } else {
                output.append(text[place])
                place += 1
            }
        }
        return output
    }
}
