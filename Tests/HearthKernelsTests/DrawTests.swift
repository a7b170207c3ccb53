import Foundation
import HearthKernelTypes
import HearthKernels
import Testing

/// What samplers ask of a vocabulary: one set of bits for all sets and threads.
@Suite("A sampler's arithmetic")
struct DrawTests {
    /// Every set that runs here on one and two threads, the AVX2 set without AVX-512 too.
    static let computes = KernelSet.allCases.filter { $0.runs(on: .current) }.flatMap { set in
        [1, 2].flatMap { threads in
            [Compute(set: set, threads: threads), Compute(set: set, threads: threads, usesVNNI: false)]
        }
    }
    static let counts = [1, 7, 8, 31, 32, 1023, 1025, 16_384, 16_385, 50_000]

    func logits(_ count: Int) -> [Float] {
        var numbers = Numbers(seed: UInt64(count))
        return numbers.array(count, scale: 30)
    }

    @Test("weights follow their formula and are the same on every set", arguments: counts)
    func weights(count: Int) {
        var logits = logits(count)
        if count > 8 { (logits[3], logits[8]) = (-.infinity, -200) }
        let x = Buffer(logits)
        let largest = logits.max()!
        for scale in [0, 0.3, 1, 40, .greatestFiniteMagnitude] as [Float] {
            let all = Self.computes.map { compute in
                let out = Buffer(count: count)
                unsafe compute.drawWeights(x.pointer, DrawLaw(below: largest, scale: scale), count: count, into: out.pointer)
                return out.array
            }
            #expect(all.allSatisfy { $0 == all[0] })
            for (logit, weight) in zip(logits, all[0]) {
                let exponent = logit == -.infinity ? -Double.infinity : Double(logit - largest) * Double(scale)
                // Three roundings move the exponent (the difference is the formula's), the polynomial errs by 2 units; what is
                // below 2^-60 is so much.
                let expected = max(exp(exponent), 0x1p-60)
                #expect(abs(Double(weight) - expected) <= expected * (1.5 * min(-exponent, 42) + 2.5) * 0x1p-23)
            }
        }
    }

    @Test("masses are weights in units of 2^-42, and their sums the same on every set, any threads and in any order", arguments: counts)
    func masses(count: Int) {
        var logits = logits(count)
        if count > 8 { (logits[3], logits[8]) = (-.infinity, -200) }
        let largest = logits.max()!
        for scale in [0, 0.3, 1, 40] as [Float] {
            let law = DrawLaw(below: largest, scale: scale)
            let masses = Self.masses(logits, law)
            let expected = masses.reduce(0, +)
            let high = zip(logits, masses).filter { $0.0 >= 7 }.reduce(UInt64(0)) { $0 + $1.1 }
            for (compute, logits) in Self.computes.map({ ($0, logits) }) + [(Self.computes[0], logits.reversed())] {
                let x = Buffer(logits)
                var parts = [DrawSum](repeating: DrawSum(), count: Compute.drawParts(count))
                let sum = unsafe compute.sumOfMasses(x.pointer, law, count: count, through: &parts)
                #expect(sum == expected, "\(compute.set) \(scale)")
                let above = unsafe compute.sumOfMasses(x.pointer, law, count: count, from: 7, through: &parts)
                #expect(above == high, "\(compute.set) \(scale)")
            }
            for logit in logits.prefix(20) { #expect(Self.computes[0].mass(of: logit, law) == Self.masses([logit], law)[0]) }
        }
    }

    /// Each mass, written down as its definition says it.
    static func masses(_ logits: [Float], _ law: DrawLaw) -> [UInt64] {
        let x = Buffer(logits), out = Buffer(count: logits.count)
        unsafe Compute(set: .reference, threads: 1).drawWeights(x.pointer, law, count: logits.count, into: out.pointer)
        return out.array.map { UInt64((Double($0) * Double(DrawLaw.unit)).rounded(.toNearestOrEven)) }
    }

    @Test("a cut sums what counts and collects what is between, in its order and with its ids", arguments: counts)
    func cut(count: Int) {
        var logits = logits(count).map { ($0 * 4).rounded() / 4 }
        if count > 8 { (logits[2], logits[3], logits[8]) = (-0.0, -.infinity, 0) }
        let law = DrawLaw(below: 31, scale: 0.5)
        let masses = Self.masses(logits, law)
        let x = Buffer(logits)
        let given = (0..<count).map { Int32(3 * $0 + 1) }
        for (least, lower, upper) in [
            (40, -40, 40), (0, -10, 0), (-0.0, 0, 10), (.leastNonzeroMagnitude, -0.0, .leastNonzeroMagnitude), (5, 5, 5),
            (.infinity, 29, .infinity), (-.greatestFiniteMagnitude, -.greatestFiniteMagnitude, .infinity), (19, 20, 19),
            (-.greatestFiniteMagnitude, 28, .infinity), (3, .infinity, .infinity),
        ] as [(Float, Float, Float)] {
            let between = logits.indices.filter { logits[$0] >= lower && logits[$0] < upper }
            let mass = logits.indices.filter { logits[$0] >= least }.reduce(UInt64(0)) { $0 + masses[$1] }
            for compute in Self.computes {
                for ids in [nil, given] {
                    let values = Buffer(count: count)
                    var outIDs = [Int32](repeating: -1, count: count)
                    var parts = [DrawSum](repeating: DrawSum(), count: Compute.drawParts(count))
                    let sum = unsafe (ids ?? []).withUnsafeBufferPointer { ids in
                        unsafe outIDs.withUnsafeMutableBufferPointer { outIDs in
                            let cut = unsafe DrawCut(
                                x.pointer, ids: ids.isEmpty ? nil : ids.baseAddress, count: count, law, least: least, lower: lower,
                                upper: upper, into: values.pointer, outIDs.baseAddress)
                            return unsafe compute.run(cut, through: &parts)
                        }
                    }
                    #expect(sum.mass == mass && sum.collected == between.count, "\(compute.set) \(least) \(lower) \(upper)")
                    #expect(Array(values.array.prefix(between.count)) == between.map { logits[$0] })
                    #expect(Array(outIDs.prefix(between.count)) == between.map { ids?[$0] ?? Int32($0) })
                }
            }
        }
    }

    @Test("the largest of each part, and NaN for what no probability can be given to", arguments: counts)
    func largest(count: Int) {
        for compute in Self.computes {
            func parts(_ logits: [Float]) -> [Float] {
                let x = Buffer(logits), out = Buffer(count: Compute.drawParts(count))
                unsafe compute.largestOfParts(x.pointer, count: count, into: out.pointer)
                return out.array
            }
            var logits = logits(count)
            let expected = stride(from: 0, to: count, by: Compute.drawPart).map {
                logits[$0..<min($0 + Compute.drawPart, count)].max()!
            }
            #expect(parts(logits) == expected)
            for place in [0, count / 2, count - 1] {
                let before = logits[place]
                for bad in [Float.nan, -.nan, .infinity] {
                    logits[place] = bad
                    #expect(parts(logits)[place / Compute.drawPart].isNaN)
                }
                logits[place] = -.infinity
                #expect(!parts(logits)[place / Compute.drawPart].isNaN)
                logits[place] = before
            }
            #expect(parts(Array(repeating: -.infinity, count: count)).allSatisfy { $0 == -.infinity })
        }
    }
}
