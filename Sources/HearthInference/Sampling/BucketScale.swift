/// Equal intervals of value, from the highest on: bucket 0 is around the highest value, the last one around the least.
///
/// In Double, where neither the width of what is finite overflows nor the least difference is lost.
struct BucketScale {
    private let highest: Double
    private let perValue: Double

    /// Nil where all `values`, finite and at least one, are equal.
    init?(of values: UnsafeBufferPointer<Float>, buckets: Int) {
        var least = unsafe values[0], most = least
        var (low, high) = (SIMD8(repeating: least), SIMD8(repeating: most))
        var index = 0
        while index + 8 <= values.count {
            let eight = unsafe UnsafeRawPointer(values.baseAddress! + index).loadUnaligned(as: SIMD8<Float>.self)
            low.replace(with: eight, where: eight .< low)
            high.replace(with: eight, where: eight .> high)
            index += 8
        }
        for rest in index..<values.count {
            unsafe least = min(least, values[rest])
            unsafe most = max(most, values[rest])
        }
        highest = Double(max(most, high.max()))
        perValue = Double(buckets - 1) / (highest - Double(min(least, low.min())))
        if perValue == .infinity { return nil }
    }

    /// 0 to `buckets - 1`.
    @inline(__always)
    func bucket(_ value: Float) -> Int {
        // Adding 1.5 * 2^52 leaves the number, rounded, in the lowest bits.
        Int(truncatingIfNeeded: ((highest - Double(value)) * perValue + 0x1.8p52).bitPattern & 0xFFFF)
    }

    /// The value in the middle of a bucket, rounded up.
    func value(_ bucket: Int) -> Float {
        let exact = highest - Double(bucket) / perValue
        let rounded = Float(exact)
        return Double(rounded) < exact ? rounded.nextUp : rounded
    }
}
