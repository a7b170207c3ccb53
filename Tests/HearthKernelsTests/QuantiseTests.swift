import HearthKernelTypes
import HearthKernels
import Testing

@Suite("Quantising")
struct QuantiseTests {
    static func source(_ values: [Float], columns: Int) -> WeightSource {
        let bytes = values.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * UInt32($0))) } }
        return OwnedBytes(bytes).source("w", .f32, rows: values.count / columns, columns: columns)
    }

    /// Quantised and decoded again, row after row.
    static func roundTrip(_ values: [Float], columns: Int, _ type: ElementType) throws -> [Float] {
        let compute = Compute(set: .reference, threads: 2)
        let linear = try Linear([try compute.quantised(source(values, columns: columns), to: type)], compute: compute)
        return (0..<values.count / columns).flatMap { linear.decodedRow($0) }
    }

    /// The largest error that a block may have, in shares of its largest magnitude m.
    ///
    /// Q8_0: half a step of m / 127. Q4_0: a step of m / 8 at the far side. Q4_K: range at most 2 m over 15 steps, one step
    /// clipped by the finer grids, and half a step of the 6-bit scale (times 15) and of the 6-bit minimum, each at most
    /// m / 63. Q6_K: a step of m / 32 at the far side, and half a step of the scale, m / 32 / 128 at most, times 32. Half
    /// precision of a scale adds 2^-11 of m; a tenth more for rounding.
    static func bound(_ type: ElementType) -> Float {
        let share: Float =
            switch type {
            case .q8_0: 0.5 / 127
            case .q4_0: 1 / 8
            case .q4_k: 2.0 / 15 + 2.0 / 15 * 15 / 126 + 1.0 / 126
            default: 1.0 / 32 + 0.5 / 128
            }
        return (share + 0x1p-11) * 1.1
    }

    /// What half precision adds where a scale is below 2^-14 and errs by up to 2^-25: times the largest multiple of the scale.
    static func smallest(_ type: ElementType) -> Float {
        let multiple: Float =
            switch type {
            case .q8_0: 127
            case .q4_0: 8
            case .q4_k: 63 * 15 + 63
            default: 128 * 32
            }
        return multiple * 0x1p-25
    }

    @Test("decoding what was quantised is within the format's bound", arguments: Compute.quantisedTypes, [Float(1e-3), 1, 300])
    func errors(type: ElementType, size: Float) throws {
        var bits = Bits(state: 7)
        let columns = 512
        let values = (0..<6 * columns).map { index in
            // Rows of both signs, of one sign, and with one large value.
            let value = Float.random(in: index < 2 * columns ? 0...1 : -1...1, using: &bits) * size
            return index % columns == 77 && index > 4 * columns ? value * 8 : value
        }
        let decoded = try Self.roundTrip(values, columns: columns, type)
        for start in stride(from: 0, to: values.count, by: type.blockLength) {
            let block = start..<start + type.blockLength
            let largest = block.map { abs(values[$0]) }.max()!
            let worst = block.map { abs(decoded[$0] - values[$0]) }.max()!
            #expect(worst <= largest * Self.bound(type) + Self.smallest(type), "\(type) block at \(start): \(worst) of \(largest)")
        }
    }

    @Test("values that a format holds exactly come back exactly", arguments: Compute.quantisedTypes)
    func exact(type: ElementType) throws {
        // Whole steps of a scale of 1, with the extremes that fix the scale.
        let values: [Float] = (0..<256).map { index in
            switch type {
            case .q8_0: index % 32 == 0 ? 127 : Float(index % 32 - 16)
            case .q4_0: index % 32 == 0 ? -8 : Float(index % 16 - 8)
            case .q4_k: Float(index % 32 % 16) * 63
            default: Float(index % 16 * 4 - 32) * 128
            }
        }
        #expect(try Self.roundTrip(values, columns: 256, type) == values)
    }

    @Test("T-82 a block of zeros has scale 0 and decodes to zeros", arguments: Compute.quantisedTypes)
    func zeros(type: ElementType) throws {
        let compute = Compute(set: .reference, threads: 1)
        let source = try compute.quantised(Self.source([Float](repeating: 0, count: 256), columns: 256), to: type)
        #expect(try Linear([source], compute: compute).decodedRow(0).allSatisfy { $0 == 0 })
        for set in runnableSets {
            let compute = Compute(set: set, threads: 1)
            let products = try compute.product(try Linear([source], compute: compute), [[Float](repeating: 1, count: 256)])
            #expect(products == [[0]])
        }
    }

    /// As Doubles first: a Float literal below the normal range is a warning.
    static let tinyValues = [1e-39, -1e-39, 1e-45, 3e-8].map { Float($0) }

    @Test("T-83 a block of almost zeros gives finite codes near 0", arguments: Compute.quantisedTypes, tinyValues)
    func almostZeros(type: ElementType, tiny: Float) throws {
        let decoded = try Self.roundTrip((0..<256).map { $0 % 3 == 0 ? tiny : -tiny / 2 }, columns: 256, type)
        #expect(decoded.allSatisfy { $0.isFinite && abs($0) < 1e-6 })
    }

    @Test("the largest numbers stay finite, and infinity and NaN are refused with their row", arguments: Compute.quantisedTypes)
    func extremes(type: ElementType) throws {
        let large = try Self.roundTrip([Float](repeating: 3e38, count: 256), columns: 256, type)
        #expect(large.allSatisfy { $0.isFinite })
        for bad in [Float.infinity, -.infinity, .nan] {
            var values = [Float](repeating: 1, count: 512)
            values[300] = bad
            #expect(throws: KernelError.notFinite(name: "w", row: 1)) { try Self.roundTrip(values, columns: 256, type) }
        }
    }

    @Test("rows that are no whole blocks are refused")
    func ragged() throws {
        #expect(throws: KernelError.raggedRow(name: "w", type: .q4_k, columns: 64)) {
            try Self.roundTrip([Float](repeating: 1, count: 64), columns: 64, .q4_k)
        }
    }
}
