import Foundation
import HearthKernelTypes
import HearthKernels
import HearthTestSupport
import Testing

/// A matrix of the tests: its bytes live as long as it does.
@safe final class OwnedBytes: Sendable {
    let bytes: [UInt8]
    nonisolated(unsafe) let pointer: UnsafeMutableRawBufferPointer

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        unsafe pointer = .allocate(byteCount: max(1, bytes.count), alignment: 64)
        unsafe pointer.copyBytes(from: bytes)
    }

    deinit { unsafe pointer.deallocate() }

    func source(_ name: String, _ type: ElementType, rows: Int, columns: Int) -> WeightSource {
        unsafe WeightSource(
            name: name, type: type, rows: rows, columns: columns,
            bytes: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(pointer)[0..<bytes.count]), owner: self)
    }
}

/// `dequantized` of a reference file: a row's bytes and the values they stand for.
struct DequantizedRow: Decodable {
    let tensor: String
    let type: String
    let bytes: String
    let values: [Float]

    var rawBytes: [UInt8] {
        let digits = Array(bytes.utf8).map { UInt8($0 < 58 ? $0 - 48 : $0 - 87) }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }
}

@Suite("Block formats")
struct DecodeBlocksTests {
    private struct Reference: Decodable { let dequantized: [DequantizedRow] }

    static let types: [ElementType] = ElementType.allCases

    @Test("each format decodes the reference rows exactly, in every kernel set", arguments: types)
    func decodesExactly(_ type: ElementType) throws {
        let file = "references/quant-\(type.name.lowercased()).json"
        let rows = try JSONDecoder().decode(Reference.self, from: Fixtures.bytes(file)).dequantized
        #expect(!rows.isEmpty)
        for row in rows {
            let type = try #require(ElementType.allCases.first { $0.name == row.type })
            let owner = OwnedBytes(row.rawBytes)
            for set in KernelSet.allCases {
                let compute = Compute(set: set, threads: 1)
                let linear = try Linear([owner.source("w", type, rows: 1, columns: row.values.count)], compute: compute)
                var decoded = [Float](repeating: .nan, count: row.values.count)
                unsafe decoded.withUnsafeMutableBufferPointer { unsafe linear.row(0, into: $0.baseAddress!) }
                #expect(decoded == row.values, "\(row.tensor) \(set)")
            }
        }
    }
}
