import HearthKernelTypes
import HearthKernels
import HearthTokens

/// A token that may be drawn, with its logit.
struct Candidate {
    var value: Float
    var id: Token
}

/// The candidates down to one of them, in the chain's order: higher value first, lower id of equals.
struct Prefix {
    /// The value of the last one.
    var value: Float
    /// Those of this value that are in it: the first ones by id.
    var equals: Int
    /// The last one.
    var last: Token = 0
}

/// A vocabulary in the chain's order, higher logits first and lower ids of equals, without ever being sorted.
///
/// What is asked for is always the candidate at which the masses of those before it pass a target (`DrawLaw`: integers, so that
/// their sums depend on no order). The pass that sums all masses also collects the highest candidates, as many as a sample tells
/// will be needed; where what is asked for is among them, as nearly always, nothing looks at the others again.
///
/// Among many, a sample tells between which two values it will be (Floyd and Rivest, "Expected time bounds for selection", 1975,
/// with weights); one vectorised pass sums exactly what is above and collects what is between, mostly a fifteenth. Where the sample
/// misled, the exact sums say so.
struct Candidates {
    /// Of so many no sample is taken: to go through them costs about as much.
    private static let few = 2048

    private let compute: Compute
    private var sample: CandidateSample
    private var buckets: CandidateBuckets
    private var parts: [DrawSum]
    /// The candidates of at least `border`.
    private var found: CandidatePool
    private var border = Float.infinity
    /// Those that are being collected.
    private var next: CandidatePool

    init(vocabulary: Int, compute: Compute) {
        self.compute = compute
        sample = CandidateSample(compute)
        buckets = CandidateBuckets(compute)
        parts = Array(repeating: DrawSum(), count: Compute.drawParts(vocabulary))
        found = CandidatePool(capacity: vocabulary)
        next = CandidatePool(capacity: vocabulary)
    }

    /// Begins with new logits. Returns the sum of all masses.
    ///
    /// - Parameter share: of all masses, what will be asked for at most; 1 where it is not known.
    /// - Parameter least: a finite number; nothing below it will be asked for.
    mutating func collect(_ logits: UnsafeBufferPointer<Float>, share: Double, least: Float, _ law: DrawLaw) -> UInt64 {
        border = unsafe sample.border(of: logits, share: share, least: least, law)
        let sum = unsafe cut(logits, law, least: -.greatestFiniteMagnitude, from: border, to: .infinity)
        swap(&found, &next)
        return sum
    }

    /// The sum of the masses of the candidates down to `prefix`. Of those that were collected, only these stay.
    mutating func sum(of prefix: Prefix, _ law: DrawLaw, in logits: UnsafeBufferPointer<Float>) -> UInt64 {
        let above = prefix.value.nextUp
        let equals = UInt64(prefix.equals) * compute.mass(of: prefix.value, law)
        guard border <= above else {
            return unsafe equals + compute.sumOfMasses(logits.baseAddress!, law, count: logits.count, from: above, through: &parts)
        }
        let lower = max(prefix.value, -.greatestFiniteMagnitude)
        let sum = unsafe cut(nil, law, least: max(above, lower), from: lower, to: .infinity)
        swap(&found, &next)
        border = max(border, lower)
        return sum + equals
    }

    /// The candidates down to the first at which the sum of masses passes `target`; nil where it never does.
    ///
    /// - Parameter total: the sum of all masses of at least `floor`, or about so much; nil where it is not known.
    /// - Parameter floor: a finite number; nothing below it is looked for.
    mutating func first(
        passing target: UInt64, of total: UInt64?, _ law: DrawLaw, floor: Float = -.greatestFiniteMagnitude,
        in logits: UnsafeBufferPointer<Float>
    ) -> Prefix? {
        // Among which candidates (nil are those that were found), and their mass.
        var pool: UnsafeBufferPointer<Float>? = unsafe logits
        var mass = total
        let sum = unsafe compute.sumOfMasses(found.values, law, count: found.count, through: &parts)
        if target < sum { unsafe (pool, mass) = (nil, sum) }

        var left = target
        if unsafe pool?.count ?? found.count <= Self.few {
            _ = unsafe cut(pool, law, least: .infinity, from: floor, to: .infinity)
        } else {
            let unit = Double(DrawLaw.unit)
            let (lower, upper) = unsafe bounds(pool, law, floor: floor) { sampled in
                (mass.map { Double($0) / unit } ?? sampled) - Double(target) / unit
            }
            var above = unsafe cut(pool, law, least: upper, from: lower, to: upper)
            if left < above {
                // It is higher.
                above = unsafe cut(pool, law, least: .infinity, from: upper, to: .infinity)
            } else if left - above >= sumOfNext(law) {
                // It is lower, if anywhere.
                guard lower > floor else { return nil }
                above = unsafe cut(pool, law, least: lower, from: floor, to: lower)
            }
            left -= above
        }
        return buckets.first(in: &next, passing: left, law)
    }

    private mutating func bounds(
        _ pool: UnsafeBufferPointer<Float>?, _ law: DrawLaw, floor: Float, rest: (Double) -> Double
    ) -> (lower: Float, upper: Float) {
        if let pool = unsafe pool { return unsafe sample.bounds(of: pool, law, floor: floor, rest: rest) }
        return unsafe found.values.withUnsafeBufferPointer {
            unsafe sample.bounds(of: UnsafeBufferPointer(rebasing: $0[..<found.count]), law, floor: floor, rest: rest)
        }
    }

    /// Collects the candidates below `upper` and at least at `lower`, a finite number, in `next`. Returns the sum of the masses of
    /// `least` and more.
    private mutating func cut(
        _ pool: UnsafeBufferPointer<Float>?, _ law: DrawLaw, least: Float, from lower: Float, to upper: Float
    ) -> UInt64 {
        unsafe parts.withUnsafeMutableBufferPointer { parts in
            unsafe next.values.withUnsafeMutableBufferPointer { values in
                unsafe next.ids.withUnsafeMutableBufferPointer { ids in
                    unsafe found.values.withUnsafeBufferPointer { foundValues in
                        unsafe found.ids.withUnsafeBufferPointer { foundIDs in
                            let cut = unsafe DrawCut(
                                pool?.baseAddress ?? foundValues.baseAddress!, ids: pool == nil ? foundIDs.baseAddress : nil,
                                count: pool?.count ?? found.count, law, least: least, lower: lower, upper: upper,
                                into: values.baseAddress!, ids.baseAddress!)
                            let sum = unsafe compute.run(cut, through: parts.baseAddress!)
                            next.count = sum.collected
                            return sum.mass
                        }
                    }
                }
            }
        }
    }

    private mutating func sumOfNext(_ law: DrawLaw) -> UInt64 {
        unsafe compute.sumOfMasses(next.values, law, count: next.count, through: &parts)
    }
}
