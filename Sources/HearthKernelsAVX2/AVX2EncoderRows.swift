internal import CIntrinsics

// What encoders have in place of an RMS norm and a gate.

/// `out[r, i] = (x[r, i] - mean(x[r])) / sqrt(variance(x[r]) + epsilon) * weight[i] + bias[i]`; the mean first and then the
/// variance around it, each over 16 running sums.
package func avx2LayerNorm(
    _ x: UnsafePointer<Float>, _ weight: UnsafePointer<Float>, _ bias: UnsafePointer<Float>, _ epsilon: Float, rows: Int,
    columns: Int, into out: UnsafeMutablePointer<Float>
) {
    let rest = firstLanes(columns & 7)
    for row in 0..<rows {
        let input = x + row * columns
        let output = out + row * columns
        var a = _mm256_setzero_ps(), b = a
        var i = 0
        while i &+ 16 <= columns {
            a = _mm256_add_ps(a, _mm256_loadu_ps(input + i))
            b = _mm256_add_ps(b, _mm256_loadu_ps(input + i + 8))
            i = i &+ 16
        }
        while i &+ 8 <= columns {
            a = _mm256_add_ps(a, _mm256_loadu_ps(input + i))
            i = i &+ 8
        }
        if i < columns { b = _mm256_add_ps(b, _mm256_maskload_ps(input + i, rest)) }
        let mean = _mm256_set1_ps(sumOfLanes(_mm256_add_ps(a, b)) / Float(columns))
        a = _mm256_setzero_ps()
        b = a
        i = 0
        while i &+ 16 <= columns {
            let v = _mm256_sub_ps(_mm256_loadu_ps(input + i), mean)
            let w = _mm256_sub_ps(_mm256_loadu_ps(input + i + 8), mean)
            a = _mm256_fmadd_ps(v, v, a)
            b = _mm256_fmadd_ps(w, w, b)
            i = i &+ 16
        }
        while i &+ 8 <= columns {
            let v = _mm256_sub_ps(_mm256_loadu_ps(input + i), mean)
            a = _mm256_fmadd_ps(v, v, a)
            i = i &+ 8
        }
        if i < columns {
            // Lanes behind the row are zero, as their distance to the mean is not.
            let inside = _mm256_castsi256_ps(rest)
            let v = _mm256_and_ps(inside, _mm256_sub_ps(_mm256_maskload_ps(input + i, rest), mean))
            b = _mm256_fmadd_ps(v, v, b)
        }
        let variance = sumOfLanes(_mm256_add_ps(a, b)) / Float(columns)
        let factor = _mm256_set1_ps(1 / (variance + epsilon).squareRoot())
        i = 0
        while i &+ 8 <= columns {
            let v = _mm256_mul_ps(_mm256_sub_ps(_mm256_loadu_ps(input + i), mean), factor)
            _mm256_storeu_ps(output + i, _mm256_fmadd_ps(v, _mm256_loadu_ps(weight + i), _mm256_loadu_ps(bias + i)))
            i = i &+ 8
        }
        if i < columns {
            let v = _mm256_mul_ps(_mm256_sub_ps(_mm256_maskload_ps(input + i, rest), mean), factor)
            let result = _mm256_fmadd_ps(v, _mm256_maskload_ps(weight + i, rest), _mm256_maskload_ps(bias + i, rest))
            _mm256_maskstore_ps(output + i, rest, result)
        }
    }
}

/// `out[r, i] = gelu(x[r, i] + bias[i])`, by the error-function form.
package func avx2GELU(
    _ x: UnsafePointer<Float>, _ bias: UnsafePointer<Float>, rows: Int, columns: Int, into out: UnsafeMutablePointer<Float>
) {
    let rest = firstLanes(columns & 7)
    for row in 0..<rows {
        let input = x + row * columns
        let output = out + row * columns
        var i = 0
        while i &+ 8 <= columns {
            _mm256_storeu_ps(output + i, gelu8(_mm256_add_ps(_mm256_loadu_ps(input + i), _mm256_loadu_ps(bias + i))))
            i = i &+ 8
        }
        if i < columns {
            let v = _mm256_add_ps(_mm256_maskload_ps(input + i, rest), _mm256_maskload_ps(bias + i, rest))
            _mm256_maskstore_ps(output + i, rest, gelu8(v))
        }
    }
}

/// `x (1 + erf(x / sqrt 2)) / 2 = x - x q` for positive x and `x q` for negative, `q = erfc(|x| / sqrt 2) / 2`.
///
/// q = t P(t) e^(-x^2/2), t = 1 / (1 + 0.3 |x| / sqrt 2), P as in the portable set; within 6 * 2^-24 * |x|.
@inline(__always)
private func gelu8(_ x: __m256) -> __m256 {
    let one = _mm256_set1_ps(1)
    let minus = _mm256_sub_ps(_mm256_setzero_ps(), x)
    let size = _mm256_blendv_ps(x, minus, x)  // the sign of x chooses
    let t = _mm256_div_ps(one, _mm256_fmadd_ps(size, _mm256_set1_ps(0.21213204), one))
    var p = _mm256_fmadd_ps(t, _mm256_set1_ps(-0.064777054), _mm256_set1_ps(0.24286352))
    p = _mm256_fmadd_ps(p, t, _mm256_set1_ps(-0.25632346))
    p = _mm256_fmadd_ps(p, t, _mm256_set1_ps(0.27409214))
    p = _mm256_fmadd_ps(p, t, _mm256_set1_ps(-0.047503732))
    p = _mm256_fmadd_ps(p, t, _mm256_set1_ps(0.10754859))
    p = _mm256_fmadd_ps(p, t, _mm256_set1_ps(0.07414461))
    p = _mm256_fmadd_ps(p, t, _mm256_set1_ps(0.08536167))
    p = _mm256_fmadd_ps(p, t, _mm256_set1_ps(0.08459372))
    let bell = exp8(_mm256_mul_ps(_mm256_mul_ps(x, x), _mm256_set1_ps(-0.5)))
    let tail = _mm256_mul_ps(x, _mm256_mul_ps(_mm256_mul_ps(p, t), bell))
    return _mm256_blendv_ps(_mm256_sub_ps(x, tail), tail, x)
}
