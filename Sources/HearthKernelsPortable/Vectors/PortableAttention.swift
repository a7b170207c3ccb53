package import HearthKernelTypes

// Attention over one block of 128 positions; the formulas are in AttentionChunk.
//
// Without an instruction for half floats a conversion costs more than the products, so blocks of other types are made Float32
// first, once for all rows. Then 2 queries by 16 positions and 2 rows by 16 outputs: 16 registers of 4 hold the 8 sums, the
// loads and the broadcasts.

package func portableAttendChunk(_ chunk: UnsafePointer<AttentionChunk>) {
    let rows = chunk.pointee.rows
    var low = 128, high = 0
    for row in 0..<rows {
        let l = Int(chunk.pointee.lows[row]), h = Int(chunk.pointee.highs[row])
        if l < h {
            low = min(low, l)
            high = max(high, h)
        }
    }
    let firstPair = low >> 4, endPair = (high + 15) >> 4
    let (keyWidth, valueWidth) = (chunk.pointee.keyWidth, chunk.pointee.valueWidth)
    var keys = chunk.pointee.keys.assumingMemoryBound(to: Float.self)
    var block = chunk.pointee.values.assumingMemoryBound(to: Float.self)
    if chunk.pointee.type != .f32 && low < high {
        let expandedKeys = chunk.pointee.expanded
        let expandedValues = expandedKeys + 128 * keyWidth
        expandKeys(chunk, firstPair * 2, endPair * 2, into: expandedKeys)
        expandValues(chunk, low, high, into: expandedValues)
        keys = UnsafePointer(expandedKeys)
        block = UnsafePointer(expandedValues)
    }
    var row = 0
    while row < rows && firstPair < endPair {
        let q = chunk.pointee.queries + row * keyWidth, out = chunk.pointee.scores + row * 128
        if row + 1 < rows {
            scores(keys, keyWidth, q, q + keyWidth, firstPair, endPair, into: out, out + 128)
        } else {
            scores(keys, keyWidth, q, q, firstPair, endPair, into: out, out)
        }
        row += 2
    }
    for row in 0..<rows { weigh(chunk, row, firstPair * 16, endPair * 16) }
    row = 0
    while row < rows {
        let w = chunk.pointee.scores + row * 128, out = chunk.pointee.sumsOfValues + row * valueWidth
        if row + 1 < rows {
            values(block, valueWidth, w, w + 128, low, high, into: out, out + valueWidth)
        } else {
            values(block, valueWidth, w, w, low, high, into: out, out)
        }
        row += 2
    }
}

/// Groups `first ..< end` of keys as Float32, in the same order.
private func expandKeys(_ chunk: UnsafePointer<AttentionChunk>, _ first: Int, _ end: Int, into out: UnsafeMutablePointer<Float>) {
    let width = chunk.pointee.keyWidth
    if chunk.pointee.type == .f16 {
        expandHalves(chunk.pointee.keys, first * width * 8, end * width * 8, into: out)
        return
    }
    let blocks = width / 32
    for group in first..<end {
        for b in 0..<blocks {
            let scaleBits = UnsafeRawPointer(chunk.pointee.keyScales + (group * blocks + b) * 8)
            let scale = lanesFromHalves(scaleBits.loadUnaligned(as: SIMD8<UInt16>.self))
            for d in b * 32..<(b + 1) * 32 {
                let index = (group * width + d) * 8
                storeLanes(out + index, codes(chunk.pointee.keys + index) * scale)
            }
        }
    }
}

/// Positions `low ..< high` of values as Float32, in the same order.
private func expandValues(_ chunk: UnsafePointer<AttentionChunk>, _ low: Int, _ high: Int, into out: UnsafeMutablePointer<Float>) {
    let width = chunk.pointee.valueWidth
    if chunk.pointee.type == .f16 {
        expandHalves(chunk.pointee.values, low * width, high * width, into: out)
        return
    }
    for p in low..<high {
        for b in 0..<width / 32 {
            let scale = floatFromHalf(chunk.pointee.valueScales[p * (width / 32) + b])
            for i in 0..<4 {
                let index = p * width + b * 32 + i * 8
                storeLanes(out + index, codes(chunk.pointee.values + index) * scale)
            }
        }
    }
}

private func expandHalves(_ p: UnsafeRawPointer, _ first: Int, _ end: Int, into out: UnsafeMutablePointer<Float>) {
    var i = first
    while i < end {
        storeLanes(out + i, lanesFromHalves((p + i * 2).loadUnaligned(as: SIMD8<UInt16>.self)))
        i += 8
    }
}

@inline(__always)
private func codes(_ p: UnsafeRawPointer) -> Lanes {
    // Bytes with their sign turned into an offset: exact in Float32.
    floats(widened(p.loadUnaligned(as: SIMD8<UInt8>.self) ^ 128)) - 128
}

/// Scores of two rows, 16 positions at a time. (One row is given twice: the same numbers are stored twice.)
private func scores(
    _ keys: UnsafePointer<Float>, _ width: Int, _ q0: UnsafePointer<Float>, _ q1: UnsafePointer<Float>, _ firstPair: Int,
    _ endPair: Int, into out0: UnsafeMutablePointer<Float>, _ out1: UnsafeMutablePointer<Float>
) {
    for pair in firstPair..<endPair {
        var a0 = Lanes(repeating: 0), b0 = a0, a1 = a0, b1 = a0
        let first = keys + pair * 2 * width * 8
        let second = first + width * 8
        for d in 0..<width {
            let ka = loadLanes(first + d * 8), kb = loadLanes(second + d * 8)
            a0 += q0[d] * ka
            b0 += q0[d] * kb
            a1 += q1[d] * ka
            b1 += q1[d] * kb
        }
        storeLanes(out0 + pair * 16, a0)
        storeLanes(out0 + pair * 16 + 8, b0)
        storeLanes(out1 + pair * 16, a1)
        storeLanes(out1 + pair * 16 + 8, b1)
    }
}

/// One row of scores, slots `first ..< end` (multiples of 16), to weights: zero where the row does not look.
private func weigh(_ chunk: UnsafePointer<AttentionChunk>, _ row: Int, _ first: Int, _ end: Int) {
    let low = Int(chunk.pointee.lows[row]), high = Int(chunk.pointee.highs[row])
    let s = chunk.pointee.scores + row * 128
    guard low < high else {
        var i = first
        while i < end {
            s[i] = 0
            i += 1
        }
        chunk.pointee.maxima[row] = -.infinity
        chunk.pointee.sums[row] = 0
        return
    }
    let cap = chunk.pointee.softCap
    var maximum = -Float.infinity
    var i = first
    while i < end {
        if cap > 0 { storeLanes(s + i, lanesTanh(loadLanes(s + i) / cap) * cap) }
        for lane in i..<i + 8 {
            if lane < low || lane >= high { s[lane] = -.infinity }
            if s[lane] > maximum { maximum = s[lane] }
        }
        i += 8
    }
    var sum = Lanes(repeating: 0)
    i = first
    while i < end {
        let w = lanesExp(loadLanes(s + i) - maximum)
        storeLanes(s + i, w)
        sum += w
        i += 8
    }
    chunk.pointee.maxima[row] = maximum
    chunk.pointee.sums[row] = sumOfLanes(sum)
}

/// Weighted sums of values for two rows, 16 outputs at a time, then 8.
private func values(
    _ block: UnsafePointer<Float>, _ width: Int, _ w0: UnsafePointer<Float>, _ w1: UnsafePointer<Float>, _ low: Int,
    _ high: Int, into out0: UnsafeMutablePointer<Float>, _ out1: UnsafeMutablePointer<Float>
) {
    var d = 0
    while d + 16 <= width {
        var a0 = Lanes(repeating: 0), b0 = a0, a1 = a0, b1 = a0
        var p = low
        while p < high {
            let v0 = loadLanes(block + p * width + d), v1 = loadLanes(block + p * width + d + 8)
            a0 += w0[p] * v0
            b0 += w0[p] * v1
            a1 += w1[p] * v0
            b1 += w1[p] * v1
            p += 1
        }
        storeLanes(out0 + d, a0)
        storeLanes(out0 + d + 8, b0)
        storeLanes(out1 + d, a1)
        storeLanes(out1 + d + 8, b1)
        d += 16
    }
    if d < width {
        var a0 = Lanes(repeating: 0), a1 = a0
        var p = low
        while p < high {
            let v = loadLanes(block + p * width + d)
            a0 += w0[p] * v
            a1 += w1[p] * v
            p += 1
        }
        storeLanes(out0 + d, a0)
        storeLanes(out1 + d, a1)
    }
}

/// Adds one block's result to what is known of a row: both are brought to the larger maximum.
package func portableMergeChunk(
    _ state: UnsafePointer<AttentionState>, maximum: Float, sum: Float, values: UnsafePointer<Float>, width: Int
) {
    guard maximum > -.infinity || maximum != maximum else { return }
    let old = state.pointee.maximum.pointee
    let new = maximum > old ? maximum : old
    let a = lanesExp(Lanes(repeating: old - new))[0], b = lanesExp(Lanes(repeating: maximum - new))[0]
    state.pointee.maximum.pointee = new
    state.pointee.sum.pointee = state.pointee.sum.pointee * a + sum * b
    let total = state.pointee.values
    var d = 0
    while d < width {
        storeLanes(total + d, loadLanes(total + d) * a + loadLanes(values + d) * b)
        d += 8
    }
}

/// `out[d] = values[d] / sum` for `width` numbers, with the sink's weight in the sum where there is one.
package func portableFinishRow(
    _ state: UnsafePointer<AttentionState>, hasSink: Bool, sink: Float, width: Int, into out: UnsafeMutablePointer<Float>
) {
    var factor: Float = 1
    var sum = state.pointee.sum.pointee
    if hasSink {
        let old = state.pointee.maximum.pointee
        let new = sink > old ? sink : old
        factor = lanesExp(Lanes(repeating: old - new))[0]
        sum = sum * factor + lanesExp(Lanes(repeating: sink - new))[0]
    }
    factor = factor / sum
    let values = state.pointee.values
    for d in 0..<width { out[d] = values[d] * factor }
}
