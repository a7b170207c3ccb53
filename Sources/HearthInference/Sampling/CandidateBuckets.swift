import HearthKernelTypes
import HearthKernels
import HearthTokens

/// Finds the candidate at which a sum of masses is passed, among some thousands: sums the masses of equal intervals of value, keeps
/// the interval in which it happens, and so on until few are left, which are put in order.
struct CandidateBuckets {
    /// So few are put in order.
    private static let few = 16
    /// Numbers that are weighed at once.
    private static let block = 512
    private static let buckets = 256

    private let compute: Compute
    private var weights: [Float]
    private var sums: [UInt64]

    init(_ compute: Compute) {
        self.compute = compute
        weights = Array(repeating: 0, count: Self.block)
        sums = Array(repeating: 0, count: Self.buckets)
    }

    /// As `Candidates.first`, among those of the pool; some of them are lost.
    mutating func first(in pool: inout CandidatePool, passing target: UInt64, _ law: DrawLaw) -> Prefix? {
        var left = target
        while pool.count > Self.few {
            let scale = unsafe pool.values.withUnsafeBufferPointer {
                unsafe BucketScale(of: UnsafeBufferPointer(rebasing: $0[..<pool.count]), buckets: Self.buckets)
            }
            guard let scale else {
                // Equals, in the order of their ids.
                let mass = compute.mass(of: pool.values[0], law)
                guard mass > 0, left / mass < pool.count else { return nil }
                let place = Int(left / mass)
                return Prefix(value: pool.values[0], equals: place + 1, last: pool.ids[place])
            }
            sum(pool, law, scale)
            var passed = 0
            while passed < sums.count, left >= sums[passed] {
                left -= sums[passed]
                passed += 1
            }
            if passed == sums.count { return nil }
            pool.keep { scale.bucket($0) == passed }
        }
        return order(&pool, passing: left, law)
    }

    /// The masses of each bucket.
    private mutating func sum(_ pool: CandidatePool, _ law: DrawLaw, _ scale: BucketScale) {
        unsafe pool.values.withUnsafeBufferPointer { values in
            unsafe weights.withUnsafeMutableBufferPointer { weights in
                unsafe sums.withUnsafeMutableBufferPointer { sums in
                    unsafe sums.update(repeating: 0)
                    for start in stride(from: 0, to: pool.count, by: Self.block) {
                        let count = min(Self.block, pool.count - start)
                        unsafe compute.drawWeights(values.baseAddress! + start, law, count: count, into: weights.baseAddress!)
                        for place in 0..<count {
                            unsafe sums[scale.bucket(values[start + place])] &+= DrawLaw.mass(weights[place])
                        }
                    }
                }
            }
        }
    }

    /// As `first`, of a few, which are put in order.
    private func order(_ few: inout CandidatePool, passing target: UInt64, _ law: DrawLaw) -> Prefix? {
        for index in 1..<max(1, few.count) {
            let moving = (value: few.values[index], id: few.ids[index])
            var place = index
            // They stand in the order of ids, so that equals stay where they are.
            while place > 0, few.values[place - 1] < moving.value {
                few.values[place] = few.values[place - 1]
                few.ids[place] = few.ids[place - 1]
                place -= 1
            }
            few.values[place] = moving.value
            few.ids[place] = moving.id
        }
        var sum: UInt64 = 0
        var equals = 0
        for index in 0..<few.count {
            equals = index > 0 && few.values[index] == few.values[index - 1] ? equals + 1 : 1
            sum += compute.mass(of: few.values[index], law)
            if sum > target { return Prefix(value: few.values[index], equals: equals, last: few.ids[index]) }
        }
        return nil
    }
}
