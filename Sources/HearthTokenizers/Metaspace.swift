import HearthTokens

/// SentencePiece's spelling of a space: `▁`, U+2581.
enum Metaspace {
    static let bytes: [UInt8] = [0xE2, 0x96, 0x81]

    /// The text with a space for each `▁`.
    static func toSpaces(_ text: [UInt8]) -> [UInt8] {
        guard text.contains(bytes[0]) else { return text }
        var output: [UInt8] = []
        output.reserveCapacity(text.count)
        var place = 0
        while place < text.count {
            if text[place] == bytes[0], place + 2 < text.count, text[place + 1] == bytes[1], text[place + 2] == bytes[2] {
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
