import Foundation
import HearthKernels
import HearthKernelTypes
import Testing

/// The light verbs against their formulas in Double, on every set that this machine executes.
@Suite("Compute's verbs")
struct VerbTests {
    static let sets = KernelSet.allCases.filter { $0.runs(on: .current) }

    @Test("norm follows its formula for rows of any length", arguments: sets)
    func norm(set: KernelSet) throws {
        let compute = Compute(set: set, threads: 2)
        for (tokens, columns) in [(1, 1), (1, 7), (2, 33), (3, 576), (70, 576), (2, 4099)] {
            var numbers = Numbers(seed: UInt64(columns))
            let x = Buffer(numbers.array(tokens * columns, scale: 3)), weight = Buffer(numbers.array(columns))
            let out = try Activations(capacity: tokens, columns: columns, compute: compute)
            try unsafe compute.norm(x.pointer, weight: weight.pointer, epsilon: 1e-5, tokens: tokens, into: out)
            let (input, weights) = (x.array, weight.array)
            for t in 0..<tokens where t < 3 || t == tokens - 1 {
                let row = input[t * columns..<(t + 1) * columns].map(Double.init)
                let mean = row.reduce(0) { $0 + $1 * $1 } / Double(columns)
                for i in 0..<columns {
                    let expected = row[i] / (mean + 1e-5).squareRoot() * Double(weights[i])
                    // A sum of n squares in Float32 errs by at most n/8 + 8 roundings (8 running sums), halved by the root; then
                    // the root, the division and two products.
                    let tolerance = abs(expected) * Double(columns / 16 + 8) * 0x1p-24 + 1e-30
                    let actual = unsafe Double(out[t][i])
                    if abs(actual - expected) > tolerance {
                        Issue.record("\(set) [\(t), \(i)] of \(columns): \(actual), expected \(expected) within \(tolerance)")
                    }
                }
            }
        }
    }

    @Test("a norm of zeros is zero, and one in place is the same as one apart", arguments: sets)
    func normCorners(set: KernelSet) throws {
        let compute = Compute(set: set, threads: 1)
        let zeros = Buffer(count: 40), ones = Buffer([Float](repeating: 1, count: 40)), out = Buffer(count: 40)
        unsafe compute.normRows(
            zeros.pointer, weight: ones.pointer, epsilon: 1e-6, rows: 1, columns: 40, stride: 40, into: out.pointer, outStride: 40)
        #expect(out.array.allSatisfy { $0 == 0 })
        var numbers = Numbers(seed: 3)
        let values = numbers.array(3 * 50)
        let apart = Buffer(count: 150), place = Buffer(values), x = Buffer(values)
        unsafe compute.normRows(
            x.pointer, weight: ones.pointer, epsilon: 1e-6, rows: 3, columns: 40, stride: 50, into: apart.pointer, outStride: 50)
        unsafe compute.normRows(
            place.pointer, weight: ones.pointer, epsilon: 1e-6, rows: 3, columns: 40, stride: 50, into: place.pointer, outStride: 50)
        for i in 0..<150 where i % 50 < 40 { #expect(apart.array[i] == place.array[i]) }
        for i in 0..<150 where i % 50 >= 40 { #expect(place.array[i] == values[i]) }
    }

    @Test("gate multiplies the activation of one half by the other", arguments: sets, [GateActivation.silu, .gelu, .clamped])
    func gate(set: KernelSet, activation: GateActivation) throws {
        let compute = Compute(set: set, threads: 2)
        for (tokens, width) in [(1, 1), (2, 31), (40, 1536)] {
            var numbers = Numbers(seed: UInt64(width))
            var values = numbers.array(tokens * 2 * width, scale: 8)
            for (i, corner) in [Float(0), 100, -100, 1e-30, 1e37, -1e37].enumerated() where i < width { values[i] = corner }
            let input = Buffer(values)
            let out = try Activations(capacity: tokens, columns: width, compute: compute)
            try unsafe compute.gate(input.pointer, tokens: tokens, width: width, activation: activation, into: out)
            for t in 0..<tokens where t < 2 || t == tokens - 1 {
                for i in 0..<width {
                    var x = Double(values[t * 2 * width + i]), up = Double(values[t * 2 * width + width + i])
                    if activation == .clamped { (x, up) = (min(x, 7), min(max(up, -7), 7) + 1) }
                    let u = activation == .silu ? x : activation == .clamped ? 1.702 * x : 2 * (2 / Double.pi).squareRoot() * (x + 0.044715 * x * x * x)
                    let expected = x / (1 + Foundation.exp(-u)) * up
                    // exp's argument errs by 2^-24 of itself for each of its roundings (four for gelu) and exp by 2 units; an
                    // argument beyond 88 is cut there, where the result is below 1e-36.
                    let tolerance = abs(expected) * (min(abs(u), 88) * 4 + 8) * 0x1p-24 + 1e-35 * abs(up) + 1e-37
                    let actual = unsafe Double(out[t][i])
                    if abs(actual - expected) > tolerance {
                        Issue.record("\(set) x \(x) up \(up): \(actual), expected \(expected) within \(tolerance)")
                    }
                }
            }
        }
    }

    @Test("add adds each number, whatever the count", arguments: sets)
    func add(set: KernelSet) {
        let compute = Compute(set: set, threads: 2)
        for count in [0, 1, 7, 8, 33, 576, 40_000] {
            var numbers = Numbers(seed: UInt64(count))
            let a = numbers.array(count), b = numbers.array(count)
            let x = Buffer(a), y = Buffer(b)
            unsafe compute.add(y.pointer, to: x.pointer, count: count)
            #expect(x.array == zip(a, b).map { $0 + $1 })
        }
    }

    @Test("rope turns each pair by its position's angle, in either layout, and leaves the rest of the head", arguments: sets, [RopeLayout.pairs, .halves])
    func rope(set: KernelSet, layout: RopeLayout) throws {
        let compute = Compute(set: set, threads: 2)
        for (width, rotated) in [(64, 64), (16, 16), (24, 20), (6, 2)] {
            let frequencies = try RopeTable.frequencies(base: 10000, width: rotated)
            let table = try RopeTable(frequencies: frequencies, layout: layout, positions: 3000)
            let (tokens, heads, stride, position) = (3, 2, 2 * width + 5, 2901)
            var numbers = Numbers(seed: 5)
            let values = numbers.array(tokens * stride)
            let x = Buffer(values)
            try unsafe compute.rope(
                x.pointer, tokens: tokens, heads: heads, headWidth: width, stride: stride, from: position, table: table)
            var expected = values.map(Double.init)
            for t in 0..<tokens {
                for h in 0..<heads {
                    for i in 0..<rotated / 2 {
                        let base = t * stride + h * width
                        let (first, second) = layout == .pairs ? (2 * i, 2 * i + 1) : (i, i + rotated / 2)
                        let angle = Double(position + t) * Foundation.pow(10000, -2 * Double(i) / Double(rotated))
                        let (a, b) = (Double(values[base + first]), Double(values[base + second]))
                        expected[base + first] = a * Foundation.cos(angle) - b * Foundation.sin(angle)
                        expected[base + second] = a * Foundation.sin(angle) + b * Foundation.cos(angle)
                    }
                }
            }
            // Two products and a sum of numbers up to 1, with cosines rounded to Float32: at most 4 roundings of 2^-24 each.
            let worst = zip(x.array, expected).map { abs(Double($0) - $1) }.max() ?? 0
            #expect(worst <= 4 * 0x1p-24, "\(set) \(layout) \(width)")
        }
    }

    @Test("frequencies are divided by the linear scale and by the file's factors")
    func frequencies() throws {
        let plain = try RopeTable.frequencies(base: 500_000, width: 8)
        let scaled = try RopeTable.frequencies(base: 500_000, width: 8, scale: 4, factors: [1, 2, 4, 8])
        for i in 0..<4 { #expect(abs(scaled[i] * 4 * Double(1 << i) / plain[i] - 1) < 1e-15) }
        #expect(plain[0] == 1)
        #expect(throws: KernelError.badRopeFrequencies(base: 10000, width: 7, scale: 1, factors: 0)) {
            try RopeTable.frequencies(base: 10000, width: 7)
        }
        #expect(throws: KernelError.badRopeFrequencies(base: 10000, width: 8, scale: 1, factors: 3)) {
            try RopeTable.frequencies(base: 10000, width: 8, factors: [1, 1, 1])
        }
        #expect(throws: KernelError.badRope(pairs: 1, positions: 1 << 21)) {
            _ = try RopeTable(frequencies: [1], layout: .pairs, positions: 1 << 21)
        }
    }

    @Test("the largest logit is the lowest id of equals, and no number wins over nothing", arguments: sets)
    func argMax(set: KernelSet) {
        let compute = Compute(set: set, threads: 2)
        func best(_ x: [Float]) -> Int { let b = Buffer(x); return unsafe compute.argMax(b.pointer, count: x.count) }
        #expect(best([1, 3, 3, 2]) == 1)
        #expect(best([-1, -.infinity, -0.5, .nan, -0.5]) == 2)
        #expect(best([-.infinity, -.infinity]) == -1 && best([]) == -1 && best([.nan]) == -1)
        var numbers = Numbers(seed: 2)
        for count in [7, 8, 9, 31, 64, 1000, 49_152] {
            var x = numbers.array(count)
            x[count - 1] = 5
            #expect(best(x) == count - 1)
            x[count / 2] = 5
            #expect(best(x) == count / 2)
            x[0] = 5
            #expect(best(x) == 0)
        }
    }

    @Test("log-sum-exp agrees with Double and does not overflow", arguments: sets)
    func logSumExp(set: KernelSet) {
        let compute = Compute(set: set, threads: 2)
        for count in [1, 7, 100, 49_152] {
            var numbers = Numbers(seed: UInt64(count))
            let x = numbers.array(count, scale: 20).map { $0 + 500 }
            let expected = 500 + Foundation.log(x.reduce(0.0) { $0 + Foundation.exp(Double($1) - 500) })
            let b = Buffer(x)
            // Terms err by 2 units of Float32 in the vector sets; they are summed in Double. The logarithm of a relative error is that error.
            #expect(abs(unsafe compute.logSumExp(b.pointer, count: count) - expected) <= 4 * 0x1p-24, "\(set) \(count)")
        }
    }
}
