import Foundation
import HearthTestSupport
import HearthWeights
import Testing

@Suite("GGUFReader")
struct GGUFReaderTests {
    @Test(
        "T-01 a file cut inside its fixed header ends too early, and the offset is told", arguments: [4, 5, 8, 15, 23])
    func cutHeader(length: Int) throws {
        var file = GGUFBytes()
        file = GGUFBytes(tensors: 1, keys: 1)
        file.bytes.removeLast(file.bytes.count - length)
        // The field that is cut: version from 4, tensors from 8, keys from 16.
        let (what, offset, needs) =
            switch length {
            case ..<8: ("the version", 4, 4)
            case ..<16: ("the number of tensors", 8, 8)
            default: ("the number of metadata keys", 16, 8)
            }
        #expect(try file.refusal() == .endsEarly(what: what, offset: offset, needs: needs, left: length - offset))
    }

    @Test("T-02 dimensions whose product is 0 in 64 bits are refused with the tensor's name")
    func wrappingDimensions() throws {
        var file = GGUFBytes(tensors: 1)
        file.tensor("blk.0.attn_q.weight", [4_294_967_296, 4_294_967_296])
        file.pad()
        file.data(64)
        #expect(
            try file.refusal()
                == .sizeOverflow(
                    tensor: "blk.0.attn_q.weight", dimensions: [4_294_967_296, 4_294_967_296], type: "F32"))
    }

    @Test("T-02 a byte count that wraps where the number of values does not is refused too")
    func wrappingBytes() throws {
        var file = GGUFBytes(tensors: 1)
        file.tensor("a", [1 << 31, 1 << 31])  // 2^62 values of 4 bytes
        file.pad()
        #expect(try file.refusal() == .sizeOverflow(tensor: "a", dimensions: [1 << 31, 1 << 31], type: "F32"))
    }

    @Test("T-02 an offset that wraps the end of a tensor is refused")
    func wrappingOffset() throws {
        var file = GGUFBytes(tensors: 1)
        file.tensor("a", [16], offset: 0xFFFF_FFFF_FFFF_FFE0)
        file.pad()
        file.data(64)
        #expect(try file.refusal() == .tensorPastEnd(tensor: "a", end: .max, size: 128 + 32 - 32))
    }

    @Test("T-03 a key longer than the file is refused before its length is used")
    func longKey() throws {
        var file = GGUFBytes(keys: 1)
        file.u64(0xFFFF_FFFF_FFFF_FFF8)
        file.data(68)
        #expect(file.bytes.count == 100)
        #expect(
            try file.refusal()
                == .lengthPastEnd(what: "metadata key 1", length: 0xFFFF_FFFF_FFFF_FFF8, offset: 32, left: 68))
    }

    @Test("T-03 a string value longer than the file is refused before its length is used")
    func longValue() throws {
        var file = GGUFBytes(keys: 1)
        file.string("k")
        file.u32(8)
        file.u64(0x7FFF_FFFF_FFFF_FFFF)
        file.data(100 - file.bytes.count)
        #expect(
            try file.refusal()
                == .lengthPastEnd(what: "the value of k", length: 0x7FFF_FFFF_FFFF_FFFF, offset: 45, left: 55))
    }

    @Test("T-03 counts of keys, tensors and array items larger than the file are refused before room is made for them")
    func longCounts() throws {
        var array = GGUFBytes(keys: 1)
        array.string("k")
        array.u32(9)
        array.u32(8)
        array.u64(1 << 40)
        #expect(try array.refusal() == .countPastEnd(what: "the array k", count: 1 << 40, size: 8, offset: 49, left: 0))
        #expect(
            try GGUFBytes(keys: .max).refusal()
                == .countPastEnd(what: "metadata keys", count: .max, size: 13, offset: 24, left: 0))
        #expect(
            try GGUFBytes(tensors: .max).refusal()
                == .countPastEnd(what: "tensor records", count: .max, size: 24, offset: 24, left: 0))
    }

    @Test("T-05 arrays nested 5,000 deep are refused at a small depth, on a thread with a small stack")
    func nestedArrays() throws {
        var file = GGUFBytes(keys: 1)
        file.string("deep")
        file.u32(9)
        for _ in 0..<5_000 {
            file.u32(9)
            file.u64(1)
        }
        let bytes = file
        nonisolated(unsafe) var cause: CheckpointError.Cause?
        let done = DispatchSemaphore(value: 0)
        let thread = Thread {
            unsafe cause = try? bytes.refusal()
            done.signal()
        }
        thread.stackSize = 512 * 1024
        thread.start()
        done.wait()
        #expect(unsafe cause == .tooDeep(key: "deep", deepest: 4))
    }

    @Test("Arrays nested no deeper than allowed are read")
    func shallowArrays() throws {
        var file = GGUFBytes(keys: 1)
        file.string("k")
        file.u32(9)
        file.u32(9)
        file.u64(2)
        for value in [[7, 8], [9]] as [[UInt32]] {
            file.u32(4)
            file.u64(UInt64(value.count))
            value.forEach { file.u32($0) }
        }
        guard case .arrays(let arrays)? = try file.opened().metadata["k"] else {
            Issue.record("no arrays")
            return
        }
        let numbers: [[Int?]] = arrays.map { if case .numbers(let list) = $0 { list.map { $0.int } } else { [] } }
        #expect(numbers == [[7, 8], [9]])
    }

    @Test("T-09 a big-endian file is called that, and not an unknown version")
    func bigEndian() throws {
        var file = GGUFBytes(tensors: 0)
        file.bytes.replaceSubrange(4..<8, with: [0, 0, 0, 3])
        #expect(try file.refusal() == .bigEndian(version: 3))
        let message = CheckpointErrorTests.message(.bigEndian(version: 3))
        #expect(message.contains("big-endian") && !message.contains("50331648"))
    }

    @Test("Versions other than 2 and 3 are refused", arguments: [0, 1, 4, 1000])
    func versions(version: UInt32) throws {
        #expect(try GGUFBytes(version: version, tensors: 0).refusal() == .version(version))
    }

    @Test("Version 2 is read like version 3")
    func version2() throws {
        var file = GGUFBytes.tiny
        file.bytes[4] = 2
        let checkpoint = try file.opened()
        #expect(checkpoint.format == "GGUF 2")
        #expect(checkpoint.tensors.map(\.name) == ["a", "b"])
    }

    @Test("T-10 a web page, an empty file and an older format are told apart")
    func noModels() throws {
        func refusal(_ text: String) throws -> CheckpointError.Cause? {
            var file = GGUFBytes()
            file.bytes = Array(text.utf8)
            return try file.refusal()
        }
        #expect(try refusal("<!DOCTYPE html><html></html>") == .webPage)
        #expect(try refusal("\n <HTML><body>404</body>") == .webPage)
        #expect(try refusal("") == .empty)
        #expect(try refusal("GGML and more") == .olderFormat)
        #expect(try refusal("tjgg and more") == .olderFormat)
        #expect(try refusal("version https://git-lfs.github.com/spec/v1\noid sha256:") == .pointerFile)
        #expect(try refusal("PK\u{3}\u{4}zip") == .notAModel(start: [0x50, 0x4B, 3, 4]))
        #expect(try refusal("GG") == .endsEarly(what: "the magic GGUF", offset: 0, needs: 4, left: 2))
        let messages = [CheckpointError.Cause.webPage, .empty, .olderFormat].map(CheckpointErrorTests.message)
        #expect(Set(messages).count == 3)
    }

    @Test("T-11 a key that is there twice is refused with its name, in either order", arguments: [false, true])
    func duplicateKey(swapped: Bool) throws {
        var file = GGUFBytes(keys: 2)
        for value in swapped ? ["llama", "qwen2"] : ["qwen2", "llama"] {
            file.key("general.architecture", string: value)
        }
        #expect(try file.refusal() == .duplicateKey("general.architecture"))
    }

    @Test("A missing file and a folder are told apart from a bad file")
    func noFile() throws {
        let missing = FileManager.default.temporaryDirectory.appending(path: "hearth-nothing-\(UUID().uuidString).gguf")
        let error = #expect(throws: CheckpointError.self) { try Checkpoint.open(missing) }
        #expect(error?.isNotFound == true && error?.file == missing.path)
        let folder = #expect(throws: CheckpointError.self) { try withFile([], "readme.txt") { try Checkpoint.open($0.deletingLastPathComponent()) } }
        #expect(folder?.cause == .noWeights)
    }

    @Test("Every prefix of a small file is refused or read, and none stops the program")
    func everyPrefix() throws {
        let whole = GGUFBytes.tiny
        for length in 0..<whole.bytes.count {
            var file = whole
            file.bytes.removeLast(whole.bytes.count - length)
            #expect(try file.refusal() != nil, "\(length) bytes")
        }
    }

    @Test("A file with any one byte changed is refused or read, and never stops the program")
    func everyByte() throws {
        let whole = GGUFBytes.tiny
        for place in 0..<whole.bytes.count - 100 {
            for value in [0, 1, 0x7F, 0x80, 0xFF] as [UInt8] {
                var file = whole
                file.bytes[place] = value
                if let checkpoint = try? file.opened() {
                    for tensor in checkpoint.tensors { #expect(tensor.byteRange.upperBound <= file.bytes.count) }
                }
            }
        }
    }
}
