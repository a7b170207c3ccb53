internal import HearthKernelsPortable
package import HearthKernelTypes
internal import HearthLocks
internal import Synchronization

/// Cosines and sines of the angles `position * frequency[i]`, rounded from double to Float32.
///
/// Rows are filled when a position is first asked for (about 2 microseconds each at 32 pairs), so a long context costs what
/// it uses. Memory for all positions is reserved at once: a step allocates nothing.
@safe package final class RopeTable: @unchecked Sendable {
    package let layout: RopeLayout
    /// Pairs that are rotated; numbers of a head beyond `2 * pairs` stay as they are.
    package let pairs: Int
    package let positions: Int
    private let frequencies: [Double]
    private let magnitude: Double
    private let memory: ReservedMemory
    private let filled = Atomic<Int>(0)
    private let filling = Locked<Void>(())

    /// `[positions, pairs]` each.
    let cosines: UnsafeMutablePointer<Float>
    let sines: UnsafeMutablePointer<Float>

    /// `magnitude` multiplies every cosine and sine (YaRN's and LongRoPE's attention factor).
    package init(frequencies: [Double], magnitude: Double = 1, layout: RopeLayout, positions: Int) throws(KernelError) {
        // 2^20: as far as the sine's reduction is exact to the last place.
        guard !frequencies.isEmpty, positions > 0, positions <= 1 << 20 else {
            throw .badRope(pairs: frequencies.count, positions: positions)
        }
        let (count, overflow) = frequencies.count.multipliedReportingOverflow(by: positions)
        guard !overflow, count < 1 << 56 else { throw .outOfMemory(bytes: Int.max) }
        self.frequencies = frequencies
        self.magnitude = magnitude
        self.layout = layout
        self.positions = positions
        pairs = frequencies.count
        memory = try ReservedMemory(byteCount: count * 8)
        unsafe cosines = memory.base.bindMemory(to: Float.self, capacity: 2 * count)
        unsafe sines = cosines + count
    }

    /// `base^(-2i / width)` for i in `0 ..< width / 2`, divided by `scale` (linear position scaling) and by `factors[i]` where
    /// the file has such (`rope_freqs`).
    package static func frequencies(
        base: Double, width: Int, scale: Double = 1, factors: [Float] = []
    ) throws(KernelError) -> [Double] {
        let pairs = width / 2
        guard width > 0, width % 2 == 0, factors.isEmpty || factors.count == pairs, base > 0, scale > 0,
            factors.allSatisfy({ $0 > 0 })
        else { throw .badRopeFrequencies(base: base, width: width, scale: scale, factors: factors.count) }
        let logBase = Mathematics.log(base)
        return (0..<pairs).map { i in
            let frequency = Mathematics.exp(-Double(2 * i) / Double(width) * logBase)
            return frequency / scale / (factors.isEmpty ? 1 : Double(factors[i]))
        }
    }

    /// Makes the rows below `end` readable.
    func prepare(through end: Int) {
        guard filled.load(ordering: .acquiring) < end else { return }
        filling.withLock { _ in
            let first = filled.load(ordering: .relaxed)
            guard first < end else { return }
            for position in first..<end {
                for i in 0..<pairs {
                    let (s, c) = scalarSinCos(Double(position) * frequencies[i])
                    unsafe cosines[position * pairs + i] = Float(c * magnitude)
                    unsafe sines[position * pairs + i] = Float(s * magnitude)
                }
            }
            filled.store(end, ordering: .releasing)
        }
    }
}
