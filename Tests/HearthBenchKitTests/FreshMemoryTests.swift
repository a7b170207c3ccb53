import HearthBenchKit
import Testing

@Suite("FreshMemory")
struct FreshMemoryTests {
    @Test("memory comes at some rate, by however many threads; for nothing there is no rate", arguments: [1, 2])
    func rate(threads: Int) throws {
        let rate = try #require(FreshMemory.rate(byteCount: 8 << 20, threads: threads))
        // Slower than a disk and faster than a last cache would be a mistake of units.
        #expect(rate > 1e7 && rate < 1e12)
        #expect(FreshMemory.rate(byteCount: 0, threads: threads) == nil)
    }
}
