import Foundation
import HearthKernelTypes
import HearthKernels
import Testing

/// What samplers ask of a vocabulary: one set of bits for all sets and threads.
@Suite("A sampler's arithmetic")
struct DrawTests {
    static let computes = KernelSet.allCases.filter { $0.runs(on: .current) }.flatMap { set in
        [1, 2].map { Compute(set: set, threads: $0) }
    }
    static let counts = [1, 7, 8, 31, 32, 1023, 1025, 16_384, 16_385, 50_000]

    func logits(_ count: Int) -> [Float] {
        var numbers = Numbers(seed: UInt64(count))
        return numbers.array(count, scale: 30)
    }

    @Test("sums of exponentials follow their formula and have the same bits on every set and any threads", arguments: counts)
    func sums(count: Int) {
        var logits = logits(count)
        if count > 8 { (logits[3], logits[8]) = (-.infinity, -200) }
        let x = Buffer(logits)
        let largest = logits.max()!
        for scale in [1, 0.3, 40] as [Float] {
            var seen: Set<UInt64> = []
            for compute in Self.computes {
                var parts = [Double](repeating: .nan, count: Compute.drawParts(count))
                let sum = unsafe parts.withUnsafeMutableBufferPointer {
                    unsafe compute.sumOfExponentials(
                        x.pointer, largest: largest, scale: scale, count: count, through: $0.baseAddress!)
                }
                seen.insert(sum.bitPattern)
                let expected = logits.reduce(0) { $0 + exp(Double(($1 - largest) * scale)) }
                // Each term errs by 2 units and its argument's rounding (up to 60 * scale * 2^-24); 128 terms a lane.
                #expect(abs(sum - expected) <= expected * (Double(60 * scale) + 140) * 0x1p-24, "\(compute.set)")
            }
            #expect(seen.count == 1)
        }
    }

    @Test("weights are the same on every set", arguments: counts)
    func weights(count: Int) {
        let x = Buffer(logits(count))
        let all = Self.computes.map { compute in
            let out = Buffer(count: count)
            unsafe compute.drawWeights(x.pointer, largest: 30, scale: 1.25, count: count, into: out.pointer)
            return out.array
        }
        #expect(all.allSatisfy { $0 == all[0] })
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

    @Test("the first number of at least a threshold, zeros of both signs and the least differences included", arguments: counts)
    func firstAtLeast(count: Int) {
        let logits = logits(count)
        for compute in Self.computes {
            func first(_ threshold: Float, _ values: [Float], from start: Int = 0) -> Int {
                let x = Buffer(values)
                return unsafe compute.firstAtLeast(threshold, in: x.pointer, from: start, count: values.count)
            }
            for threshold in [-40, -29, 0, 20, 29.9, 40] as [Float] {
                for start in [0, count / 3, count - 1] {
                    let expected = logits[start...].firstIndex { $0 >= threshold } ?? count
                    #expect(first(threshold, logits, from: start) == expected)
                }
            }
            for (value, threshold, isThere) in [
                (-0.0, 0.0, true), (0, -0.0, true), (2e-38, 2.2e-38, false), (-.greatestFiniteMagnitude, 1, false),
                (-.infinity, -.greatestFiniteMagnitude, false), (Float.leastNonzeroMagnitude, 0, true),
                (-Float.leastNonzeroMagnitude, 0, false), (1, Float(1).nextUp, false), (.nan, -1, false),
            ] as [(Float, Float, Bool)] {
                var values = [Float](repeating: -.infinity, count: count)
                values[count - 1] = value
                #expect(first(threshold, values) == (isThere ? count - 1 : count), "\(value) at least \(threshold)")
            }
        }
    }
}
