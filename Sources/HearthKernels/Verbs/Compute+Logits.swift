internal import HearthKernelsPortable

extension Compute {
    /// Index of the largest number, the lowest index of equals; NaN is never larger. -1 where nothing is above minus infinity.
    package func argMax(_ x: UnsafePointer<Float>, count: Int) -> Int { unsafe referenceArgMax(x, count: count) }

    /// `log(sum(exp(x[i])))`: the log-probability of i is `x[i]` minus this.
    package func logSumExp(_ x: UnsafePointer<Float>, count: Int) -> Double { unsafe referenceLogSumExp(x, count: count) }
}
