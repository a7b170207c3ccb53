import HearthKernelTypes
import HearthKernels

/// Every so-manieth candidate, to tell roughly where in the chain's order a sum of masses is passed. It guides and decides nothing.
struct CandidateSample {
    /// Numbers of a sample, up to twice as many. More would cost more than the narrower bounds save.
    private static let size = 1024
    /// Of the highest of a sample, so many stand for the least that is collected: a sixty-fourth of a vocabulary.
    private static let highest = 16
    /// Equal intervals of value that the sample is sorted into.
    private static let buckets = 256

    private let compute: Compute
    /// The sample: each number stands for `step` of them.
    private var values: [Float]
    private var count = 0
    private var step = 1
    private var weights: [Float]
    /// For each bucket the sum of its weights and of their squares.
    private var sums: [SIMD2<Double>]
    /// Ascending.
    private var best: [Float]

    init(_ compute: Compute) {
        self.compute = compute
        values = Array(repeating: 0, count: 2 * Self.size)
        weights = values
        sums = Array(repeating: SIMD2(), count: Self.buckets)
        best = Array(repeating: 0, count: Self.highest)
    }

    /// A value from which on candidates should be collected: mostly those that hold `share` of all masses are among them, and all of
    /// at least `least`. About a sixty-fourth of the vocabulary at least, and half of it at most, are of this value or more.
    mutating func border(of all: UnsafeBufferPointer<Float>, share: Double, least: Float, _ law: DrawLaw) -> Float {
        let isAll = unsafe take(all, floor: -.greatestFiniteMagnitude)
        if isAll { return -.greatestFiniteMagnitude }
        for place in best.indices { best[place] = -.greatestFiniteMagnitude }
        for index in 0..<count where values[index] > best[0] {
            var place = 0
            while place + 1 < best.count, best[place + 1] < values[index] {
                best[place] = best[place + 1]
                place += 1
            }
            best[place] = values[index]
        }
        var border = least
        if share < 1 {
            // The highest one may be in no sample.
            border = max(border, bounds(law, floor: -.greatestFiniteMagnitude) { sampled in (1 - share) * (sampled + 1) }.lower)
        }
        var above = 0
        for index in 0..<count { above += values[index] >= border ? step : 0 }
        return above <= all.count / 2 ? min(border, best[0]) : best[0]
    }

    /// Two values: the target is passed below `upper` and at `lower` or above, as far as the sample tells.
    ///
    /// Masses are summed from the lowest on. The highest few may hold most of all and be in no sample, but the others hold little
    /// each.
    /// - Parameter floor: a finite number; what is below it takes no part.
    /// - Parameter rest: the mass that is not passed, the highest one's being 1; told the mass of all as the sample has it.
    mutating func bounds(
        of all: UnsafeBufferPointer<Float>, _ law: DrawLaw, floor: Float, rest: (_ sampled: Double) -> Double
    ) -> (lower: Float, upper: Float) {
        _ = unsafe take(all, floor: floor)
        return bounds(law, floor: floor, rest: rest)
    }

    /// Takes the sample, without what is below `floor`. Returns whether it is all there are.
    private mutating func take(_ all: UnsafeBufferPointer<Float>, floor: Float) -> Bool {
        step = max(1, all.count / Self.size)
        count = 0
        for index in stride(from: step / 2, to: all.count, by: step) {
            unsafe values[count] = all[index]
            count += unsafe all[index] >= floor ? 1 : 0
        }
        return step == 1
    }

    private mutating func bounds(_ law: DrawLaw, floor: Float, rest: (Double) -> Double) -> (lower: Float, upper: Float) {
        guard count > 0 else { return (floor, .infinity) }
        let scale = unsafe values.withUnsafeBufferPointer {
            unsafe BucketScale(of: UnsafeBufferPointer(rebasing: $0[..<count]), buckets: Self.buckets)
        }
        guard let scale else { return (values[0], values[0].nextUp) }
        unsafe compute.drawWeights(values, law, count: count, into: &weights)
        for bucket in sums.indices { sums[bucket] = SIMD2() }
        for place in 0..<count {
            let weight = Double(weights[place])
            sums[scale.bucket(values[place])] += SIMD2(weight, weight * weight)
        }

        // From the lowest bucket on; index b stands for the value that is b buckets below the highest.
        let times = Double(step), perCount = 1 / Double(count)
        let remaining = rest(sums.reduce(0) { $0 + $1.x } * times)
        var below = SIMD2<Double>()
        var (lower, upper) = (Self.buckets, 0)
        for bucket in (0...Self.buckets).reversed() {
            // Within three deviations of the sum of a sample without replacement?
            let variance = (below.y - below.x * below.x * perCount) * (times * times - times)
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
        return (lower + 1 < Self.buckets ? scale.value(lower + 1) : floor, upper > 1 ? scale.value(upper - 1) : .infinity)
    }
}
