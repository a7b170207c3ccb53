import Foundation
import HearthWeights

/// Writes GGUF files byte by byte, right and wrong ones.
struct GGUFBytes {
    var bytes: [UInt8] = []

    init() {}

    /// The fixed header, 24 bytes.
    init(version: UInt32 = 3, tensors: UInt64 = 0, keys: UInt64 = 0) {
        bytes = Array("GGUF".utf8)
        u32(version)
        u64(tensors)
        u64(keys)
    }

    mutating func u32(_ value: UInt32) { append(value) }
    mutating func u64(_ value: UInt64) { append(value) }
    mutating func append(_ value: some FixedWidthInteger) {
        var rest = value
        for _ in 0..<value.bitWidth / 8 {
            bytes.append(UInt8(truncatingIfNeeded: rest))
            rest >>= 8
        }
    }

    mutating func string(_ text: String) {
        u64(UInt64(text.utf8.count))
        bytes += text.utf8
    }

    mutating func key(_ key: String, u32 value: UInt32) {
        string(key)
        u32(4)
        u32(value)
    }

    mutating func key(_ key: String, string value: String) {
        string(key)
        u32(8)
        string(value)
    }

    mutating func tensor(_ name: String, _ dimensions: [UInt64], type: UInt32 = 0, offset: UInt64 = 0) {
        string(name)
        u32(UInt32(dimensions.count))
        for dimension in dimensions { u64(dimension) }
        u32(type)
        u64(offset)
    }

    mutating func pad(to alignment: Int = 32) {
        bytes += [UInt8](repeating: 0, count: (alignment - bytes.count % alignment) % alignment)
    }

    mutating func data(_ count: Int) { for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: index)) } }

    /// A model of one key and two tensors, `a` of 64 bytes and `b` of 36: the last byte of the file belongs to `b`.
    static var tiny: GGUFBytes {
        var file = GGUFBytes(tensors: 2, keys: 1)
        file.key("general.architecture", string: "llama")
        file.tensor("a", [8, 2])
        file.tensor("b", [9], offset: 64)
        file.pad()
        file.data(100)
        return file
    }

    func opened(as name: String = "tiny.gguf") throws -> Checkpoint {
        try withFile(bytes, name) { try Checkpoint.open($0) }
    }

    /// The cause for which the file is refused, nil if it is not.
    func refusal(as name: String = "tiny.gguf") throws -> CheckpointError.Cause? {
        do {
            _ = try opened(as: name)
            return nil
        } catch let error as CheckpointError {
            return error.cause
        }
    }
}

/// Writes `bytes` to a file of its own, which is gone afterwards (what is mapped stays readable).
func withFile<R>(_ bytes: [UInt8], _ name: String = "tiny.gguf", _ body: (URL) throws -> R) throws -> R {
    let folder = FileManager.default.temporaryDirectory.appending(path: "hearth-weights-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: name)
    try Data(bytes).write(to: file)
    return try body(file)
}
