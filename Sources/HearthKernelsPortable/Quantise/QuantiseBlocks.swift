package import HearthKernelTypes

// Float32 to the blocks that `decodeBlocks` reads. There is one quantiser for each format, chosen to be simple and to
// keep its error bound; other programs may choose other codes for the same values.

/// The formats that weights can be brought into here.
package let quantisedTargets: [ElementType] = [.q8_0, .q4_0, .q4_k, .q6_k]

/// Writes `count` finite values (whole blocks of `type`, one of `quantisedTargets`) as blocks.
package func quantiseBlocks(
    _ type: ElementType, _ source: UnsafePointer<Float>, _ count: Int, into target: UnsafeMutableRawPointer
) {
    let (x, out) = unsafe (Floats(UnsafeMutablePointer(mutating: source)), MutableBytes(target))
    let size = type.blockBytes
    for b in 0..<count / type.blockLength {
        switch type {
        case .q8_0: quantiseQ8_0(x + b * 32, out + b * size)
        case .q4_0: quantiseQ4_0(x + b * 32, out + b * size)
        case .q4_k: quantiseQ4_K(x + b * 256, out + b * size)
        case .q6_k: quantiseQ6_K(x + b * 256, out + b * size)
        default: return
        }
    }
}

/// Whether all of `count` values are finite: neither infinity nor NaN has a code.
package func areFinite(_ source: UnsafePointer<Float>, _ count: Int) -> Bool {
    for i in 0..<count where unsafe !source[i].isFinite { return false }
    return true
}

/// A scale as the file will hold it: rounded to half precision, and never infinite (65504 is the largest half).
@inline(__always) func storedScale(_ d: Float) -> (bits: UInt16, value: Float) {
    let bits = halfBits(min(max(d, -65504), 65504))
    return (bits, halfToFloat(bits))
}

/// The whole number nearest x / d within `low ... high`; 0, or the nearest to it, where the scale has become 0 (T-83).
@inline(__always) func code(_ x: Float, _ d: Float, _ low: Float, _ high: Float) -> Int {
    // A product with 1 / d could overflow where d is subnormal; the quotient is clamped before it becomes an integer.
    if d == 0 { return 0 }
    return Int(min(max((x / d).rounded(), low), high))
}

/// d = largest magnitude / 127. Error at most d / 2 and what rounding d to half precision adds.
private func quantiseQ8_0(_ x: Floats, _ out: MutableBytes) {
    var largest: Float = 0
    for i in 0..<32 { largest = max(largest, abs(x[i])) }
    let (bits, d) = storedScale(largest / 127)
    out.store(bits, 0)
    for i in 0..<32 { out.store(Int8(code(x[i], d, -127, 127)), 2 + i) }
}

/// The value of largest magnitude becomes -8 d, so that the wider side of -8 ... 7 is where it is needed. Error at most
/// d / 2, and d for values near the largest one's opposite.
private func quantiseQ4_0(_ x: Floats, _ out: MutableBytes) {
    var extreme: Float = 0
    for i in 0..<32 where abs(x[i]) > abs(extreme) { extreme = x[i] }
    let (bits, d) = storedScale(extreme / -8)
    out.store(bits, 0)
    for i in 0..<16 {
        let low = code(x[i], d, -8, 7) + 8
        let high = code(x[i + 16], d, -8, 7) + 8
        out.store(UInt8(low | high << 4), 2 + i)
    }
}
