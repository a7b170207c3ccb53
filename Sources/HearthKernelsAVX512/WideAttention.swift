#if arch(x86_64)
internal import CIntrinsics
package import HearthKernelTypes

// Attention over one block of 128 positions on processors with AVX-512; the formulas are in AttentionChunk.
//
// A register holds the scores of 16 positions, or 16 outputs, where the AVX2 kernels have two of 8: every lane takes the same
// steps, and what goes across lanes (the largest score, the sum of the weights) is done in eights, in the same order. So the bits
// are those of the AVX2 kernels.
//
// Many rows: 12 rows by 16 lanes, so that a converted key or value serves 12 fused products whose other factor is an operand in
// memory (by 32 lanes measured a sixth slower on Zen 4). Few rows (decode): up to 6 rows by 64 lanes.

package func avx512AttendChunk(_ chunk: UnsafePointer<AttentionChunk>) {
    let rows = unsafe chunk.pointee.rows
    var row = 0
    while row < rows {
        // Twelve while there are so many, then six; seven are four and three, eight four and four.
        let left = rows - row
        let count = left >= 12 ? 12 : left > 8 ? 6 : left > 6 ? 4 : left
        // Slots that any row of them sees.
        var low = 128, high = 0
        for r in row..<row + count {
            let (l, h) = unsafe (Int(chunk.pointee.lows[r]), Int(chunk.pointee.highs[r]))
            if l < h {
                if l < low { low = l }
                if h > high { high = h }
            }
        }
        // Registers of 16 positions. What lies beyond `high` in the last is computed and masked.
        let first = low >> 4, end = (high + 15) >> 4
        switch count {
        case 1: unsafe scores1(chunk, row, first, end)
        case 2: unsafe scores2(chunk, row, first, end)
        case 3: unsafe scores3(chunk, row, first, end)
        case 4: unsafe scores4(chunk, row, first, end)
        case 5: unsafe scores5(chunk, row, first, end)
        case 6: unsafe scores6(chunk, row, first, end)
        default: unsafe scores12(chunk, row, first, end)
        }
        for r in row..<row + count { unsafe weigh(chunk, r, first << 4, end << 4) }
        switch count {
        case 1: unsafe values1(chunk, row, low, high)
        case 2: unsafe values2(chunk, row, low, high)
        case 3: unsafe values3(chunk, row, low, high)
        case 4: unsafe values4(chunk, row, low, high)
        case 5: unsafe values5(chunk, row, low, high)
        case 6: unsafe values6(chunk, row, low, high)
        default: unsafe values12(chunk, row, low, high)
        }
        row += count
    }
}

/// One row of scores, slots `first ..< end` (multiples of 16), to weights: zero where the row does not look.
private func weigh(_ chunk: UnsafePointer<AttentionChunk>, _ row: Int, _ first: Int, _ end: Int) {
    let (low, high) = unsafe (Int(chunk.pointee.lows[row]), Int(chunk.pointee.highs[row]))
    let s = unsafe chunk.pointee.scores + row * 128
    guard low < high else {
        for i in stride(from: first, to: end, by: 16) { unsafe _mm512_storeu_ps(s + i, _mm512_setzero_ps()) }
        unsafe chunk.pointee.maxima[row] = -Float.infinity
        unsafe chunk.pointee.sums[row] = 0
        return
    }
    let cap = unsafe chunk.pointee.softCap
    let infinite = _mm512_set1_ps(-Float.infinity)
    var most = _mm256_set1_ps(-Float.infinity)
    var i = first
    while i < end {
        var v = unsafe _mm512_loadu_ps(s + i)
        if cap > 0 { v = _mm512_mul_ps(tanh16(_mm512_div_ps(v, _mm512_set1_ps(cap))), _mm512_set1_ps(cap)) }
        if i < low || i + 16 > high {
            // Lanes low - i ..< high - i stay.
            let inside = firstLanes(high - i) & ~firstLanes(low - i)
            v = _mm512_mask_blend_ps(inside, infinite, v)
        }
        unsafe _mm512_storeu_ps(s + i, v)
        most = _mm256_max_ps(lowHalf(v), most)
        most = _mm256_max_ps(highHalf(v), most)
        i += 16
    }
    let maximum = largestLane(most)
    let m = _mm512_set1_ps(maximum)
    var sum = _mm256_setzero_ps()
    i = first
    while i < end {
        let w = exp16(_mm512_sub_ps(unsafe _mm512_loadu_ps(s + i), m))
        unsafe _mm512_storeu_ps(s + i, w)
        sum = _mm256_add_ps(sum, lowHalf(w))
        sum = _mm256_add_ps(sum, highHalf(w))
        i += 16
    }
    unsafe chunk.pointee.maxima[row] = maximum
    unsafe chunk.pointee.sums[row] = sumOfLanes(sum)
}

@inline(__always)
private func firstLanes(_ count: Int) -> UInt16 {
    count <= 0 ? 0 : count >= 16 ? 0xffff : 1 << UInt16(truncatingIfNeeded: count) &- 1
}

@inline(__always)
private func lowHalf(_ v: __m512) -> __m256 { v.lowHalf }

@inline(__always)
private func highHalf(_ v: __m512) -> __m256 { v.highHalf }
#endif
