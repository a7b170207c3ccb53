/// GPT-2's spelling of bytes as printable characters: `Ġ` is a space, `Ċ` a line feed.
///
/// The 188 bytes that print in Latin-1 stand for themselves, the other 68 for U+0100 and up in rising order
/// (`bytes_to_unicode` in GPT-2's encoder).
enum ByteAlphabet {
    /// The byte that each scalar below U+0144 (256 + 68) spells, −1 for none.
    private static let byteOfScalar: [Int16] = {
        var table = Array(repeating: Int16(-1), count: 256 + 68)
        var next = 256
        for byte in 0..<256 {
            let prints = (0x21...0x7E).contains(byte) || (0xA1...0xAC).contains(byte) || (0xAE...0xFF).contains(byte)
            table[prints ? byte : next] = Int16(byte)
            if !prints { next += 1 }
        }
        return table
    }()

    /// Adds the bytes that `spelled` stands for. A piece with a scalar outside the alphabet stands for its own UTF-8;
    /// the answer is then false, and no text is encoded to it.
    @discardableResult
    static func decode(_ spelled: Span<UInt8>, into output: inout [UInt8]) -> Bool {
        let before = output.count
        var place = 0
        while place < spelled.count {
            let (scalar, length) = decodeScalar(spelled, at: place)
            guard scalar < UInt32(byteOfScalar.count), byteOfScalar[Int(scalar)] >= 0 else {
                output.removeSubrange(before...)
                for index in 0..<spelled.count { output.append(spelled[index]) }
                return false
            }
            output.append(UInt8(byteOfScalar[Int(scalar)]))
            place += length
        }
        return true
    }
}
