// What encoders have in place of an RMS norm and a gate.

/// `out[r, i] = (x[r, i] - mean(x[r])) / sqrt(variance(x[r]) + epsilon) * weight[i] + bias[i]`; the mean first and then the
/// variance around it, each over 8 running sums.
package func portableLayerNorm(
    _ x: UnsafePointer<Float>, _ weight: UnsafePointer<Float>, _ bias: UnsafePointer<Float>, _ epsilon: Float, rows: Int,
    columns: Int, into out: UnsafeMutablePointer<Float>
) {
    let whole = columns & ~7
    for row in 0..<rows {
        let input = x + row * columns
        let output = out + row * columns
        var sums = Lanes(repeating: 0)
        for i in stride(from: 0, to: whole, by: 8) { sums += loadLanes(input + i) }
        var rest: Float = 0
        for i in whole..<columns { rest += input[i] }
        let mean = (sumOfLanes(sums) + rest) / Float(columns)
        sums = Lanes(repeating: 0)
        rest = 0
        for i in stride(from: 0, to: whole, by: 8) {
            let v = loadLanes(input + i) - mean
            sums += v * v
        }
        for i in whole..<columns { rest += (input[i] - mean) * (input[i] - mean) }
        let factor = 1 / ((sumOfLanes(sums) + rest) / Float(columns) + epsilon).squareRoot()
        for i in stride(from: 0, to: whole, by: 8) {
            storeLanes(output + i, (loadLanes(input + i) - mean) * factor * loadLanes(weight + i) + loadLanes(bias + i))
        }
        for i in whole..<columns { output[i] = (input[i] - mean) * factor * weight[i] + bias[i] }
    }
}

/// `out[r, i] = gelu(x[r, i] + bias[i])`, by the error-function form.
package func portableGELU(
    _ x: UnsafePointer<Float>, _ bias: UnsafePointer<Float>, rows: Int, columns: Int, into out: UnsafeMutablePointer<Float>
) {
    for row in 0..<rows {
        let input = x + row * columns
        let output = out + row * columns
        var i = 0
        while i + 8 <= columns {
            storeLanes(output + i, lanesGELU(loadLanes(input + i) + loadLanes(bias + i)))
            i += 8
        }
        while i < columns {
            output[i] = lanesGELU(Lanes(repeating: input[i] + bias[i]))[0]
            i += 1
        }
    }
}

/// `x (1 + erf(x / sqrt 2)) / 2 = x - x q` for positive x and `x q` for negative, `q = erfc(|x| / sqrt 2) / 2`.
///
/// q = t P(t) e^(-x^2/2), t = 1 / (1 + 0.3 |x| / sqrt 2): P is the polynomial of degree 8 whose largest relative error for
/// |x| up to 14.8 is least, 2e-8 (found by weighted least squares); beyond 13.2 the exponential is 0. In Float32 the result is
/// within 6 * 2^-24 * |x|.
@inline(__always)
private func lanesGELU(_ x: Lanes) -> Lanes {
    let size = x.replacing(with: 0 - x, where: x .< 0)
    let t = 1 / (size * 0.21213204 + 1)
    var p = t * -0.064777054 + 0.24286352
    p = p * t - 0.25632346
    p = p * t + 0.27409214
    p = p * t - 0.047503732
    p = p * t + 0.10754859
    p = p * t + 0.07414461
    p = p * t + 0.08536167
    p = p * t + 0.08459372
    let tail = x * (p * t * lanesExp(x * x * -0.5))
    return (x - tail).replacing(with: tail, where: x .< 0)
}
