internal import CIntrinsics

/// `out[r, i] = x[r, i] / sqrt(mean(x[r]^2) + epsilon) * weight[i]`, the mean over 32 running sums.
package func avx2Norm(
    _ x: UnsafePointer<Float>, _ weight: UnsafePointer<Float>, _ epsilon: Float, rows: Int, columns: Int, stride: Int,
    outStride: Int, into out: UnsafeMutablePointer<Float>
) {
    let rest = firstLanes(columns & 7)
    for row in 0..<rows {
        let input = x + row * stride
        let output = out + row * outStride
        var a = _mm256_setzero_ps(), b = a, c = a, d = a
        var i = 0
        while i &+ 32 <= columns {
            let v0 = _mm256_loadu_ps(input + i), v1 = _mm256_loadu_ps(input + i + 8)
            let v2 = _mm256_loadu_ps(input + i + 16), v3 = _mm256_loadu_ps(input + i + 24)
            a = _mm256_fmadd_ps(v0, v0, a)
            b = _mm256_fmadd_ps(v1, v1, b)
            c = _mm256_fmadd_ps(v2, v2, c)
            d = _mm256_fmadd_ps(v3, v3, d)
            i = i &+ 32
        }
        while i &+ 8 <= columns {
            let v = _mm256_loadu_ps(input + i)
            a = _mm256_fmadd_ps(v, v, a)
            i = i &+ 8
        }
        if i < columns {
            let v = _mm256_maskload_ps(input + i, rest)
            b = _mm256_fmadd_ps(v, v, b)
        }
        let sum = sumOfLanes(_mm256_add_ps(_mm256_add_ps(a, b), _mm256_add_ps(c, d)))
        let factor = _mm256_set1_ps(1 / (sum / Float(columns) + epsilon).squareRoot())
        i = 0
        while i &+ 8 <= columns {
            let v = _mm256_mul_ps(_mm256_loadu_ps(input + i), factor)
            _mm256_storeu_ps(output + i, _mm256_mul_ps(v, _mm256_loadu_ps(weight + i)))
            i = i &+ 8
        }
        if i < columns {
            let v = _mm256_mul_ps(_mm256_maskload_ps(input + i, rest), factor)
            _mm256_maskstore_ps(output + i, rest, _mm256_mul_ps(v, _mm256_maskload_ps(weight + i, rest)))
        }
    }
}

/// `out[r, i] = act(gateUp[r, i]) * gateUp[r, width + i]`; the activation is `g / (1 + exp(-u))`, u = g for silu (neither
/// `isGelu` nor `isClamped`).
package func avx2Gate(
    _ gateUp: UnsafePointer<Float>, rows: Int, width: Int, isGelu: Bool, isClamped: Bool, outStride: Int,
    into out: UnsafeMutablePointer<Float>
) {
    let rest = firstLanes(width & 7)
    for row in 0..<rows {
        let gate = gateUp + row * 2 * width
        let up = gate + width
        let output = out + row * outStride
        var i = 0
        while i &+ 8 <= width {
            _mm256_storeu_ps(output + i, gated(_mm256_loadu_ps(gate + i), _mm256_loadu_ps(up + i), isGelu, isClamped))
            i = i &+ 8
        }
        if i < width {
            let (g, u) = (_mm256_maskload_ps(gate + i, rest), _mm256_maskload_ps(up + i, rest))
            _mm256_maskstore_ps(output + i, rest, gated(g, u, isGelu, isClamped))
        }
    }
}

@inline(__always)
private func gated(_ gate: __m256, _ up: __m256, _ isGelu: Bool, _ isClamped: Bool) -> __m256 {
    guard isClamped else { return _mm256_mul_ps(activate(gate, isGelu, isClamped), up) }
    // The second operand is returned where one is NaN.
    let (most, least) = (_mm256_set1_ps(7), _mm256_set1_ps(-7))
    let g = activate(_mm256_min_ps(most, gate), isGelu, isClamped)
    return _mm256_mul_ps(g, _mm256_add_ps(_mm256_max_ps(least, _mm256_min_ps(most, up)), _mm256_set1_ps(1)))
}

@inline(__always)
private func activate(_ x: __m256, _ isGelu: Bool, _ isClamped: Bool) -> __m256 {
    var minus = _mm256_sub_ps(_mm256_setzero_ps(), x)
    if isClamped { minus = _mm256_mul_ps(minus, _mm256_set1_ps(1.702)) }
    if isGelu {
        // -2u = -x * (2 sqrt(2/pi)) * (1 + 0.044715 x^2)
        let inner = _mm256_fmadd_ps(_mm256_mul_ps(x, x), _mm256_set1_ps(0.044715), _mm256_set1_ps(1))
        minus = _mm256_mul_ps(_mm256_mul_ps(minus, _mm256_set1_ps(1.5957691216057308)), inner)
    }
    // Infinity where e^minus has no number: the result is zero then, as it should be for a very negative x.
    let limit = _mm256_set1_ps(88.37626)
    let e = _mm256_blendv_ps(exp8(minus), _mm256_set1_ps(.infinity), _mm256_sub_ps(limit, minus))
    return _mm256_div_ps(x, _mm256_add_ps(_mm256_set1_ps(1), e))
}

/// `x[i] += y[i]`
package func avx2Add(_ y: UnsafePointer<Float>, to x: UnsafeMutablePointer<Float>, count: Int) {
    var i = 0
    while i &+ 8 <= count {
        _mm256_storeu_ps(x + i, _mm256_add_ps(_mm256_loadu_ps(x + i), _mm256_loadu_ps(y + i)))
        i = i &+ 8
    }
    while i < count {
        x[i] = x[i] + y[i]
        i = i &+ 1
    }
}

/// Rotates pairs as the reference does; `arePairs` says that the two numbers of a pair are neighbours.
package func avx2Rope(
    _ x: UnsafeMutablePointer<Float>, tokens: Int, heads: Int, headWidth: Int, stride: Int, half: Int, arePairs: Bool,
    cosines: UnsafePointer<Float>, sines: UnsafePointer<Float>
) {
    // Lanes 0 0 1 1 2 2 3 3: an angle for each number of a pair; lanes 1 0 3 2 5 4 7 6: the other number of the pair.
    let twice = _mm256_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3)
    let swapped = _mm256_setr_epi32(1, 0, 3, 2, 5, 4, 7, 6)
    for token in 0..<tokens {
        let cosine = cosines + token * half
        let sine = sines + token * half
        for head in 0..<heads {
            let row = x + token * stride + head * headWidth
            var i = 0
            if arePairs {
                while i &+ 4 <= half {
                    let c = _mm256_permutevar8x32_ps(_mm256_castps128_ps256(_mm_loadu_ps(cosine + i)), twice)
                    let s = _mm256_permutevar8x32_ps(_mm256_castps128_ps256(_mm_loadu_ps(sine + i)), twice)
                    let v = _mm256_loadu_ps(row + 2 * i)
                    let other = _mm256_mul_ps(_mm256_permutevar8x32_ps(v, swapped), s)
                    // Even lanes a c - b s, odd lanes b c + a s.
                    _mm256_storeu_ps(row + 2 * i, _mm256_addsub_ps(_mm256_mul_ps(v, c), other))
                    i = i &+ 4
                }
                while i < half {
                    let a = row[2 * i], b = row[2 * i + 1]
                    row[2 * i] = a * cosine[i] - b * sine[i]
                    row[2 * i + 1] = a * sine[i] + b * cosine[i]
                    i = i &+ 1
                }
            } else {
                while i &+ 8 <= half {
                    let c = _mm256_loadu_ps(cosine + i), s = _mm256_loadu_ps(sine + i)
                    let a = _mm256_loadu_ps(row + i), b = _mm256_loadu_ps(row + i + half)
                    _mm256_storeu_ps(row + i, _mm256_sub_ps(_mm256_mul_ps(a, c), _mm256_mul_ps(b, s)))
                    _mm256_storeu_ps(row + i + half, _mm256_add_ps(_mm256_mul_ps(a, s), _mm256_mul_ps(b, c)))
                    i = i &+ 8
                }
                while i < half {
                    let a = row[i], b = row[i + half]
                    row[i] = a * cosine[i] - b * sine[i]
                    row[i + half] = a * sine[i] + b * cosine[i]
                    i = i &+ 1
                }
            }
        }
    }
}
