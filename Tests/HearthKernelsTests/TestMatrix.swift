import HearthKernelTypes
import HearthKernels

/// A random matrix in a file's format, with scales of a size that real files have.
struct TestMatrix {
    let type: ElementType
    let rows: Int
    let columns: Int
    var bytes: [UInt8]

    init(_ type: ElementType, rows: Int, columns: Int, seed: UInt64 = 1) {
        var bits = Bits(state: seed)
        let rowBytes = type.byteCount(of: columns)!
        var bytes = (0..<rows * rowBytes).map { _ in UInt8.random(in: 0...255, using: &bits) }
        func put(_ value: Float16, _ at: Int) {
            bytes[at] = UInt8(value.bitPattern & 255)
            bytes[at + 1] = UInt8(value.bitPattern >> 8)
        }
        let places: [Int] =
            switch type {
            case .q4_0, .q5_0, .q8_0, .iq4_nl, .iq4_xs: [0]
            case .q4_1, .q5_1, .q4_k, .q5_k: [0, 2]
            case .q2_k: [80, 82]
            case .q3_k: [108]
            case .q6_k: [208]
            case .f16: [0]
            case .f32, .bf16, .mxfp4: []
            }
        for block in stride(from: 0, to: bytes.count, by: type.blockBytes) {
            for place in places { put(Float16(Float.random(in: -1...1, using: &bits) / 64), block + place) }
            let value = Float.random(in: -1...1, using: &bits).bitPattern
            // 2^-13 to 2^-3.
            if type == .mxfp4 { bytes[block] = UInt8.random(in: 115...125, using: &bits) }
            if type == .f32 { for i in 0..<4 { bytes[block + i] = UInt8(value >> (8 * i) & 255) } }
            if type == .bf16 { for i in 0..<2 { bytes[block + i] = UInt8(value >> (16 + 8 * i) & 255) } }
        }
        self.type = type
        self.rows = rows
        self.columns = columns
        self.bytes = bytes
    }

    var rowBytes: Int { type.byteCount(of: columns)! }

    func row(_ index: Int) -> [UInt8] { Array(bytes[index * rowBytes..<(index + 1) * rowBytes]) }

    func linear(_ compute: Compute) throws -> Linear { try Linear([source()], compute: compute) }

    func source(_ name: String = "w") -> WeightSource { OwnedBytes(bytes).source(name, type, rows: rows, columns: columns) }

    /// Every value, as the reference set decodes it.
    func decoded() throws -> [[Float]] {
        let linear = try linear(Compute(set: .reference, threads: 1))
        return (0..<rows).map { linear.decodedRow($0) }
    }
}

extension Linear {
    func decodedRow(_ index: Int) -> [Float] {
        var row = [Float](repeating: .nan, count: inputs)
        unsafe row.withUnsafeMutableBufferPointer { unsafe self.row(index, into: $0.baseAddress!) }
        return row
    }
}

extension Compute {
    /// `[tokens][outputs]` for inputs `[tokens][columns]`.
    func product(_ w: Linear, _ x: [[Float]]) throws -> [[Float]] {
        let activations = try Activations(capacity: x.count, columns: x[0].count, compute: self)
        for (t, row) in x.enumerated() {
            for (k, value) in row.enumerated() { unsafe activations[t][k] = value }
        }
        activations.changed()
        // Filled with NaN and followed by a guard, so that what is not written or written beyond shows.
        var out = [Float](repeating: .nan, count: x.count * w.outputs + 8)
        unsafe try out.withUnsafeMutableBufferPointer {
            unsafe try multiply(w, activations, tokens: x.count, into: $0.baseAddress!)
        }
        precondition(out.suffix(8).allSatisfy(\.isNaN), "written beyond the output")
        return (0..<x.count).map { Array(out[$0 * w.outputs..<($0 + 1) * w.outputs]) }
    }
}

func randomInput(tokens: Int, columns: Int, seed: UInt64 = 5) -> [[Float]] {
    var bits = Bits(state: seed)
    return (0..<tokens).map { _ in (0..<columns).map { _ in Float.random(in: -2...2, using: &bits) } }
}

/// The sets that this processor can execute.
let runnableSets = KernelSet.allCases.filter { $0.runs(on: .current) }
let fastSets = runnableSets.filter { $0 != .reference }
let quantisedTypes = ElementType.allCases.filter { $0.blockLength > 1 }
let floatTypes = ElementType.allCases.filter { $0.blockLength == 1 }
