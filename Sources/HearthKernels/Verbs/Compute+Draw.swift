internal import HearthKernelTypes
internal import HearthKernelsPortable
#if arch(x86_64)
internal import HearthKernelsAVX2
#endif

/// What a sampler asks of a vocabulary: the same bits whatever the set and the number of threads, so that a seed gives the same
/// token on every machine. (`logSumExp` has the bits of its set.)
///
/// Work is cut into parts of `drawPart` numbers whatever the threads; results of parts are joined in order.
extension Compute {
    /// 32 KB: some 4 microseconds of exponentials; a vocabulary of 49,152 makes 6 of them, as many for each of two threads.
    package static let drawPart = 8_192

    /// Parts of `count` numbers.
    package static func drawParts(_ count: Int) -> Int { (count + drawPart - 1) / drawPart }

    /// The largest of each part into `largest`, `drawParts(count)` of them; NaN for a part with NaN or plus infinity.
    package func largestOfParts(_ x: UnsafePointer<Float>, count: Int, into largest: UnsafeMutablePointer<Float>) {
        unsafe run(LargestStep(set: set, x: x, largest: largest), items: count, perChunk: Self.drawPart) { context, part, _ in
            let split = unsafe context.assumingMemoryBound(to: Split<LargestStep>.self).pointee
            split.step.run(part, split.range(part))
        }
    }

    /// `out[i] = exp((x[i] - largest) * scale)` in Float32, what masses are rounded from; nearly 0 in place of 0.
    package func drawWeights(_ x: UnsafePointer<Float>, _ law: DrawLaw, count: Int, into out: UnsafeMutablePointer<Float>) {
        #if arch(x86_64)
        if set == .avx2 {
            return unsafe avx2Weights(x, count: count, below: law.largest, factor: law.factor, into: out)
        }
        #endif
        unsafe PortableMass(below: law.largest, factor: law.factor).weights(x, count: count, into: out)
    }

    /// The mass of one number.
    package func mass(of x: Float, _ law: DrawLaw) -> UInt64 {
        var weight: Float = 0
        unsafe withUnsafePointer(to: x) { unsafe drawWeights($0, law, count: 1, into: &weight) }
        return portableMass(weight)
    }

    /// The sum of the masses of `x`. `parts` has room for `drawParts(count)`.
    package func sumOfMasses(
        _ x: UnsafePointer<Float>, _ law: DrawLaw, count: Int, through parts: UnsafeMutablePointer<DrawPart>
    ) -> UInt64 {
        let step = unsafe MassStep(set: set, x: x, ids: nil, law: law, parts: parts, cut: nil)
        return run(step, count).above
    }

    /// The sum of the masses of what is `upper` or more; what is below it and at least `lower`, a finite number, goes into `values`
    /// and `ids`, in its order. Both, as `parts`, have the room of `x`. What `x` has no ids for is counted from 0.
    package func cutMasses(
        _ x: UnsafePointer<Float>, ids: UnsafePointer<Int32>?, _ law: DrawLaw, count: Int, lower: Float, upper: Float,
        into values: UnsafeMutablePointer<Float>, _ outIDs: UnsafeMutablePointer<Int32>,
        through parts: UnsafeMutablePointer<DrawPart>
    ) -> DrawPart {
        let cut = unsafe MassStep.Cut(lower: lower, upper: upper, values: values, ids: outIDs)
        var sum = unsafe run(MassStep(set: set, x: x, ids: ids, law: law, parts: parts, cut: cut), count)
        // Each part collected at its own place: close the ranks.
        sum.collected = 0
        for part in 0..<Self.drawParts(count) {
            let (start, collected) = unsafe (part * Self.drawPart, parts[part].collected)
            if start > sum.collected, collected > 0 {
                unsafe (values + sum.collected).update(from: values + start, count: collected)
                unsafe (outIDs + sum.collected).update(from: outIDs + start, count: collected)
            }
            sum.collected += collected
        }
        return sum
    }

    private func run(_ step: MassStep, _ count: Int) -> DrawPart {
        unsafe run(step, items: count, perChunk: Self.drawPart) { context, part, _ in
            let split = unsafe context.assumingMemoryBound(to: Split<MassStep>.self).pointee
            split.step.run(part, split.range(part))
        }
        var sum = DrawPart()
        for part in 0..<Self.drawParts(count) { unsafe sum.above &+= step.parts[part].above }
        return sum
    }
}

/// How a logit becomes a mass: `exp((x - largest) * scale)` in units of 2^-42, an integer, so that sums of masses depend on no order.
///
/// Half a unit is lost of each at most: of the largest one's mass, 2^-25 over 262,144 of them. 2^21 masses are below 2^63.
package struct DrawLaw: Sendable {
    /// No logit is above it.
    package let largest: Float
    /// Scale times log2(e).
    let factor: Float

    /// The mass of `largest` itself.
    package static let unit: UInt64 = 1 << 42
    /// Gives a unit to every logit but minus infinity.
    package static let equal = DrawLaw(below: 0, scale: 0)

    package init(below largest: Float, scale: Float) {
        self.largest = largest
        factor = Float(min(Double(scale) * 1.4426950408889634, Double(Float.greatestFiniteMagnitude)))
    }
}

/// What was found in a part of a vocabulary.
package struct DrawPart: Sendable {
    /// The sum of masses.
    package var above: UInt64 = 0
    package var collected = 0

    package init() {}
}

/// The largest numbers of parts.
@safe private struct LargestStep {
    let set: KernelSet
    let x: UnsafePointer<Float>
    let largest: UnsafeMutablePointer<Float>

    func run(_ part: Int, _ range: (first: Int, count: Int)) {
        #if arch(x86_64)
        if set == .avx2 {
            unsafe largest[part] = avx2Largest(x + range.first, count: range.count)
            return
        }
        #endif
        unsafe largest[part] = portableLargest(x + range.first, count: range.count)
    }
}

/// Sums of masses, of all or of what a cut leaves above.
@safe private struct MassStep {
    let set: KernelSet
    let x: UnsafePointer<Float>
    let ids: UnsafePointer<Int32>?
    let law: DrawLaw
    let parts: UnsafeMutablePointer<DrawPart>
    let cut: Cut?

    @safe struct Cut {
        let lower, upper: Float
        let values: UnsafeMutablePointer<Float>
        let ids: UnsafeMutablePointer<Int32>
    }

    func run(_ part: Int, _ range: (first: Int, count: Int)) {
        #if arch(x86_64)
        if set == .avx2 {
            guard let cut else {
                unsafe parts[part].above = avx2SumOfMasses(
                    x + range.first, count: range.count, below: law.largest, factor: law.factor)
                return
            }
            unsafe (parts[part].above, parts[part].collected) = avx2CutMasses(
                x + range.first, ids: ids.map { unsafe $0 + range.first }, first: Int32(truncatingIfNeeded: range.first),
                count: range.count, below: law.largest, factor: law.factor, lower: cut.lower, upper: cut.upper, into: cut.values + range.first, cut.ids + range.first)
            return
        }
        #endif
        let mass = PortableMass(below: law.largest, factor: law.factor)
        guard let cut else {
            unsafe parts[part].above = mass.sum(x + range.first, count: range.count)
            return
        }
        unsafe (parts[part].above, parts[part].collected) = mass.cut(
            x + range.first, ids: ids.map { unsafe $0 + range.first }, first: Int32(truncatingIfNeeded: range.first),
            count: range.count, lower: cut.lower, upper: cut.upper, into: cut.values + range.first, cut.ids + range.first)
    }
}
