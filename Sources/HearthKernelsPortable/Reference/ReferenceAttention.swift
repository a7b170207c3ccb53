package import HearthKernelTypes

/// Attention by its formula, for one query head at `position`: all scores, their maximum, the weights, the weighted sum.
///
/// `pages[p]` is the page of positions `p * 128 ...`, at this layer's place. `scores` has room for `position + 1` numbers.
package func referenceAttention(
    _ shape: AttentionShape, _ layout: KVLayout, query: UnsafePointer<Float>, head: Int, position: Int,
    pages: UnsafePointer<UnsafeMutableRawPointer>, offset: Int, scores: UnsafeMutablePointer<Float>,
    into out: UnsafeMutablePointer<Float>
) {
    let kvHead = head / (shape.heads / shape.kvHeads)
    let first = shape.window > 0 ? max(0, position - shape.window + 1) : 0
    var largest = -Float.infinity
    for p in first...position {
        let page = UnsafeRawPointer(pages[p / KVLayout.pagePositions] + offset)
        var sum: Float = 0
        for d in 0..<shape.keyWidth {
            sum += query[d] * keyElement(layout, page: page, head: kvHead, slot: p % KVLayout.pagePositions, d)
        }
        var score = sum * shape.scale
        if shape.softCap > 0 { score = shape.softCap * referenceTanh(score / shape.softCap) }
        scores[p] = score
        largest = max(largest, score)
    }
    var total: Float = 0
    if let sinks = shape.sinks {
        largest = max(largest, sinks[head])
        total = scalarExp(sinks[head] - largest)
    }
    for p in first...position {
        scores[p] = scalarExp(scores[p] - largest)
        total += scores[p]
    }
    for d in 0..<shape.valueWidth {
        var sum: Float = 0
        for p in first...position {
            let page = UnsafeRawPointer(pages[p / KVLayout.pagePositions] + offset)
            sum += scores[p] * valueElement(layout, page: page, head: kvHead, slot: p % KVLayout.pagePositions, d)
        }
        out[d] = sum / total
    }
}

package func referenceTanh(_ x: Float) -> Float {
    // tanh x = 1 - 2 / (e^2x + 1)
    Float(1 - 2 / (scalarExp(2 * Double(x)) + 1))
}
