package import HearthKernelTypes

/// `out[r, i] = x[r, i] / sqrt(mean(x[r]^2) + epsilon) * weight[i]`, the mean over 16 running sums.
package func portableNorm(
    _ x: UnsafePointer<Float>, _ weight: UnsafePointer<Float>, _ epsilon: Float, rows: Int, columns: Int, stride: Int,
    outStride: Int, into out: UnsafeMutablePointer<Float>
) {
    for row in 0..<rows {
        let input = x + row * stride
        let output = out + row * outStride
        var a = Lanes(repeating: 0), b = a
        var i = 0
        while i + 16 <= columns {
            let v = loadLanes(input + i), w = loadLanes(input + i + 8)
            a += v * v
            b += w * w
            i += 16
        }
        var rest: Float = 0
        while i < columns {
            rest += input[i] * input[i]
            i += 1
        }
        let factor = 1 / ((sumOfLanes(a + b) + rest) / Float(columns) + epsilon).squareRoot()
        i = 0
        while i + 8 <= columns {
            storeLanes(output + i, loadLanes(input + i) * factor * loadLanes(weight + i))
            i += 8
        }
        while i < columns {
            output[i] = input[i] * factor * weight[i]
            i += 1
        }
    }
}

/// `out[r, i] = act(gateUp[r, i]) * gateUp[r, width + i]`
package func portableGate(
    _ gateUp: UnsafePointer<Float>, rows: Int, width: Int, _ activation: GateActivation, outStride: Int,
    into out: UnsafeMutablePointer<Float>
) {
    for row in 0..<rows {
        let gate = gateUp + row * 2 * width
        let up = gate + width
        let output = out + row * outStride
        var i = 0
        while i + 8 <= width {
            storeLanes(output + i, gated(loadLanes(gate + i), loadLanes(up + i), activation))
            i += 8
        }
        while i < width {
            output[i] = gated(Lanes(repeating: gate[i]), Lanes(repeating: up[i]), activation)[0]
            i += 1
        }
    }
}

@inline(__always)
private func gated(_ gate: Lanes, _ up: Lanes, _ activation: GateActivation) -> Lanes {
    guard activation == .clamped else { return activate(gate, activation) * up }
    let g = gate.replacing(with: 7, where: gate .> 7)
    let u = up.replacing(with: 7, where: up .> 7).replacing(with: -7, where: up .< -7)
    return activate(g, activation) * (u + 1)
}

@inline(__always)
private func activate(_ x: Lanes, _ activation: GateActivation) -> Lanes {
    var minus = 0 - x
    if activation == .clamped { minus = minus * 1.702 }
    // -2u = -x * (2 sqrt(2/pi)) * (1 + 0.044715 x^2)
    if activation == .gelu { minus = minus * 1.5957691216057308 * (x * x * 0.044715 + 1) }
    // Infinity where e^minus has no number: the result is zero then, as it should be for a very negative x.
    let e = lanesExp(minus).replacing(with: .infinity, where: minus .> 88.37626)
    return x / (e + 1)
}

/// `x[i] += y[i]`
package func portableAdd(_ y: UnsafePointer<Float>, to x: UnsafeMutablePointer<Float>, count: Int) {
    var i = 0
    while i + 8 <= count {
        storeLanes(x + i, loadLanes(x + i) + loadLanes(y + i))
        i += 8
    }
    while i < count {
        x[i] += y[i]
        i += 1
    }
}

/// Index of the largest number, the lowest index of equals; -1 where nothing is above minus infinity.
package func portableArgMax(_ x: UnsafePointer<Float>, count: Int) -> Int {
    var most = Lanes(repeating: -.infinity)
    var i = 0
    while i + 8 <= count {
        let v = loadLanes(x + i)
        most = most.replacing(with: v, where: v .> most)  // never where v is NaN
        i += 8
    }
    var largest = -Float.infinity
    for lane in 0..<8 where most[lane] > largest { largest = most[lane] }
    while i < count {
        if x[i] > largest { largest = x[i] }
        i += 1
    }
    guard largest > -.infinity else { return -1 }
    i = 0
    while x[i] != largest { i += 1 }
    return i
}

/// Sum of `exp(x[i] - largest)` over at most some thousands of numbers.
package func portableSumExp(_ x: UnsafePointer<Float>, largest: Float, count: Int) -> Float {
    var a = Lanes(repeating: 0)
    var i = 0
    while i + 8 <= count {
        a += lanesExp(loadLanes(x + i) - largest)
        i += 8
    }
    var rest: Float = 0
    while i < count {
        rest += lanesExp(Lanes(repeating: x[i] - largest))[0]
        i += 1
    }
    return sumOfLanes(a) + rest
}
