/// How the states of a text's tokens become one vector, by the GGUF format's numbers.
package enum Pooling: Int, Sendable, Hashable, CaseIterable {
    /// The mean over all tokens, those around the text included.
    case mean = 1
    /// The first token's state: BERT's `[CLS]`.
    case first = 2
    /// The last token's.
    case last = 3
}

extension Pooling {
    /// One vector of `width` values from rows `rows` of `states`, `[tokens, width]`. Sums run over the rows in order, in Float64.
    func pool(_ states: UnsafePointer<Float>, rows: Range<Int>, width: Int) -> [Float] {
        switch self {
        case .first: return (0..<width).map { unsafe states[rows.lowerBound * width + $0] }
        case .last: return (0..<width).map { unsafe states[(rows.upperBound - 1) * width + $0] }
        case .mean:
            var sums = [Double](repeating: 0, count: width)
            for row in rows {
                for index in 0..<width { sums[index] += Double(unsafe states[row * width + index]) }
            }
            return sums.map { Float($0 / Double(rows.count)) }
        }
    }
}

/// What is done with a pooled vector.
package enum EmbeddingVector {
    /// The vector with length 1; one of zeros stays as it is.
    package static func normalised(_ vector: [Float]) -> [Float] {
        let length = vector.reduce(0.0) { $0 + Double($1) * Double($1) }.squareRoot()
        return length > 0 ? vector.map { Float(Double($0) / length) } : vector
    }

    /// Cosine of the angle between two vectors of one length; 0 where one of them is all zeros.
    package static func cosine(_ a: [Float], _ b: [Float]) -> Double {
        precondition(a.count == b.count)
        var (product, first, second) = (0.0, 0.0, 0.0)
        for (x, y) in zip(a, b) {
            product += Double(x) * Double(y)
            first += Double(x) * Double(x)
            second += Double(y) * Double(y)
        }
        let lengths = first.squareRoot() * second.squareRoot()
        return lengths > 0 ? product / lengths : 0
    }
}
