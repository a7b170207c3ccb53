import HearthKernels

/// Every so-manieth candidate, to tell roughly where in the chain's order a sum of masses is passed. It guides and decides nothing.
struct CandidateSample {
    /// Numbers of a sample, up to twice as many; of fewer, all are looked at. More would cost more than the narrower bounds save.
    private static let size = 1024
    /// Numbers that are weighed at once.
    private static let block = 512
    /// Equal intervals of value that the sample is sorted into.
    private static let buckets = 512

    private let compute: Compute
    private var values: [Float]
    private var weights: [Float]
    /// For each bucket the sum of its weights and of their squares.
    private var sums: [SIMD2<Double>]

    init(_ compute: Compute) {
        self.compute = compute
        values = Array(repeating: 0, count: Self.block)
        weights = values
        sums = Array(repeating: SIMD2(), count: Self.buckets)
    }

    /// Two values: the target is passed below `upper` and at `lower` or above, as far as the sample tells.
    ///
    /// Masses are summed from the lowest on. The highest few may hold most of all and be in no sample, but the others hold little
    /// each and the whole is known: what is not found below is above.
    /// - Parameter ofAll: of all there are, not of a sample.
    /// - Parameter total: the mass of all of at least `floor`; nil is as much as the sample has for its part.
    /// - Parameter floor: a finite number; what is below it takes no part.
    mutating func bounds(
        of all: UnsafeBufferPointer<Float>, ofAll: Bool, passing target: UInt64, of total: UInt64?, _ law: DrawLaw, floor: Float
    ) -> (lower: Float, upper: Float) {
        let step = ofAll ? 1 : max(1, all.count / Self.size)
        let start = step / 2
        var (least, most) = (Float.infinity, -Float.infinity)
        for index in stride(from: start, to: all.count, by: step) {
            let value = unsafe all[index]
            if value >= floor, value < least { least = value }
            if value > most { most = value }
        }
        guard least <= most else { return (floor, .infinity) }
        guard least < most else { return (most, most.nextUp) }

        // In Double, where neither the width of what is finite overflows nor the least difference is lost.
        let (width, highest) = (Double(most) - Double(least), Double(most))
        let perValue = Double(Self.buckets - 1) / width
        for bucket in sums.indices { sums[bucket] = SIMD2() }
        var index = start
        while index < all.count {
            var taken = 0
            while taken < Self.block, index < all.count {
                unsafe values[taken] = all[index]
                taken += 1
                index += step
            }
            unsafe compute.drawWeights(values, law, count: taken, into: &weights)
            for place in 0..<taken where values[place] >= floor {
                let weight = Double(weights[place])
                sums[Int((highest - Double(values[place])) * perValue)] += SIMD2(weight, weight * weight)
            }
        }

        // From the lowest bucket on; index b stands for the value that is b buckets below the highest.
        let times = Double(step), unit = Double(DrawLaw.unit)
        let count = Double((all.count - start + step - 1) / step)
        let whole = total.map { Double($0) / unit } ?? sums.reduce(0) { $0 + $1.x } * times
        let remaining = whole - Double(target) / unit
        var below = SIMD2<Double>()
        var (lower, upper) = (Self.buckets, 0)
        for bucket in (0...Self.buckets).reversed() {
            // Within three deviations of the sum of a sample without replacement?
            let variance = (below.y - below.x * below.x / count) * (times * times - times)
            let rest = remaining - below.x * times
            if rest > 0 {
                if rest * rest > 9 * variance { lower = bucket }
            } else if rest * rest >= 9 * variance {
                upper = bucket
                break
            }
            if bucket > 0 { below += sums[bucket - 1] }
        }
        // One bucket wider, for what rounding puts into the neighbour.
        func value(_ index: Int) -> Float {
            let exact = highest - Double(index) / perValue
            let rounded = Float(exact)
            return Double(rounded) < exact ? rounded.nextUp : rounded
        }
        return (lower + 1 < Self.buckets ? value(lower + 1) : floor, upper > 1 ? value(upper - 1) : .infinity)
    }
}
