internal import HearthKernelTypes
internal import HearthKernelsPortable
#if arch(x86_64)
internal import HearthKernelsAVX2
#endif

extension Compute {
    /// Index of the largest number, the lowest index of equals; NaN is never larger. -1 where nothing is above minus infinity.
    package func argMax(_ x: UnsafePointer<Float>, count: Int) -> Int {
        switch set {
        case .reference: return unsafe referenceArgMax(x, count: count)
        #if arch(x86_64)
        case .avx2: return unsafe avx2ArgMax(x, count: count)
        #endif
        default: return unsafe portableArgMax(x, count: count)
        }
    }

    /// `log(sum(exp(x[i])))`: the log-probability of i is `x[i]` minus this. Terms in Float32 are summed in Double by runs of 1,024,
    /// so that a vocabulary of 262,144 loses no more than one of a hundred.
    package func logSumExp(_ x: UnsafePointer<Float>, count: Int) -> Double {
        guard set != .reference else { return unsafe referenceLogSumExp(x, count: count) }
        let best = unsafe argMax(x, count: count)
        guard best >= 0 else { return -.infinity }
        let largest = unsafe x[best]
        guard largest.isFinite else { return Double(largest) }
        var sum: Double = 0
        var first = 0
        while first < count {
            let run = min(1024, count - first)
            sum += unsafe Double(sumExp(x + first, largest: largest, count: run))
            first += run
        }
        return Double(largest) + Mathematics.log(sum)
    }

    private func sumExp(_ x: UnsafePointer<Float>, largest: Float, count: Int) -> Float {
        #if arch(x86_64)
        if set == .avx2 { return unsafe avx2SumExp(x, largest: largest, count: count) }
        #endif
        return unsafe portableSumExp(x, largest: largest, count: count)
    }
}
