import Foundation
import HearthKernels
import HearthKernelTypes
import Testing

/// What encoders need: against the formulas in Double, on every set that this machine executes.
@Suite("Compute's verbs for encoders")
struct EncoderVerbTests {
    static let sets = VerbTests.sets

    @Test("layer norm follows its formula for rows of any length", arguments: sets)
    func layerNorm(set: KernelSet) throws {
        let compute = Compute(set: set, threads: 2)
        for (tokens, columns) in [(1, 1), (1, 7), (2, 33), (3, 384), (70, 384), (2, 4099)] {
            var numbers = Numbers(seed: UInt64(columns))
            // Far from zero, so that the mean matters.
            let x = Buffer(numbers.array(tokens * columns, scale: 3).map { $0 + 5 })
            let weight = Buffer(numbers.array(columns)), bias = Buffer(numbers.array(columns))
            let out = try Activations(capacity: tokens, columns: columns, compute: compute)
            try unsafe compute.layerNorm(
                x.pointer, weight: weight.pointer, bias: bias.pointer, epsilon: 1e-5, tokens: tokens, into: out)
            let (input, weights, biases) = (x.array, weight.array, bias.array)
            for t in 0..<tokens where t < 3 || t == tokens - 1 {
                let row = input[t * columns..<(t + 1) * columns].map(Double.init)
                let mean = row.reduce(0, +) / Double(columns)
                let deviation = (row.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(columns) + 1e-5).squareRoot()
                for i in 0..<columns {
                    let product = (row[i] - mean) / deviation * Double(weights[i])
                    let expected = product + Double(biases[i])
                    // The mean of numbers up to 8 errs by n/8 + 8 roundings of 8, the variance by as many of itself, halved by the
                    // root; then five operations.
                    let roundings = Double(columns / 8 + 8) * 0x1p-24
                    let tolerance = roundings * 8 / deviation * abs(Double(weights[i])) + abs(product) * roundings + 4 * 0x1p-24
                    let actual = unsafe Double(out[t][i])
                    if abs(actual - expected) > tolerance {
                        Issue.record("\(set) [\(t), \(i)] of \(columns): \(actual), expected \(expected) within \(tolerance)")
                    }
                }
            }
        }
    }

    @Test("layer norm in place is the same as apart, of equal numbers it is the bias, and a row does not depend on the others", arguments: sets)
    func layerNormCorners(set: KernelSet) throws {
        let compute = Compute(set: set, threads: 2)
        var numbers = Numbers(seed: 9)
        let weight = Buffer(numbers.array(50)), bias = Buffer(numbers.array(50))
        let values = numbers.array(40 * 50)
        let x = Buffer(values)
        let apart = try Activations(capacity: 40, columns: 50, compute: compute)
        let place = try Activations(capacity: 40, columns: 50, compute: compute)
        for index in values.indices { unsafe place.values[index] = values[index] }
        try unsafe compute.layerNorm(x.pointer, weight: weight.pointer, bias: bias.pointer, epsilon: 1e-12, tokens: 40, into: apart)
        try unsafe compute.layerNorm(place.values, weight: weight.pointer, bias: bias.pointer, epsilon: 1e-12, tokens: 40, into: place)
        for index in values.indices { #expect(unsafe apart.values[index] == place.values[index]) }
        try unsafe compute.layerNorm(
            x.pointer + 39 * 50, weight: weight.pointer, bias: bias.pointer, epsilon: 1e-12, tokens: 1, into: place)
        for index in 0..<50 { #expect(unsafe apart[39][index] == place[0][index]) }
        let equal = Buffer([Float](repeating: 0.5, count: 50))
        try unsafe compute.layerNorm(equal.pointer, weight: weight.pointer, bias: bias.pointer, epsilon: 1e-12, tokens: 1, into: apart)
        for index in 0..<50 { #expect(unsafe apart[0][index] == bias.pointer[index]) }
    }

    @Test("gelu is the error-function form, whatever the size of x", arguments: sets)
    func gelu(set: KernelSet) throws {
        let compute = Compute(set: set, threads: 2)
        for (tokens, columns) in [(1, 1), (2, 31), (40, 1536)] {
            var numbers = Numbers(seed: UInt64(columns))
            var values = numbers.array(tokens * columns, scale: 9)
            for (i, corner) in [Float(0), 100, -100, 1e-30, 1e30, -1e30].enumerated() where i < columns { values[i] = corner }
            let biases = numbers.array(columns, scale: 0.5)
            let x = Buffer(values), bias = Buffer(biases)
            let out = try Activations(capacity: tokens, columns: columns, compute: compute)
            try unsafe compute.gelu(x.pointer, bias: bias.pointer, tokens: tokens, into: out)
            for t in 0..<tokens where t < 2 || t == tokens - 1 {
                for i in 0..<columns {
                    let v = Double(values[t * columns + i] + biases[i])
                    let expected = v * Foundation.erfc(-v / 2.0.squareRoot()) / 2
                    // As the kernels promise; the reference set is within a rounding.
                    let tolerance = (set == .reference ? 1 : 6) * 0x1p-24 * abs(v) + 1e-37
                    let actual = unsafe Double(out[t][i])
                    if !(abs(actual - expected) <= tolerance) {
                        Issue.record("\(set) x \(v): \(actual), expected \(expected) within \(tolerance)")
                    }
                }
            }
        }
    }

    @Test("attention without a mask sees every token of the call, behind and ahead", arguments: sets, [KVType.f32, .f16])
    func bidirectional(set: KernelSet, type: KVType) throws {
        let compute = Compute(set: set, threads: 2)
        for (heads, width, positions) in [(12, 32, 300), (4, 16, 5), (4, 16, 1), (3, 64, 129)] {
            var shape = AttentionShape(
                heads: heads, kvHeads: heads, keyWidth: width, valueWidth: width, scale: 1 / Float(width).squareRoot())
            shape.isCausal = false
            let setting = try AttentionTests.Setting(shape, type: type, positions: positions, compute: compute)
            // The last position of a causal call sees the same as any position of this one.
            let scratch = try AttentionScratch(shape: shape, positions: positions, compute: compute)
            let out = try Activations(capacity: positions + 3, columns: heads * width, compute: compute)
            try unsafe compute.attend(
                setting.queries.pointer, tokens: positions, stride: heads * width, layer: setting.layer, from: 0, shape: shape,
                scratch: scratch, into: out, at: 3)
            for (t, head) in [(0, 0), (positions / 2, heads - 1), (positions - 1, 1)] {
                let expected = setting.expected(position: t, sees: 0..<positions, head: head)
                for d in 0..<width {
                    let actual = unsafe Double(out[3 + t][head * width + d])
                    guard !(abs(actual - expected[d]) <= AttentionTests.tolerance(shape)) else { continue }
                    Issue.record("\(set) \(type) \(positions) position \(t) head \(head) d \(d): \(actual), expected \(expected[d])")
                    return
                }
            }
            for index in 0..<3 * heads * width { #expect(unsafe out.values[index] == 0) }

            // The same bits without AVX-512.
            let plain = Compute(set: set, threads: 1, usesVNNI: false)
            let again = try Activations(capacity: positions, columns: heads * width, compute: plain)
            try unsafe plain.attend(
                setting.queries.pointer, tokens: positions, stride: heads * width, layer: setting.layer, from: 0, shape: shape,
                scratch: AttentionScratch(shape: shape, positions: positions, compute: plain), into: again)
            let others = (0..<positions * heads * width).count { unsafe again.values[$0] != out.values[3 * heads * width + $0] }
            #expect(others == 0)
        }
    }

    @Test("Rows behind the end of the room for results are refused")
    func rows() throws {
        let compute = Compute(set: .portable, threads: 1)
        let shape = AttentionShape(heads: 2, kvHeads: 2, keyWidth: 8, valueWidth: 8, scale: 1)
        let setting = try AttentionTests.Setting(shape, type: .f32, positions: 4, compute: compute)
        let scratch = try AttentionScratch(shape: shape, positions: 4, compute: compute)
        let out = try Activations(capacity: 5, columns: 16, compute: compute)
        for row in [2, -1, 6] {
            #expect(throws: KernelError.tokensOutOfRange(tokens: 4, capacity: 5)) {
                try unsafe compute.attend(
                    setting.queries.pointer, tokens: 4, stride: 16, layer: setting.layer, from: 0, shape: shape, scratch: scratch,
                    into: out, at: row)
            }
        }
    }
}
