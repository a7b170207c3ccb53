package import HearthKernelTypes
internal import HearthKernelsPortable
#if arch(x86_64)
internal import HearthKernelsAVX2
internal import HearthKernelsAVX512
#endif
internal import Synchronization

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
        counters.drawNumbers.add(count, ordering: .relaxed)
        unsafe run(LargestStep(set: set, x: x, largest: largest), items: count, perChunk: Self.drawPart) { context, part, _ in
            let split = unsafe context.assumingMemoryBound(to: Split<LargestStep>.self).pointee
            split.step.run(part, split.range(part))
        }
    }

    /// `out[i] = exp((x[i] - largest) * scale)` in Float32, what masses are rounded from; nearly 0 in place of 0.
    package func drawWeights(_ x: UnsafePointer<Float>, _ law: DrawLaw, count: Int, into out: UnsafeMutablePointer<Float>) {
        counters.drawNumbers.add(count, ordering: .relaxed)
        #if arch(x86_64)
        if set == .avx2 {
            return unsafe avx2Weights(x, count: count, law, into: out)
        }
        #endif
        unsafe PortableMass(law).weights(x, count: count, into: out)
    }

    /// The mass of one number.
    package func mass(of x: Float, _ law: DrawLaw) -> UInt64 {
        var weight: Float = 0
        unsafe withUnsafePointer(to: x) { unsafe drawWeights($0, law, count: 1, into: &weight) }
        return DrawLaw.mass(weight)
    }

    /// The sum of the masses of those `x` of at least `least`. `parts` has room for `drawParts(count)`.
    package func sumOfMasses(
        _ x: UnsafePointer<Float>, _ law: DrawLaw, count: Int, from least: Float = -.greatestFiniteMagnitude,
        through parts: UnsafeMutablePointer<DrawSum>
    ) -> UInt64 {
        unsafe run(DrawCut(x, count: count, law, least: least), through: parts).mass
    }

    /// A pass over numbers, `DrawCut.first` being 0. `parts` has room for `drawParts(cut.count)`.
    package func run(_ cut: DrawCut, through parts: UnsafeMutablePointer<DrawSum>) -> DrawSum {
        let step = unsafe CutStep(set: set, usesAVX512: usesVNNI, cut: cut, parts: parts)
        let count = unsafe cut.count
        counters.drawNumbers.add(count, ordering: .relaxed)
        unsafe run(step, items: count, perChunk: Self.drawPart) { context, part, _ in
            let split = unsafe context.assumingMemoryBound(to: Split<CutStep>.self).pointee
            split.step.run(part, split.range(part))
        }
        var sum = DrawSum()
        for part in 0..<Self.drawParts(count) {
            let found = unsafe parts[part]
            sum.mass &+= found.mass
            // Each part collected at its own place: close the ranks.
            let start = part * Self.drawPart
            if start > sum.collected, found.collected > 0, let values = unsafe cut.outValues, let ids = unsafe cut.outIDs {
                unsafe (values + sum.collected).update(from: values + start, count: found.collected)
                unsafe (ids + sum.collected).update(from: ids + start, count: found.collected)
            }
            sum.collected += found.collected
        }
        return sum
    }
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

/// A pass over parts.
@safe private struct CutStep {
    let set: KernelSet
    let usesAVX512: Bool
    let cut: DrawCut
    let parts: UnsafeMutablePointer<DrawSum>

    func run(_ part: Int, _ range: (first: Int, count: Int)) {
        let cut = unsafe cut.part(range)
        #if arch(x86_64)
        if set == .avx2 {
            unsafe parts[part] = usesAVX512 ? avx512Cut(cut) : avx2Cut(cut)
            return
        }
        #endif
        unsafe parts[part] = PortableMass(cut.law).run(cut)
    }
}
