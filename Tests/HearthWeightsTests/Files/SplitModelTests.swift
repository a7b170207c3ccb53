import Foundation
import HearthWeights
import Testing

@Suite("SplitModel")
struct SplitModelTests {
    /// `tiny` in three files: the first has the metadata of the model, and each one tensor of 32 bytes.
    static func shard(_ number: UInt64, of count: UInt64 = 3, total: UInt64 = 3, name: String? = nil) -> GGUFBytes {
        var file = GGUFBytes(tensors: 1, keys: number == 0 ? 4 : 3)
        if number == 0 { file.key("general.architecture", string: "llama") }
        for (key, value) in [("split.no", number), ("split.count", count)] {
            file.string(key)
            file.u32(2)  // UINT16
            file.append(UInt16(value))
        }
        file.string("split.tensors.count")
        file.u32(5)  // INT32
        file.append(Int32(total))
        file.tensor(name ?? "t\(number)", [8])
        file.pad()
        file.data(32)
        return file
    }

    static func name(_ number: Int, of count: Int = 3) -> String { "tiny-0000\(number)-of-0000\(count).gguf" }

    /// A folder with the given files, which is gone afterwards.
    static func withFolder<R>(_ files: [(String, GGUFBytes)], _ body: (URL) throws -> R) throws -> R {
        let folder = FileManager.default.temporaryDirectory.appending(path: "hearth-split-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (name, file) in files { try Data(file.bytes).write(to: folder.appending(path: name)) }
        return try body(folder)
    }

    static func whole() -> [(String, GGUFBytes)] { [3, 1, 2].map { (name($0), shard(UInt64($0 - 1))) } }

    @Test("T-08 any shard of a set, or its folder, opens the whole model", arguments: ["1", "2", "3", "folder"])
    func anyShard(way: String) throws {
        try Self.withFolder(Self.whole()) { folder in
            let url = Int(way).map { folder.appending(path: Self.name($0)) } ?? folder
            let checkpoint = try Checkpoint.open(url)
            #expect(checkpoint.tensors.map(\.name) == ["t0", "t1", "t2"])
            #expect(try checkpoint.metadata.text("general.architecture") == "llama")
            #expect(checkpoint.files.map { URL(filePath: $0.path).lastPathComponent } == (1...3).map { Self.name($0) })
            #expect(try FileIdentity(ofModel: url) == FileIdentity(ofModel: folder))
            for tensor in checkpoint.tensors {
                let size = unsafe tensor.withBytes { $0.count }
                #expect(size == 32)
            }
        }
    }

    @Test("A missing part, a wrong number, a wrong total and a name in two files are refused with the file's name")
    func refusals() throws {
        func refusal(_ files: [(String, GGUFBytes)]) throws -> CheckpointError? {
            try Self.withFolder(files) { folder in
                #expect(throws: CheckpointError.self) { try Checkpoint.open(folder.appending(path: Self.name(1))) }
            }
        }
        var files = Self.whole()
        #expect(try refusal(files.filter { $0.0 != Self.name(2) })?.cause == .missingShard(number: 2, of: 3))
        files[2].1 = Self.shard(2)
        let wrong = try refusal(files)
        #expect(wrong?.cause == .wrongShard(key: "split.no", actual: 2, expected: 1))
        #expect(wrong?.file.hasSuffix(Self.name(2)) == true)
        files[2].1 = Self.shard(1, of: 4)
        #expect(try refusal(files)?.cause == .wrongShard(key: "split.count", actual: 4, expected: 3))
        files[2].1 = Self.shard(1, total: 9)
        #expect(try refusal(files)?.cause == .wrongShard(key: "split.tensors.count", actual: 9, expected: 3))
        files[2].1 = Self.shard(1, name: "t0")
        #expect(try refusal(files)?.cause == .duplicateTensor("t0"))
        var damaged = Self.shard(1)
        damaged.bytes.removeLast(8)
        files[2].1 = damaged
        #expect(try refusal(files)?.file.hasSuffix(Self.name(2)) == true)
    }

    @Test("A folder with two models is refused, and one with one file opens it")
    func folders() throws {
        let several = try Self.withFolder(Self.whole() + [("other.gguf", .tiny)]) { folder in
            #expect(throws: CheckpointError.self) { try Checkpoint.open(folder) }
        }
        #expect(several?.cause == .severalModels(["other.gguf"] + (1...3).map { Self.name($0) }))
        let count = try Self.withFolder([("a.b.gguf", .tiny)]) { try Checkpoint.open($0).tensors.count }
        #expect(count == 2)
    }

    @Test("A change of any shard makes it another model")
    func identity() throws {
        try Self.withFolder(Self.whole()) { folder in
            let before = try FileIdentity(ofModel: folder)
            try Data(Self.shard(2).bytes + [0]).write(to: folder.appending(path: Self.name(3)))
            #expect(try FileIdentity(ofModel: folder.appending(path: Self.name(1))) != before)
        }
    }
}
