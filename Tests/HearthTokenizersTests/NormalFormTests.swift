import HearthTokenizers
import Testing

@Suite struct NormalFormTests {
    /// FNV-1a over the forms of every scalar and of 20,000 drawn sequences, each ended by a zero byte: those of Python's
    /// `unicodedata2` 16.0.0 (`unicodedata.normalize`), over the same texts.
    @Test(
        "normal forms of every scalar, and of sequences with marks and jamo, are Python's",
        arguments: [
            ("nfc", 0xf23c_6052_c5c9_2971, 0x557e_8bca_8e11_8656),
            ("nfd", 0x1938_776c_1d2b_d4af, 0xfb51_5732_dc4d_ebc1),
            ("nfkc", 0x3652_19a2_48c4_fdac, 0x6bed_35c8_3114_8161),
            ("nfkd", 0x2ca4_1ab5_3a99_59b1, 0xf74a_75c2_dc94_d5d5),
        ] as [(String, UInt64, UInt64)])
    func python(form: String, scalars: UInt64, sequences: UInt64) throws {
        let normalize = try TextNormalizer.of([form])
        var hash = Self.start
        for value in UInt32(0)..<0x110000 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            Self.add(try normalize(Array(String(scalar).utf8)), to: &hash)
        }
        #expect(hash == scalars)

        let ranges: [ClosedRange<UInt32>] = [
            0x41...0x7A, 0xC0...0x17F, 0x300...0x36F, 0x300...0x36F, 0x1100...0x11FF, 0xAC00...0xD7A3, 0x1E00...0x1FFF,
            0x900...0xDFF, 0xFB00...0xFFEF, 0x2100...0x214F, 0x1D100...0x1D1FF, 0x3040...0x30FF,
        ]
        var state: UInt64 = 1
        func draw(_ count: UInt32) -> UInt32 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt32((state >> 33) % UInt64(count))
        }
        hash = Self.start
        for _ in 0..<20_000 {
            var text = String.UnicodeScalarView()
            for _ in 0..<1 + draw(6) {
                let range = ranges[Int(draw(UInt32(ranges.count)))]
                text.append(try #require(Unicode.Scalar(range.lowerBound + draw(UInt32(range.count)))))
            }
            Self.add(try normalize(Array(String(text).utf8)), to: &hash)
        }
        #expect(hash == sequences)
    }

    @Test("bytes that are not UTF-8 stay where they are, and nothing composes across them")
    func broken() throws {
        let text: [UInt8] = [0x65, 0xFF, 0xCC, 0x81, 0xE9, 0x65, 0xCC, 0x81, 0xC3]
        #expect(try TextNormalizer.of(["nfc"])(text) == [0x65, 0xFF, 0xCC, 0x81, 0xE9, 0xC3, 0xA9, 0xC3])
    }

    @Test("T-22 50,000 marks on one letter are put in order in one go")
    func manyMarks() throws {
        let text = Array(String("a" + String(repeating: "\u{301}\u{316}", count: 25_000)).utf8)
        let sorted = Array(
            String("a" + String(repeating: "\u{316}", count: 25_000) + String(repeating: "\u{301}", count: 25_000)).utf8
        )
        #expect(try TextNormalizer.of(["nfd"])(text) == sorted)
    }

    @Test("steps run in order, each on what the one before left")
    func steps() throws {
        let normalize = try TextNormalizer.of([
            "nfd", "strip_accents", "lowercase", "replace", "``", "\"", "collapse_spaces", "_", "strip", "prepend", ">",
        ])
        #expect(String(decoding: try normalize(Array("  ``\u{C9}t\u{E9}   X ".utf8)), as: UTF8.self) == ">_\"ete_x")
        #expect(try normalize([]) == [])
    }

    private static let start: UInt64 = 0xcbf2_9ce4_8422_2325

    private static func add(_ bytes: [UInt8], to hash: inout UInt64) {
        for byte in bytes + [0] { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }
}

extension TextNormalizer {
    /// What these steps do to a text.
    static func of(_ steps: [String]) throws -> ([UInt8]) throws -> [UInt8] {
        let normalizer = try TextNormalizer(steps.map { Array($0.utf8) })
        return { try normalizer.apply(to: $0) }
    }
}
