/// Philox4x32-10, the counter-based generator of Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as
/// 1, 2, 3" (SC 2011). A number depends on key and counter alone, so draw i of a seed is the same whatever was cached,
/// cancelled or cut before it.
package enum Philox {
    /// The multipliers and key increments of the paper, section 3.
    private static let multipliers: (UInt64, UInt64) = (0xD251_1F53, 0xCD9E_8D57)
    private static let increments = SIMD2<UInt32>(0x9E37_79B9, 0xBB67_AE85)

    /// Four words for one counter, ten rounds.
    package static func block(counter: SIMD4<UInt32>, key: SIMD2<UInt32>) -> SIMD4<UInt32> {
        var c = counter
        var k = key
        for _ in 0..<10 {
            let a = multipliers.0 * UInt64(c.x)
            let b = multipliers.1 * UInt64(c.z)
            c = SIMD4(
                UInt32(truncatingIfNeeded: b >> 32) ^ c.y ^ k.x, UInt32(truncatingIfNeeded: b),
                UInt32(truncatingIfNeeded: a >> 32) ^ c.w ^ k.y, UInt32(truncatingIfNeeded: a))
            k &+= increments
        }
        return c
    }

    /// Draw `index` of `seed`, uniform in [0, 1): the first word of the block, in steps of 2^-32.
    package static func uniform(seed: UInt64, index: UInt64) -> Double {
        let words = block(
            counter: SIMD4(UInt32(truncatingIfNeeded: index), UInt32(truncatingIfNeeded: index >> 32), 0, 0),
            key: SIMD2(UInt32(truncatingIfNeeded: seed), UInt32(truncatingIfNeeded: seed >> 32)))
        return Double(words.x) * 0x1p-32
    }
}
