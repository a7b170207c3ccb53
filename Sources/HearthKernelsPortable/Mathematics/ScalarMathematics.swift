// Elementary functions of our own in plain double arithmetic without fused operations: the same bits on every machine and
// with every C library. Errors are stated for round-to-nearest and checked in MathematicsTests.

/// e^x. Error below 1 unit in the last place; 0 below -745.2, infinity above 709.8.
package func scalarExp(_ x: Double) -> Double {
    if x.isNaN { return x }
    if x > 709.782712893384 { return .infinity }
    if x < -745.1332191019412 { return 0 }
    // x = k ln 2 + r, |r| <= 0.3466; ln 2 in two parts, the first with 21 trailing zero bits, so that k times it is exact.
    let k = (x * 1.4426950408889634).rounded()
    let r = (x - k * 0.693147180369123816490) - k * 1.90821492927058770002e-10
    // Taylor's series to r^13: the next term is below 0.3466^14 / 14! = 4e-18. The sum without 1 and r is small, so its
    // rounding does not show.
    var p = 1.0 / 6227020800
    p = p * r + 1.0 / 479001600
    p = p * r + 1.0 / 39916800
    p = p * r + 1.0 / 3628800
    p = p * r + 1.0 / 362880
    p = p * r + 1.0 / 40320
    p = p * r + 1.0 / 5040
    p = p * r + 1.0 / 720
    p = p * r + 1.0 / 120
    p = p * r + 1.0 / 24
    p = p * r + 1.0 / 6
    p = p * r + 0.5
    let value = 1 + (r + r * r * p)
    // Two steps of scaling, so that results below the normal range are rounded once and 2^1024 is not formed.
    let half = Int(k) / 2
    return value * powerOfTwo(half) * powerOfTwo(Int(k) - half)
}

/// 2^n for -1022 <= n <= 1023.
@inline(__always)
private func powerOfTwo(_ n: Int) -> Double { Double(bitPattern: UInt64(truncatingIfNeeded: n &+ 1023) << 52) }

/// Natural logarithm. Error below 1 unit in the last place; -infinity for 0, NaN for negative numbers.
package func scalarLog(_ x: Double) -> Double {
    if x.isNaN || x < 0 { return .nan }
    if x == 0 { return -.infinity }
    if x == .infinity { return x }
    // x = 2^k m with m in [sqrt(1/2), sqrt(2)); below the normal range 2^54 is multiplied in first.
    let subnormal = x < 2.2250738585072014e-308
    let bits = (subnormal ? x * 18014398509481984 : x).bitPattern
    var k = Int(bits >> 52) - 1023 - (subnormal ? 54 : 0)
    var m = Double(bitPattern: bits & 0x000F_FFFF_FFFF_FFFF | 0x3FF0_0000_0000_0000)
    if m > 1.4142135623730951 {
        m *= 0.5
        k += 1
    }
    // log m = 2 atanh(s), s = f / (2 + f), f = m - 1: 2s + 2s^3/3 + ... with s^2 <= 0.0295; s^25/25 is below 1e-20.
    let f = m - 1
    let s = f / (2 + f)
    let z = s * s
    var p = 2.0 / 23
    p = p * z + 2.0 / 21
    p = p * z + 2.0 / 19
    p = p * z + 2.0 / 17
    p = p * z + 2.0 / 15
    p = p * z + 2.0 / 13
    p = p * z + 2.0 / 11
    p = p * z + 2.0 / 9
    p = p * z + 2.0 / 7
    p = p * z + 2.0 / 5
    p = p * z + 2.0 / 3
    // 2s = f - s f, so log m = f - (f^2/2 - s (f^2/2 + z p)): the large term f is exact.
    let h = 0.5 * f * f
    let n = Double(k)
    return n * 0.693147180369123816490 - ((h - (s * (h + z * p) + n * 1.90821492927058770002e-10)) - f)
}

/// Sine and cosine of x. Error below 1 unit in the last place of the larger for |x| <= 2^20 pi/2 (about 1.6 million, more than
/// any position times the largest frequency, 1); beyond it the reduction loses bits.
package func scalarSinCos(_ x: Double) -> (sin: Double, cos: Double) {
    guard x.isFinite else { return (.nan, .nan) }
    // x = k pi/2 + r. pi/2 in three parts of 33 bits and a rest: k of 20 bits times a part is exact.
    let k = (x * 0.6366197723675814).rounded()
    let first = x - k * 1.57079632673412561417e+00
    let second = k * 6.07710050630396597660e-11
    let a = first - second
    // What the subtraction rounded off, exactly (Dekker's two-sum).
    let b = a - first
    let lost = (first - (a - b)) - (second + b)
    let tail = lost - k * 2.02226624871116645580e-21 - k * 8.47842766036889956997e-32
    let r = a + tail
    let rest = (a - r) + tail
    let (s, c) = kernelSinCos(r, rest)
    switch Int(truncatingIfNeeded: k.magnitude < 9e15 ? Int(k) : 0) & 3 {
    case 0: return (s, c)
    case 1: return (c, -s)
    case 2: return (-s, -c)
    default: return (-c, s)
    }
}

/// Sine and cosine of r + rest, |r| <= pi/4: Taylor's series to r^17 and r^18 (next terms below 1e-19).
private func kernelSinCos(_ r: Double, _ rest: Double) -> (Double, Double) {
    let z = r * r
    var s = 1.0 / 355687428096000
    s = s * z - 1.0 / 1307674368000
    s = s * z + 1.0 / 6227020800
    s = s * z - 1.0 / 39916800
    s = s * z + 1.0 / 362880
    s = s * z - 1.0 / 5040
    s = s * z + 1.0 / 120
    s = s * z - 1.0 / 6
    // sin(r + rest) = sin r + rest cos r, with cos r = 1 - z/2 where the rest is that small.
    let sine = r + (r * z * s + rest * (1 - 0.5 * z))
    var c = -1.0 / 6402373705728000
    c = c * z + 1.0 / 20922789888000
    c = c * z - 1.0 / 87178291200
    c = c * z + 1.0 / 479001600
    c = c * z - 1.0 / 3628800
    c = c * z + 1.0 / 40320
    c = c * z - 1.0 / 720
    c = c * z + 1.0 / 24
    let half = 0.5 * z
    let w = 1 - half
    // What 1 - z/2 rounded off is added back with the small terms.
    let cosine = w + (((1 - w) - half) + (z * z * c - r * rest))
    return (sine, cosine)
}

/// e^x in Float32: the double function, rounded. The reference of the vector kernels.
package func scalarExp(_ x: Float) -> Float { Float(scalarExp(Double(x))) }
