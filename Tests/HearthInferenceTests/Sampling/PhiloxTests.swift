import HearthInference
import Testing

@Suite struct PhiloxTests {
    /// The known answers that the authors publish with Random123 (`kat_vectors`, philox4x32 10).
    @Test(
        "the published answers come out",
        arguments: [
            (
                SIMD4<UInt32>(0, 0, 0, 0), SIMD2<UInt32>(0, 0),
                SIMD4<UInt32>(0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8)
            ),
            (
                SIMD4<UInt32>(repeating: .max), SIMD2<UInt32>(repeating: .max),
                SIMD4<UInt32>(0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd)
            ),
            (
                SIMD4<UInt32>(0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344),
                SIMD2<UInt32>(0xa409_3822, 0x299f_31d0),
                SIMD4<UInt32>(0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1)
            ),
        ])
    func knownAnswers(counter: SIMD4<UInt32>, key: SIMD2<UInt32>, answer: SIMD4<UInt32>) {
        #expect(Philox.block(counter: counter, key: key) == answer)
    }

    @Test("a draw depends on seed and index alone, and fills [0, 1) evenly")
    func uniform() {
        #expect(Philox.uniform(seed: 0, index: 0) == Double(0x6627_e8d5) * 0x1p-32)
        #expect(Philox.uniform(seed: 7, index: 3) != Philox.uniform(seed: 8, index: 3))
        #expect(Philox.uniform(seed: 1 << 40, index: 3) != Philox.uniform(seed: 0, index: 3))
        var counts = Array(repeating: 0, count: 16)
        let draws = 16_000
        for index in 0..<draws { counts[Int(Philox.uniform(seed: 42, index: UInt64(index)) * 16)] += 1 }
        // A count has mean 1000 and standard deviation sqrt(1000 * 15/16) = 31; five of them are 155.
        for count in counts { #expect(abs(count - draws / 16) < 155) }
    }
}
