// Elementary functions on 8 numbers with operations that every processor has: no fused product, since without the instruction
// it is a call.

typealias Lanes = SIMD8<Float>

/// Eight numbers from memory of any alignment.
@inline(__always)
func loadLanes(_ p: UnsafePointer<Float>) -> Lanes {
    UnsafeRawPointer(p).loadUnaligned(as: Lanes.self)
}

@inline(__always)
func storeLanes(_ p: UnsafeMutablePointer<Float>, _ v: Lanes) {
    UnsafeMutableRawPointer(p).storeBytes(of: v, as: Lanes.self)
}

/// e^x within 2 units in the last place; 0 below -87.33 (so also for minus infinity), largest finite above 88.37, NaN for NaN.
@inline(__always)
func lanesExp(_ x: Lanes) -> Lanes {
    let low = Lanes(repeating: -87.33654)  // ln of the least normal number
    let high = Lanes(repeating: 88.37626)
    // A comparison with NaN is false: NaN passes both.
    var y = x.replacing(with: low, where: x .< low)
    y = y.replacing(with: high, where: y .> high)
    // k = round(y / ln 2): adding 1.5 * 2^23 leaves it in the low bits of the sum.
    let magic = Lanes(repeating: 12582912)
    let shifted = y * 1.4426950408889634 + magic
    let k = shifted - magic
    // r = y - k ln 2, ln 2 in two parts, the first of 10 bits so that k times it is exact; |r| <= 0.3466.
    let r = (y - k * 0.693359375) - k * -2.12194440e-4
    // Taylor's series to r^7: the next term is below 0.3466^8 / 8! = 5e-9, a twelfth of a unit.
    var p = r * (1.0 / 5040) + (1.0 / 720)
    p = p * r + (1.0 / 120)
    p = p * r + (1.0 / 24)
    p = p * r + (1.0 / 6)
    p = p * r + 0.5
    p = p * r * r + r + 1
    // 2^k by adding k to the exponent: the low 9 bits of `shifted` are k.
    let exponent = unsafeBitCast(shifted, to: SIMD8<Int32>.self) &<< 23
    let scaled = unsafeBitCast(unsafeBitCast(p, to: SIMD8<Int32>.self) &+ exponent, to: Lanes.self)
    return scaled.replacing(with: Lanes(repeating: 0), where: x .< low)
}

/// tanh x = 1 - 2 / (e^2x + 1), within 2^-22 of 1.
@inline(__always)
func lanesTanh(_ x: Lanes) -> Lanes {
    let one = Lanes(repeating: 1)
    return one - 2 / (lanesExp(x + x) + one)
}

/// ((0 + 4) + (2 + 6)) + ((1 + 5) + (3 + 7))
@inline(__always)
func sumOfLanes(_ v: Lanes) -> Float {
    let four = v.lowHalf + v.highHalf
    let two = four.lowHalf + four.highHalf
    return two[0] + two[1]
}

/// Half floats to Float32, exactly.
@inline(__always)
func lanesFromHalves(_ bits: SIMD8<UInt16>) -> Lanes { halvesToFloats(widened(bits)) }
