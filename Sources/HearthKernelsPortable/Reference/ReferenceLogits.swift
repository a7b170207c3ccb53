/// Index of the largest number, the lowest index of equals; NaN is never larger. -1 where no number is larger than minus infinity.
package func referenceArgMax(_ x: UnsafePointer<Float>, count: Int) -> Int {
    var best = -1
    var largest = -Float.infinity
    for i in 0..<count where x[i] > largest {
        largest = x[i]
        best = i
    }
    return best
}

/// `log(sum(exp(x[i])))`, shifted by the maximum so that nothing overflows.
package func referenceLogSumExp(_ x: UnsafePointer<Float>, count: Int) -> Double {
    var largest = -Float.infinity
    for i in 0..<count { largest = max(largest, x[i]) }
    guard largest.isFinite else { return Double(largest) }
    var sum: Double = 0
    for i in 0..<count { sum += scalarExp(Double(x[i]) - Double(largest)) }
    return Double(largest) + scalarLog(sum)
}
