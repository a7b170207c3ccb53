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
/// their sums depend on no order). A sample tells between which two values it will be (Floyd and Rivest, "Expected time bounds for
/// selection", 1975, with weights); one vectorised pass sums exactly what is above and collects what is between; then the same
/// among those, mostly a fifteenth, until few are left. Where a sample misled, the exact sums say so.
struct Candidates {
    /// So few are put in order.
    private static let few = 16

    private let compute: Compute
    private var sample: CandidateSample
    private var parts: [DrawPart]
    /// Candidates that were collected last, and those that are being collected from them.
    private var found: Pool
    private var next: Pool

    /// Candidates in the order of their ids.
    private struct Pool {
        var values: [Float]
        var ids: [Token]
        var count = 0

        init(capacity: Int) {
            values = Array(repeating: 0, count: capacity)
            ids = Array(repeating: 0, count: capacity)
        }
    }

    init(vocabulary: Int, compute: Compute) {
        self.compute = compute
        sample = CandidateSample(compute)
        parts = Array(repeating: DrawPart(), count: Compute.drawParts(vocabulary))
        found = Pool(capacity: vocabulary)
        next = Pool(capacity: vocabulary)
    }

    /// The sum of the masses of the candidates down to `prefix`.
    mutating func sum(of prefix: Prefix, _ law: DrawLaw, in logits: UnsafeBufferPointer<Float>) -> UInt64 {
        let above = unsafe cut(logits, law, from: prefix.value.nextUp, to: prefix.value.nextUp)
        return above + UInt64(prefix.equals) * compute.mass(of: prefix.value, law)
    }

    /// The candidates down to the first at which the sum of masses passes `target`; nil where it never does.
    ///
    /// - Parameter total: the sum of all masses of at least `floor`, or about so much; nil where it is not known.
    /// - Parameter floor: a finite number; nothing below it is looked for.
    mutating func first(
        passing target: UInt64, of total: UInt64?, _ law: DrawLaw, floor: Float = -.greatestFiniteMagnitude,
        in logits: UnsafeBufferPointer<Float>
    ) -> Prefix? {
        // What is still to be passed, among which candidates (nil are those that were found), and their mass.
        var left = target
        var pool: UnsafeBufferPointer<Float>? = unsafe logits
        var mass = total
        var count = logits.count
        var isSampled = true
        while true {
            if unsafe pool == nil, found.count <= Self.few { return order(passing: left, law) }
            let (lower, upper) = unsafe bounds(pool, ofAll: !isSampled, passing: left, of: mass, law, floor: floor)
            var above = unsafe cut(pool, law, from: lower, to: upper)
            var between = sumOfNext(law)
            if left < above {
                // It is higher.
                between = above
                above = unsafe cut(pool, law, from: upper, to: .infinity)
            } else if left - above >= between {
                // It is lower, if anywhere.
                guard lower > floor else { return nil }
                above = unsafe cut(pool, law, from: floor, to: lower)
                between = sumOfNext(law)
                if left - above >= between { return nil }
            } else if upper == lower.nextUp {
                // Equals, in the order of their ids.
                let place = Int((left - above) / (between / UInt64(next.count)))
                return Prefix(value: lower, equals: place + 1, last: next.ids[place])
            }
            left -= above
            mass = between
            // A sample that says little is replaced by all: of those, either the highest or the lowest is always left behind.
            isSampled = next.count < count / 2
            count = next.count
            swap(&found, &next)
            unsafe pool = nil
        }
    }

    private mutating func bounds(
        _ pool: UnsafeBufferPointer<Float>?, ofAll: Bool, passing target: UInt64, of total: UInt64?, _ law: DrawLaw, floor: Float
    ) -> (lower: Float, upper: Float) {
        if let pool = unsafe pool {
            return unsafe sample.bounds(of: pool, ofAll: ofAll, passing: target, of: total, law, floor: floor)
        }
        return unsafe found.values.withUnsafeBufferPointer {
            let pool = unsafe UnsafeBufferPointer(rebasing: $0[..<found.count])
            return unsafe sample.bounds(of: pool, ofAll: ofAll, passing: target, of: total, law, floor: floor)
        }
    }

    /// Collects the candidates below `upper` and at least at `lower`, a finite number, in `next`. Returns the sum of the masses of
    /// `upper` and more.
    private mutating func cut(
        _ pool: UnsafeBufferPointer<Float>?, _ law: DrawLaw, from lower: Float, to upper: Float
    ) -> UInt64 {
        unsafe parts.withUnsafeMutableBufferPointer { parts in
            unsafe next.values.withUnsafeMutableBufferPointer { values in
                unsafe next.ids.withUnsafeMutableBufferPointer { ids in
                    unsafe found.values.withUnsafeBufferPointer { foundValues in
                        unsafe found.ids.withUnsafeBufferPointer { foundIDs in
                            let sum = unsafe compute.cutMasses(
                                pool?.baseAddress ?? foundValues.baseAddress!, ids: pool == nil ? foundIDs.baseAddress : nil,
                                law, count: pool?.count ?? found.count, lower: lower, upper: upper,
                                into: values.baseAddress!, ids.baseAddress!, through: parts.baseAddress!)
                            next.count = sum.collected
                            return sum.above
                        }
                    }
                }
            }
        }
    }

    private mutating func sumOfNext(_ law: DrawLaw) -> UInt64 {
        unsafe compute.sumOfMasses(next.values, law, count: next.count, through: &parts)
    }

    /// As `first`, among the few that were found.
    private mutating func order(passing target: UInt64, _ law: DrawLaw) -> Prefix? {
        for index in 1..<max(1, found.count) {
            let moving = Candidate(value: found.values[index], id: found.ids[index])
            var place = index
            // They stand in the order of ids, so that equals stay where they are.
            while place > 0, found.values[place - 1] < moving.value {
                found.values[place] = found.values[place - 1]
                found.ids[place] = found.ids[place - 1]
                place -= 1
            }
            found.values[place] = moving.value
            found.ids[place] = moving.id
        }
        var sum: UInt64 = 0
        var equals = 0
        for index in 0..<found.count {
            equals = index > 0 && found.values[index] == found.values[index - 1] ? equals + 1 : 1
            sum += compute.mass(of: found.values[index], law)
            if sum > target { return Prefix(value: found.values[index], equals: equals, last: found.ids[index]) }
        }
        return nil
    }
}
