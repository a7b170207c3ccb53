import HearthHash
import Testing

@Suite("SHA256")
struct SHA256Tests {
    /// The examples of FIPS 180-4's companion page of NIST, and the empty message of its test vectors.
    private static let known: [(String, String)] = [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
        ),
    ]

    @Test("The published examples have the published digests", arguments: known.indices)
    func examples(row: Int) {
        let (text, digest) = Self.known[row]
        #expect(SHA256.digest(of: Array(text.utf8)).hex == digest)
    }

    @Test("A million times the letter a has the published digest")
    func million() {
        var hash = SHA256()
        let piece = [UInt8](repeating: 0x61, count: 1_000)
        for _ in 0..<1_000 { hash.update(piece) }
        #expect(hash.finish().hex == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    @Test("Cutting a message into pieces changes nothing, whatever the lengths around a block")
    func pieces() {
        for length in [1, 55, 56, 57, 63, 64, 65, 119, 120, 128, 200] {
            let message = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7) }
            let whole = SHA256.digest(of: message)
            for cut in stride(from: 0, through: length, by: 3) {
                var hash = SHA256()
                hash.update(Array(message[..<cut]))
                hash.update(Array(message[cut...]))
                #expect(hash.finish() == whole, "length \(length), cut at \(cut)")
            }
        }
    }
}
