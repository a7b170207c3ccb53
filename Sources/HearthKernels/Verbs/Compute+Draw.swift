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
    /// 64 KB: some 5 microseconds of exponentials, and a vocabulary of 262,144 makes 16 of them.
    package static let drawPart = 16_384

    /// Parts of `count` numbers.
    package static func drawParts(_ count: Int) -> Int { (count + drawPart - 1) / drawPart }

    /// The largest of each part into `largest`, `drawParts(count)` of them; NaN for a part with NaN or plus infinity.
    package func largestOfParts(_ x: UnsafePointer<Float>, count: Int, into largest: UnsafeMutablePointer<Float>) {
        let step = unsafe DrawStep(set: set, x: x, largest: 0, scale: 1, floats: largest, doubles: nil)
        unsafe run(step, items: count, perChunk: Self.drawPart) { context, chunk, _ in
            let split = unsafe context.assumingMemoryBound(to: Split<DrawStep>.self).pointee
            let (first, count) = split.range(chunk)
            split.step.findLargest(chunk, first, count)
        }
    }

    /// `sum(exp((x[i] - largest) * scale))`: terms in Float32, summed by runs of 1,024 and then in Double. `sums` has room for
    /// `drawParts(count)`.
    package func sumOfExponentials(
        _ x: UnsafePointer<Float>, largest: Float, scale: Float, count: Int, through sums: UnsafeMutablePointer<Double>
    ) -> Double {
        let step = unsafe DrawStep(set: set, x: x, largest: largest, scale: scale, floats: nil, doubles: sums)
        unsafe run(step, items: count, perChunk: Self.drawPart) { context, chunk, _ in
            let split = unsafe context.assumingMemoryBound(to: Split<DrawStep>.self).pointee
            let (first, count) = split.range(chunk)
            split.step.sum(chunk, first, count)
        }
        var sum = 0.0
        for part in 0..<Self.drawParts(count) { unsafe sum += sums[part] }
        return sum
    }

    /// The first index from `first` on whose number is at least `threshold`, which is finite; `count` where there is none.
    package func firstAtLeast(_ threshold: Float, in x: UnsafePointer<Float>, from first: Int, count: Int) -> Int {
        #if arch(x86_64)
        if set == .avx2 { return unsafe avx2FirstAtLeast(x, from: first, count: count, threshold: threshold) }
        #endif
        return unsafe portableFirstAtLeast(x, from: first, count: count, threshold: threshold)
    }

    /// `out[i] = exp((x[i] - largest) * scale)`, the terms that `sumOfExponentials` sums.
    package func drawWeights(
        _ x: UnsafePointer<Float>, largest: Float, scale: Float, count: Int, into out: UnsafeMutablePointer<Float>
    ) {
        #if arch(x86_64)
        if set == .avx2 { return unsafe avx2PlainExp(x, largest: largest, scale: scale, count: count, into: out) }
        #endif
        unsafe portableExp(x, largest: largest, scale: scale, count: count, into: out)
    }
}

/// One pass over a vocabulary, divided by parts.
@safe private struct DrawStep {
    let set: KernelSet
    let x: UnsafePointer<Float>
    let largest: Float
    let scale: Float
    let floats: UnsafeMutablePointer<Float>?
    let doubles: UnsafeMutablePointer<Double>?

    func findLargest(_ part: Int, _ first: Int, _ count: Int) {
        #if arch(x86_64)
        if set == .avx2 {
            unsafe floats![part] = avx2Largest(x + first, count: count)
            return
        }
        #endif
        unsafe floats![part] = portableLargest(x + first, count: count)
    }

    func sum(_ part: Int, _ first: Int, _ count: Int) {
        var sum = 0.0
        for start in stride(from: first, to: first + count, by: 1024) {
            let run = min(1024, first + count - start)
            #if arch(x86_64)
            if set == .avx2 {
                unsafe sum += Double(avx2SumScaledExp(x + start, largest: largest, scale: scale, count: run))
                continue
            }
            #endif
            unsafe sum += Double(portableSumScaledExp(x + start, largest: largest, scale: scale, count: run))
        }
        unsafe doubles![part] = sum
    }
}
