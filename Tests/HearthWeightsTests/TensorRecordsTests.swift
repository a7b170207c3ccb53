import Foundation
import HearthKernelTypes
import HearthTestSupport
import HearthWeights
import Testing

@Suite("TensorRecords")
struct TensorRecordsTests {
    @Test("Names, types, shapes and bytes of tensors are as written")
    func tensors() throws {
        let checkpoint = try GGUFBytes.tiny.opened()
        let a = try #require(checkpoint.tensor("a"))
        #expect(a.shape == [2, 8] && a.rows == 2 && a.columns == 8 && a.count == 16 && a.byteCount == 64)
        #expect(a.type == .f32)
        let b = try #require(checkpoint.tensor("b"))
        #expect(b.shape == [9] && b.rows == 1 && b.columns == 9)
        #expect(unsafe b.withBytes { unsafe Array($0) } == (64..<100).map { UInt8($0) })
        b.discard()
        checkpoint.file.discard()
        #expect(unsafe b.withBytes { unsafe $0[0] } == 64, "pages that were given back come back")
        #expect(checkpoint.tensor("c") == nil)
    }

    @Test("T-06 a file that lacks bytes of its last tensor is refused with the end it needs", arguments: [1, 18, 36])
    func cutData(missing: Int) throws {
        var file = GGUFBytes.tiny
        let size = file.bytes.count
        file.bytes.removeLast(missing)
        #expect(try file.refusal() == .tensorPastEnd(tensor: "b", end: UInt64(size), size: size - missing))
    }

    @Test("T-06 a file that ends after its header is refused with the first tensor")
    func noData() throws {
        var file = GGUFBytes.tiny
        let header = file.bytes.count - 100
        file.bytes.removeLast(100)
        #expect(try file.refusal() == .tensorPastEnd(tensor: "a", end: UInt64(header + 64), size: header))
    }

    @Test("T-07 more dimensions than four are refused before they are read", arguments: [5, 0xFFFF_FFFF])
    func dimensions(count: UInt32) throws {
        var file = GGUFBytes(tensors: 1)
        file.string("a")
        file.u32(count)
        file.data(64)
        #expect(try file.refusal() == .tooManyDimensions(tensor: "a", count: count))
    }

    @Test("T-11 a tensor that is there twice is refused with its name")
    func duplicate() throws {
        var file = GGUFBytes(tensors: 2)
        file.tensor("blk.0.attn_q.weight", [8])
        file.tensor("blk.0.attn_q.weight", [8], offset: 32)
        file.pad()
        file.data(64)
        #expect(try file.refusal() == .duplicateTensor("blk.0.attn_q.weight"))
    }

    @Test("Types that are not supported are refused by name, unknown numbers as such")
    func types() throws {
        func refusal(_ number: UInt32) throws -> CheckpointError.Cause? {
            var file = GGUFBytes(tensors: 1)
            file.tensor("a", [256], type: number)
            file.pad()
            file.data(512)
            return try file.refusal()
        }
        #expect(try refusal(40) == .unsupportedType(tensor: "a", number: 40, name: "NVFP4"))
        #expect(try refusal(16) == .unsupportedType(tensor: "a", number: 16, name: "IQ2_XXS"))
        #expect(try refusal(77) == .unsupportedType(tensor: "a", number: 77, name: nil))
        for type in ElementType.allCases where type != .f32 { #expect(try refusal(type.rawValue) == nil, "\(type)") }
    }

    @Test("Misaligned, overlapping, empty and half-block tensors are refused")
    func places() throws {
        func refusal(_ tensors: [(String, [UInt64], UInt32, UInt64)]) throws -> CheckpointError.Cause? {
            var file = GGUFBytes(tensors: UInt64(tensors.count))
            for (name, dimensions, type, offset) in tensors {
                file.tensor(name, dimensions, type: type, offset: offset)
            }
            file.pad()
            file.data(256)
            return try file.refusal()
        }
        #expect(try refusal([("a", [8], 0, 4)]) == .misaligned(tensor: "a", offset: 4, alignment: 32))
        #expect(try refusal([("a", [8], 0, 32), ("b", [9], 0, 0)]) == .overlap(first: "b", second: "a"))
        #expect(try refusal([("a", [8, 0], 0, 0)]) == .emptyTensor(tensor: "a", dimensions: [8, 0]))
        #expect(
            try refusal([("a", [16, 2], 2, 0)]) == .partialBlock(tensor: "a", columns: 16, type: "Q4_0", block: 32))
        #expect(try refusal([("b", [8], 0, 32), ("a", [8], 0, 0)]) == nil, "the order in the file is free")
    }
}
