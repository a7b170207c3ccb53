import Foundation
import HearthKernels
import HearthKernelsPortable
import Testing

@Suite("Mathematics")
struct MathematicsTests {
    /// Distance in units in the last place of the expected value.
    static func ulps(_ actual: Double, _ expected: Double, of scale: Double? = nil) -> Double {
        if actual == expected || (actual.isNaN && expected.isNaN) { return 0 }
        return abs(actual - expected) / (scale ?? expected).ulp
    }

    // The C library is within half a unit; ours adds one rounding of its last sum and the error of its polynomial, below half a
    // unit each: 1.5 bounds the distance of the two.
    static let bound = 1.5

    @Test("exp is within one and a half units of the C library's over its whole range")
    func exp() {
        var worst = (0.0, 0.0)
        for i in 0...50_000 {
            let x = -708 + Double(i) * (1417.5 / 50_000)
            let distance = Self.ulps(Mathematics.exp(x), Foundation.exp(x))
            if distance > worst.0 { worst = (distance, x) }
        }
        #expect(worst.0 <= Self.bound, "at \(worst.1)")
        #expect(Mathematics.exp(0) == 1)
        #expect(Mathematics.exp(.infinity) == .infinity && Mathematics.exp(710) == .infinity)
        #expect(Mathematics.exp(-.infinity) == 0 && Mathematics.exp(-746) == 0)
        #expect(Mathematics.exp(.nan).isNaN)
        // Below the normal range results are multiples of the smallest number: within one and a half of it.
        #expect(abs(Mathematics.exp(-740) - Foundation.exp(-740)) <= 1.5 * Double.leastNonzeroMagnitude)
    }

    @Test("log is within one and a half units of the C library's over its whole range")
    func log() {
        var worst = (0.0, 0.0)
        for i in 0...50_000 {
            for x in [Foundation.exp(-740 + Double(i) * (1449.0 / 50_000)), 0.5 + Double(i) / 33_333] {
                let distance = Self.ulps(Mathematics.log(x), Foundation.log(x))
                if distance > worst.0 { worst = (distance, x) }
            }
        }
        #expect(worst.0 <= Self.bound, "at \(worst.1)")
        #expect(Mathematics.log(1) == 0)
        #expect(Mathematics.log(0) == -.infinity && Mathematics.log(.infinity) == .infinity)
        #expect(Mathematics.log(-1).isNaN && Mathematics.log(.nan).isNaN)
    }

    @Test("sine and cosine are within one and a half units for every angle a position can have")
    func sinCos() {
        var worst = (0.0, 0.0)
        // Angles of rotary tables: positions to 2^20 times frequencies from 1 down, and the neighbourhood of multiples of pi/2.
        var angles: [Double] = []
        for i in 0...20_000 {
            angles.append(Double(i) * 52.4286)
            angles.append(-Double(i) * 0.001)
            angles.append(Double(i * 32) * (Double.pi / 2))
            angles.append(Double(i * 52))
        }
        for x in angles {
            let (s, c) = Mathematics.sinCos(x)
            let distance = max(Self.ulps(s, Foundation.sin(x)), Self.ulps(c, Foundation.cos(x)))
            if distance > worst.0 { worst = (distance, x) }
        }
        #expect(worst.0 <= Self.bound, "at \(worst.1)")
        #expect(Mathematics.sin(.infinity).isNaN && Mathematics.cos(.nan).isNaN)
        #expect(Mathematics.sin(0) == 0 && Mathematics.cos(0) == 1)
    }

    @Test("half floats round to nearest, ties to even, keep every value, and stop at the largest")
    func halves() {
        for bits in UInt16.min...UInt16.max {
            let value = floatFromHalf(bits)
            #if arch(x86_64) || arch(arm64)
            let expected = Float(Float16(bitPattern: bits))
            if !(value == expected || (value.isNaN && expected.isNaN)) { Issue.record("\(bits): \(value), expected \(expected)") }
            #endif
            if value.isFinite && halfBits(value) != bits { Issue.record("\(bits) came back as \(halfBits(value))") }
        }
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<100_000 {
            let x = Float(bitPattern: UInt32.random(in: 0...UInt32.max, using: &generator))
            guard x.isFinite, x.magnitude < 65520 else { continue }
            if halfBits(x) != Float16(x).bitPattern { Issue.record("\(x): \(halfBits(x))") }
        }
        #expect(floatFromHalf(halfBits(70000)) == 65504 && floatFromHalf(halfBits(-.infinity)) == -65504)
        #expect(floatFromHalf(halfBits(.nan)).isNaN)
    }
}
