package import HearthKernelTypes

// The plain twin of the fast kernels: the same integers, the same steps of Float32 arithmetic, one value at a time, on the
// file's own blocks. `fused` says whether a set multiplies and adds with one rounding (AVX2: FMA) or with two.

/// One token's activations, quantised per 32 columns as `MatrixLayout` says.
package struct PlainActivations {
    package var codes: [Int] = []
    package var scales: [Float] = []

    package init(_ x: [Float]) {
        for start in stride(from: 0, to: x.count, by: 32) {
            let block = x[start..<start + 32]
            let greatest = block.reduce(0) { max($0, abs($1)) }
            let isFinite = block.allSatisfy(\.isFinite)
            // 127 / greatest must not overflow.
            let isZero = greatest < 0x1p-100
            scales.append(isFinite ? (isZero ? 0 : greatest / 127) : .nan)
            let inverse: Float = isZero || !isFinite ? 0 : 127 / greatest
            for value in block { codes.append(isFinite ? Int((value * inverse).rounded(.toNearestOrEven)) : 0) }
        }
    }
}

/// One row of quantised weights (the file's bytes) times `x`.
package func plainProduct(_ type: ElementType, _ row: [UInt8], _ x: PlainActivations, fused: Bool) -> Float {
    var sum: Float = 0
    func add(_ a: Float, _ b: Float) { sum = fused ? sum.addingProduct(a, b) : sum + a * b }
    unsafe row.withUnsafeBytes { bytes in
        for b in 0..<x.scales.count {
            let block = unsafe Bytes(bytes.baseAddress! + 32 * b / type.blockLength * type.blockBytes)
            let part = 32 * b % type.blockLength / 32
            let values = plainBlock(type, block, part)
            let codes = x.codes[32 * b..<32 * b + 32]
            let d = x.scales[b]
            var total = 0
            var below = 0
            for (i, code) in codes.enumerated() {
                total += values.scales[i / 16] * values.q[i] * code
                below += values.minima[i / 16] * code
            }
            add(Float(total) * d, values.d)
            if let offset = values.offset { add(offset, d * Float(codes.reduce(0, +))) }
            if let dmin = values.dmin { add(Float(below) * d, -dmin) }
        }
    }
    return sum
}

/// 32 columns: value i is d x scales[i / 16] x q[i] + offset - dmin x minima[i / 16].
private struct PlainBlock {
    var q: [Int]
    var d: Float
    var scales = [1, 1]
    var offset: Float?
    var dmin: Float?
    var minima = [0, 0]
}

private func plainBlock(_ type: ElementType, _ p: Bytes, _ j: Int) -> PlainBlock {
    func nibbles(_ at: Int) -> [Int] { (0..<32).map { p[at + $0 % 16] >> ($0 / 16 * 4) & 15 } }
    func fifth(_ at: Int) -> [Int] { (0..<32).map { (p[at + $0 / 8] >> ($0 % 8) & 1) << 4 } }
    func pairs(_ at: Int) -> [Int] { (0..<32).map { p[at + 32 * (j / 4) + $0] >> (2 * (j % 4)) & 3 } }
    func codes(_ book: SIMD16<Int8>, _ at: Int) -> [Int] { nibbles(at).map { Int(book[$0]) } }
    let d = p.half(0)
    switch type {
    case .q4_0: return PlainBlock(q: nibbles(2).map { $0 - 8 }, d: d)
    case .q4_1: return PlainBlock(q: nibbles(4), d: d, offset: p.half(2))
    case .q5_0: return PlainBlock(q: zip(nibbles(6), fifth(2)).map { $0 + $1 - 16 }, d: d)
    case .q5_1: return PlainBlock(q: zip(nibbles(8), fifth(4)).map(+), d: d, offset: p.half(2))
    case .q8_0: return PlainBlock(q: (0..<32).map { p.signed(2 + $0) }, d: d)
    case .iq4_nl: return PlainBlock(q: codes(CodeBook.nonlinear, 2), d: d)
    case .iq4_xs: return PlainBlock(q: codes(CodeBook.nonlinear, 8 + 16 * j), d: d * Float(splitScale(p, j) - 32))
    case .mxfp4: return PlainBlock(q: codes(CodeBook.halves, 1), d: halfPower(p[0]))
    case .q4_k, .q5_k:
        let (scale, minimum) = scaleAndMinimum(p + 4, j)
        let at = type == .q4_k ? 16 : 48
        var q = (0..<32).map { p[at + j / 2 * 32 + $0] >> (j % 2 * 4) & 15 }
        if type == .q5_k { q = (0..<32).map { q[$0] + (p[16 + $0] >> j & 1) << 4 } }
        return PlainBlock(q: q, d: d * Float(scale), offset: -p.half(2) * Float(minimum))
    case .q6_k:
        let high = pairs(128)
        let at = 64 * (j / 4) + 32 * (j % 2)
        let q = (0..<32).map { (p[at + $0] >> (j % 4 / 2 * 4) & 15 | high[$0] << 4) - 32 }
        return PlainBlock(q: q, d: p.half(208), scales: [p.signed(192 + 2 * j), p.signed(193 + 2 * j)])
    case .q3_k:
        // Eight times the values, an eighth of d: exact, and what the kernels do.
        let low = pairs(32)
        let q = (0..<32).map { 8 * (low[$0] + (p[$0] >> j & 1) * 4 - 4) }
        let scales = [sixBitScale(p + 96, 2 * j) - 32, sixBitScale(p + 96, 2 * j + 1) - 32]
        return PlainBlock(q: q, d: p.half(108) * 0.125, scales: scales)
    case .q2_k:
        let (a, b) = (p[2 * j], p[2 * j + 1])
        return PlainBlock(
            q: pairs(16), d: p.half(80), scales: [a & 15, b & 15], dmin: p.half(82), minima: [a >> 4, b >> 4])
    case .f32, .f16, .bf16: preconditionFailure("floats are not multiplied in integers")
    }
}
