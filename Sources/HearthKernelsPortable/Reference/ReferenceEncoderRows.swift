// The definitions of what encoders have in place of an RMS norm and a gate.

/// `out[r, i] = (x[r, i] - mean(x[r])) / sqrt(variance(x[r]) + epsilon) * weight[i] + bias[i]`, the variance over all columns.
/// Source: Ba et al., "Layer Normalization" (2016), section 3.
package func referenceLayerNorm(
    _ x: UnsafePointer<Float>, _ weight: UnsafePointer<Float>, _ bias: UnsafePointer<Float>, _ epsilon: Float, rows: Int,
    columns: Int, into out: UnsafeMutablePointer<Float>
) {
    for row in 0..<rows {
        let input = x + row * columns
        let output = out + row * columns
        var sum: Double = 0
        for i in 0..<columns { sum += Double(input[i]) }
        let mean = sum / Double(columns)
        var squares: Double = 0
        for i in 0..<columns { squares += (Double(input[i]) - mean) * (Double(input[i]) - mean) }
        let factor = 1 / (squares / Double(columns) + Double(epsilon)).squareRoot()
        for i in 0..<columns {
            output[i] = Float((Double(input[i]) - mean) * factor * Double(weight[i]) + Double(bias[i]))
        }
    }
}

/// `out[r, i] = gelu(x[r, i] + bias[i])`
package func referenceGELU(
    _ x: UnsafePointer<Float>, _ bias: UnsafePointer<Float>, rows: Int, columns: Int, into out: UnsafeMutablePointer<Float>
) {
    for row in 0..<rows {
        for i in 0..<columns { out[row * columns + i] = referenceGELU(x[row * columns + i] + bias[i]) }
    }
}

/// GELU by its error-function form: `x * (1 + erf(x / sqrt(2))) / 2`.
/// Source: Hendrycks and Gimpel, "Gaussian Error Linear Units" (2016), section 2.
package func referenceGELU(_ x: Float) -> Float {
    let v = Double(x)
    let tail = referenceErfc((v < 0 ? -v : v) * 0.7071067811865476) / 2
    return Float(v < 0 ? v * tail : v - v * tail)
}

/// 1 - erf(z) for z of 0 or more.
private func referenceErfc(_ z: Double) -> Double {
    let bell = scalarExp(-z * z)
    if bell == 0 || z.isNaN { return z.isNaN ? z : 0 }
    if z < 2 {
        // erf z = 2/sqrt(pi) e^(-z^2) (z + 2z^3/3 + 4z^5/15 + ...): all terms positive; below 1e-17 after 60.
        var (term, sum) = (z, z)
        for n in 1..<60 {
            term *= 2 * z * z / Double(2 * n + 1)
            sum += term
        }
        return 1 - 1.1283791670955126 * bell * sum
    }
    // The continued fraction z + (1/2)/(z + 1/(z + (3/2)/(z + ...))), from the inside; at z = 2 it has settled to 1e-16 by 100.
    var fraction = z
    for k in stride(from: 100, to: 0, by: -1) { fraction = z + Double(k) / 2 / fraction }
    return bell * 0.5641895835477563 / fraction
}
