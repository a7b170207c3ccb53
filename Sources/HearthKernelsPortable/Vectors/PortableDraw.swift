package import HearthKernelTypes

// What a sampler asks of a vocabulary.

/// The largest number, NaN where one is NaN or plus infinity; minus infinity of none.
package func portableLargest(_ x: UnsafePointer<Float>, count: Int) -> Float {
    var most = Lanes(repeating: -.infinity)
    // x * 0 is NaN where x is NaN or infinite.
    var poison = Lanes(repeating: 0)
    var i = 0
    while i + 8 <= count {
        let v = loadLanes(x + i)
        most = most.replacing(with: v, where: v .> most)  // never where v is NaN
        poison += v * 0
        i += 8
    }
    var largest = -Float.infinity
    for lane in 0..<8 where most[lane] > largest { largest = most[lane] }
    var rest: Float = 0
    while i < count {
        if x[i] > largest { largest = x[i] }
        rest += x[i] * 0
        i += 1
    }
    if largest == .infinity { return .nan }
    // Minus infinity does no harm: look again, for NaN alone.
    if (sumOfLanes(poison) + rest).isNaN {
        for j in 0..<count where x[j].isNaN { return .nan }
    }
    return largest
}

/// The mass of `x`: `2^((x - largest) * factor)` in units of 2^-42, for `x` of at most `largest`; 0 for minus infinity.
package struct PortableMass {
    private let largest, factor: Lanes

    package init(_ law: DrawLaw) {
        largest = Lanes(repeating: law.largest)
        factor = Lanes(repeating: law.factor)
    }

    /// Within 2 units in the last place and the rounding of the exponent, at most 2^-60 where the mass is 0.
    @inline(__always)
    func weights(_ x: Lanes) -> Lanes {
        // False for NaN, which minus infinity times a factor of 0 is.
        let exponent = (x - largest) * factor
        let low = Lanes(repeating: -60)
        let t = low.replacing(with: exponent, where: exponent .> low)
        // k = round(t): adding 1.5 * 2^23 leaves it in the low bits of the sum.
        let magic = Lanes(repeating: 12582912)
        let shifted = t + magic
        let f = t - (shifted - magic)
        // 2^f for |f| <= 1/2: the polynomial of degree 6 whose largest relative error is least (2^-28.9), 1 at 0; by halves, which
        // wait for each other less than a chain does.
        let square = f * f
        let first = f * 0.6931472 + 1
        let second = f * 0.055503325 + 0.24022648
        let third = (f * 0.0013398874 + 0.0096184375) + square * 0.00015353326
        let p = first + square * (second + square * third)
        let exponentBits = unsafeBitCast(shifted, to: SIMD8<Int32>.self) &<< 23
        return unsafeBitCast(unsafeBitCast(p, to: SIMD8<Int32>.self) &+ exponentBits, to: Lanes.self)
    }

    /// The weights of numbers, the masses before they are rounded.
    package func weights(_ x: UnsafePointer<Float>, count: Int, into out: UnsafeMutablePointer<Float>) {
        var i = 0
        while i + 8 <= count {
            storeLanes(out + i, weights(loadLanes(x + i)))
            i += 8
        }
        while i < count {
            out[i] = weights(Lanes(repeating: x[i]))[0]
            i += 1
        }
    }

    package func run(_ cut: DrawCut) -> DrawSum {
        let (x, ids, values, outIDs) = (cut.x, cut.ids, cut.outValues, cut.outIDs)
        let (least, low, high) = (Lanes(repeating: cut.least), Lanes(repeating: cut.lower), Lanes(repeating: cut.upper))
        var sum = SIMD4<UInt64>()
        var (vectors, collected, i) = (0, 0, 0)
        while i + 8 <= cut.count {
            let v = loadLanes(x + i)
            if any(v .>= least) {
                sum &+= masses(weights(v).replacing(with: 0, where: v .< least))
                vectors += 1
            }
            if any(v .>= low .& v .< high) {
                for j in i..<i + 8 { take(j) }
            }
            i += 8
        }
        var mass = sum.wrappedSum() &- UInt64(truncatingIfNeeded: 8 * vectors) &* (1536.0).bitPattern
        while i < cut.count {
            if x[i] >= cut.least { mass &+= DrawLaw.mass(weights(Lanes(repeating: x[i]))[0]) }
            if values != nil { take(i) }
            i += 1
        }
        /// Without a branch: the place is written again where the number is not wanted.
        @inline(__always)
        func take(_ j: Int) {
            values![collected] = x[j]
            outIDs![collected] = ids?[j] ?? cut.first &+ Int32(truncatingIfNeeded: j)
            collected += x[j] >= cut.lower && x[j] < cut.upper ? 1 : 0
        }
        return DrawSum(mass: mass, collected: collected)
    }

    /// Masses of eight weights, pairs added, each with the bits of 1.5 * 2^10.
    @inline(__always)
    private func masses(_ w: Lanes) -> SIMD4<UInt64> {
        let low = SIMD4<Double>(w.lowHalf) + 1536, high = SIMD4<Double>(w.highHalf) + 1536
        return unsafeBitCast(low, to: SIMD4<UInt64>.self) &+ unsafeBitCast(high, to: SIMD4<UInt64>.self)
    }
}
