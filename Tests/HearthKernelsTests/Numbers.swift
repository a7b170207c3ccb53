import HearthKernels

/// Repeatable numbers: a linear congruential generator (Knuth's MMIX constants).
struct Numbers {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 2_862_933_555_777_941_757 &+ 3_037_000_493 }

    /// Uniform in -1 ..< 1, of 24 bits.
    mutating func next() -> Float {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Float(state >> 40) * 0x1p-23 - 1
    }

    mutating func array(_ count: Int, scale: Float = 1) -> [Float] { (0..<count).map { _ in next() * scale } }
}

/// Room for floats that tests fill and read, freed with it.
@safe final class Buffer {
    let pointer: UnsafeMutablePointer<Float>
    let count: Int

    init(_ values: [Float]) {
        count = values.count
        unsafe pointer = .allocate(capacity: max(count, 1))
        for index in 0..<count { unsafe (pointer + index).initialize(to: values[index]) }
    }

    convenience init(count: Int) { self.init([Float](repeating: 0, count: count)) }

    deinit { unsafe pointer.deallocate() }

    var array: [Float] { (0..<count).map { unsafe pointer[$0] } }
}
