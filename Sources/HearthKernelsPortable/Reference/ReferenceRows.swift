package import HearthKernelTypes

// The definitions of norm, gate, add and rope: one number after the other in the order of the formula.

/// `out[r, i] = x[r, i] / sqrt(mean(x[r]^2) + epsilon) * weight[i]` for rows at `stride`.
package func referenceNorm(
    _ x: UnsafePointer<Float>, _ weight: UnsafePointer<Float>, _ epsilon: Float, rows: Int, columns: Int, stride: Int,
    outStride: Int, into out: UnsafeMutablePointer<Float>
) {
    for row in 0..<rows {
        let input = x + row * stride
        let output = out + row * outStride
        var sum: Double = 0
        for i in 0..<columns { sum += Double(input[i]) * Double(input[i]) }
        let factor = 1 / (Float(sum / Double(columns)) + epsilon).squareRoot()
        for i in 0..<columns { output[i] = input[i] * factor * weight[i] }
    }
}

/// `out[r, i] = act(gateUp[r, i]) * gateUp[r, width + i]`
package func referenceGate(
    _ gateUp: UnsafePointer<Float>, rows: Int, width: Int, _ activation: GateActivation, outStride: Int,
    into out: UnsafeMutablePointer<Float>
) {
    for row in 0..<rows {
        let gate = gateUp + row * 2 * width
        let output = out + row * outStride
        for i in 0..<width {
            let up = gate[width + i]
            // Not `min` and `max`, which do not say what becomes of a NaN.
            let factor = activation != .clamped ? up : (up > 7 ? 7 : up < -7 ? -7 : up) + 1
            output[i] = referenceActivation(gate[i], activation) * factor
        }
    }
}

package func referenceActivation(_ x: Float, _ activation: GateActivation) -> Float {
    let v = Double(x)
    switch activation {
    case .silu: return Float(v / (1 + scalarExp(-v)))
    case .clamped:
        let g = v > 7 ? 7 : v
        return Float(g / (1 + scalarExp(-1.702 * g)))
    case .gelu:
        // 2 sqrt(2/pi) = 1.5957691216057308
        return Float(v / (1 + scalarExp(-1.5957691216057308 * (v + 0.044715 * v * v * v))))
    }
}

/// `x[i] += y[i]`
package func referenceAdd(_ y: UnsafePointer<Float>, to x: UnsafeMutablePointer<Float>, count: Int) {
    for i in 0..<count { x[i] += y[i] }
}

/// Rotates the first `2 * half` numbers of each head by the angles of its position:
/// `(a, b)` becomes `(a cos - b sin, a sin + b cos)`. `cosines` and `sines` are `[tokens, half]`.
package func referenceRope(
    _ x: UnsafeMutablePointer<Float>, tokens: Int, heads: Int, headWidth: Int, stride: Int, half: Int, layout: RopeLayout,
    cosines: UnsafePointer<Float>, sines: UnsafePointer<Float>
) {
    for token in 0..<tokens {
        for head in 0..<heads {
            let row = x + token * stride + head * headWidth
            for i in 0..<half {
                let first = layout == .pairs ? 2 * i : i
                let second = layout == .pairs ? 2 * i + 1 : i + half
                let (a, b) = (row[first], row[second])
                let (c, s) = (cosines[token * half + i], sines[token * half + i])
                row[first] = a * c - b * s
                row[second] = a * s + b * c
            }
        }
    }
}
