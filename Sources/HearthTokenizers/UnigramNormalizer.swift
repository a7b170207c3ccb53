/// What SentencePiece does to a text before the unigram model sees it: the file's character map, and its rules for
/// spaces.
struct UnigramNormalizer: Sendable {
    var map: CharactersMap?
    var addsSpacePrefix: Bool
    /// Runs of spaces become one, and none is left at the ends.
    var removesExtraSpaces: Bool

    func normalize(_ text: Span<UInt8>) throws(TokenizerError) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(text.count + 1)
        var replacement: [UInt8] = []
        var afterSpace = true
        var hasPrefix = false
        var place = 0
        while place < text.count {
            replacement.removeAll(keepingCapacity: true)
            let consumed = try replace(text, at: place, into: &replacement)
            for byte in replacement {
                if byte == 0x20 {
                    if !removesExtraSpaces { output.append(0x20) }
                    afterSpace = true
                } else {
                    if afterSpace, removesExtraSpaces || (addsSpacePrefix && !hasPrefix) {
                        output.append(0x20)
                        hasPrefix = true
                    }
                    afterSpace = false
                    output.append(byte)
                }
            }
            place += consumed
        }
        return Metaspace.toSpaces(output.span)
    }

    /// Adds what stands for the text at `place` and answers how many bytes that took.
    private func replace(_ text: Span<UInt8>, at place: Int, into output: inout [UInt8]) throws(TokenizerError) -> Int {
        if let map, let length = try map.replace(text, at: place, into: &output) { return length }
        let length = decodeScalar(text, at: place).length
        for offset in 0..<length { output.append(text[place + offset]) }
        return length
    }
}
