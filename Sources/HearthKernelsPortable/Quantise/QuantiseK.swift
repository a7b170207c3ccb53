// The K formats: sub-blocks with scales of their own, which are whole multiples of a scale of the block.

/// 8 sub-blocks of 32 with a scale and a minimum each: y = d sc q - dmin m, q of 0 ... 15.
///
/// Scale and minimum are fitted to each sub-block, then rounded to 6 bits of the block's, and the codes are chosen anew
/// for the rounded ones.
func quantiseQ4_K(_ x: Floats, _ out: MutableBytes) {
    var scales = InlineArray<8, Float>(repeating: 0)
    var minima = InlineArray<8, Float>(repeating: 0)
    var (largestScale, largestMinimum): (Float, Float) = (0, 0)
    for j in 0..<8 {
        let (scale, minimum) = fitAffine(x + 32 * j)
        scales[j] = scale
        minima[j] = minimum
        largestScale = max(largestScale, scale)
        largestMinimum = max(largestMinimum, minimum)
    }
    let (d, dmin) = (storedScale(largestScale / 63), storedScale(largestMinimum / 63))
    out.store(d.bits, 0)
    out.store(dmin.bits, 2)

    for j in 0..<12 { out.store(UInt8(0), 4 + j) }
    for j in 0..<8 {
        let scale = code(scales[j], d.value, 0, 63)
        let minimum = code(minima[j], dmin.value, 0, 63)
        // The layout that `scaleAndMinimum` reads.
        func add(_ bits: Int, _ place: Int) { out.store(out.load(4 + place, as: UInt8.self) | UInt8(bits), 4 + place) }
        if j < 4 {
            add(scale, j)
            add(minimum, j + 4)
        } else {
            add(scale & 15 | (minimum & 15) << 4, j + 4)
            add((scale >> 4) << 6, j - 4)
            add((minimum >> 4) << 6, j)
        }
        let (ds, dm) = (d.value * Float(scale), dmin.value * Float(minimum))
        for l in 0..<32 {
            let q = UInt8(code(x[32 * j + l] + dm, ds, 0, 15))
            let place = 16 + j / 2 * 32 + l
            out.store(j % 2 == 0 ? q : out.load(place, as: UInt8.self) | q << 4, place)
        }
    }
}

/// Scale and minimum (taken away, 0 or more) with which 32 values have small squared error in codes of 0 ... 15.
///
/// Starts with the whole range; then tries grids that are up to a step finer or coarser and solves for the best scale and
/// minimum with the codes that each gives.
private func fitAffine(_ x: Floats) -> (scale: Float, minimum: Float) {
    var (low, high): (Float, Float) = (0, x[0])  // a minimum above 0 cannot be stored
    for i in 0..<32 {
        low = min(low, x[i])
        high = max(high, x[i])
    }
    let range = high - low
    if range <= 0 { return (0, -low) }
    func error(_ scale: Float, _ minimum: Float) -> Float {
        var sum: Float = 0
        for i in 0..<32 {
            let difference = scale * Float(code(x[i] + minimum, scale, 0, 15)) - minimum - x[i]
            sum += difference * difference
        }
        return sum
    }
    var best = (scale: range / 15, minimum: -low)
    var least = error(best.scale, best.minimum)
    for step in 0..<9 {
        // 14 to 16 steps over the range.
        let grid = range / (14 + 0.25 * Float(step))
        var (sumQ, sumQQ, sumX, sumQX): (Float, Float, Float, Float) = (0, 0, 0, 0)
        for i in 0..<32 {
            let q = Float(code(x[i] - low, grid, 0, 15))
            sumQ += q
            sumQQ += q * q
            sumX += x[i]
            sumQX += q * x[i]
        }
        // Least squares of x = scale q - minimum.
        let determinant = 32 * sumQQ - sumQ * sumQ
        if determinant <= 0 { continue }
        var scale = (32 * sumQX - sumQ * sumX) / determinant
        var minimum = (sumQ * sumQX - sumQQ * sumX) / determinant
        if minimum < 0, sumQQ > 0 { (scale, minimum) = (sumQX / sumQQ, 0) }
        if !(scale > 0) || !(scale.isFinite && minimum.isFinite) { continue }
        let sum = error(scale, minimum)
        if sum < least { (best, least) = ((scale, minimum), sum) }
    }
    return best
}

/// 16 sub-blocks of 16 with a signed 8-bit scale each: y = d sc (q - 32), q of 0 ... 63.
func quantiseQ6_K(_ x: Floats, _ out: MutableBytes) {
    var scales = InlineArray<16, Float>(repeating: 0)
    var extreme: Float = 0
    for j in 0..<16 {
        // The value of largest magnitude becomes -32: the wider side of -32 ... 31.
        var largest: Float = 0
        for i in 0..<16 where abs(x[16 * j + i]) > abs(largest) { largest = x[16 * j + i] }
        scales[j] = largest / -32
        if abs(scales[j]) > abs(extreme) { extreme = scales[j] }
    }
    let d = storedScale(extreme / -128)
    out.store(d.bits, 208)
    for i in 0..<192 { out.store(UInt8(0), i) }
    for j in 0..<16 {
        let scale = code(scales[j], d.value, -128, 127)
        out.store(Int8(scale), 192 + j)
        let ds = d.value * Float(scale)
        for i in 0..<16 {
            let q = code(x[16 * j + i], ds, -32, 31) + 32
            let (h, s, l) = ((16 * j + i) / 128, (16 * j + i) % 128 / 32, (16 * j + i) % 32)
            func add(_ bits: Int, _ place: Int) { out.store(out.load(place, as: UInt8.self) | UInt8(bits), place) }
            add((q & 15) << (s / 2 * 4), 64 * h + 32 * (s % 2) + l)
            add((q >> 4) << (2 * s), 128 + 32 * h + l)
        }
    }
}
