// What a sampler asks of a vocabulary.

/// The largest number, NaN where one is NaN or plus infinity; minus infinity of none.
package func portableLargest(_ x: UnsafePointer<Float>, count: Int) -> Float {
    var most = Lanes(repeating: -.infinity)
    // x * 0 is NaN where x is NaN or infinite.
    var poison = Lanes(repeating: 0)
    var i = 0
    while i + 8 <= count {
        let v = loadLanes(x + i)
        most = most.replacing(with: v, where: v .> most)  // never where v is NaN
        poison += v * 0
        i += 8
    }
    var largest = -Float.infinity
    for lane in 0..<8 where most[lane] > largest { largest = most[lane] }
    var rest: Float = 0
    while i < count {
        if x[i] > largest { largest = x[i] }
        rest += x[i] * 0
        i += 1
    }
    if largest == .infinity { return .nan }
    // Minus infinity does no harm: look again, for NaN alone.
    if (sumOfLanes(poison) + rest).isNaN {
        for j in 0..<count where x[j].isNaN { return .nan }
    }
    return largest
}

/// The first index from `first` on whose number is at least `threshold`, which is finite; `count` where there is none.
package func portableFirstAtLeast(_ x: UnsafePointer<Float>, from first: Int, count: Int, threshold: Float) -> Int {
    var i = first
    while i + 8 <= count {
        // The largest of eight without branches, then one look.
        let v = loadLanes(x + i)
        let four = pointwiseMax(v.lowHalf, v.highHalf)
        let two = pointwiseMax(four.lowHalf, four.highHalf)
        if two[0] >= threshold || two[1] >= threshold { break }
        i += 8
    }
    while i < count {
        if x[i] >= threshold { return i }
        i += 1
    }
    return count
}

/// Sum of `exp((x[i] - largest) * scale)` over at most some thousands of numbers, in 8 running sums.
package func portableSumScaledExp(_ x: UnsafePointer<Float>, largest: Float, scale: Float, count: Int) -> Float {
    var a = Lanes(repeating: 0)
    var i = 0
    while i + 8 <= count {
        a += lanesExp((loadLanes(x + i) - largest) * scale)
        i += 8
    }
    var rest: Float = 0
    while i < count {
        rest += lanesExp(Lanes(repeating: (x[i] - largest) * scale))[0]
        i += 1
    }
    return sumOfLanes(a) + rest
}
