import Foundation
import HearthTestSupport
import HearthWeights
import Testing

@Suite("Metadata")
struct MetadataTests {
    private static var sample: GGUFBytes {
        var file = GGUFBytes(keys: 8)
        file.key("count", u32: 7)
        file.key("name", string: "naïve")
        file.string("negative")
        file.u32(5)
        file.append(Int32(-3))
        file.string("huge")
        file.u32(10)
        file.u64(.max)
        file.string("float")
        file.u32(6)
        file.u32(Float(1.5).bitPattern)
        file.string("flags")
        file.u32(9)
        file.u32(7)
        file.u64(2)
        file.bytes += [1, 0]
        file.string("words")
        file.u32(9)
        file.u32(8)
        file.u64(2)
        file.string("a")
        file.string("")
        file.string("scores")
        file.u32(9)
        file.u32(6)
        file.u64(2)
        file.u32(Float(-1).bitPattern)
        file.u32(Float(0.25).bitPattern)
        return file
    }

    @Test("Typed getters give what the file holds, in its order")
    func getters() throws {
        let metadata = try Self.sample.opened().metadata
        #expect(
            metadata.entries.map(\.key) == ["count", "name", "negative", "huge", "float", "flags", "words", "scores"])
        #expect(try metadata.int("count") == 7)
        #expect(try metadata.int("negative") == -3)
        #expect(try metadata.text("name") == "naïve")
        #expect(try metadata.float("float") == 1.5)
        #expect(try metadata.bools(ifPresent: "flags") == [true, false])
        #expect(try Array(metadata.strings("words")) == [Array("a".utf8), []])
        #expect(try metadata.floats("scores") == [-1, 0.25])
        #expect(try metadata.int(ifPresent: "absent") == nil)
    }

    @Test("A getter names the key that is missing or of another type")
    func wrongTypes() throws {
        let metadata = try Self.sample.opened().metadata
        func cause(_ body: () throws -> Void) -> CheckpointError.Cause? {
            #expect(throws: CheckpointError.self) { try body() }?.cause
        }
        #expect(cause { _ = try metadata.int("absent") } == .missingKey("absent"))
        #expect(
            cause { _ = try metadata.int("name") }
                == .wrongType(key: "name", actual: "STRING", expected: "a whole number"))
        #expect(
            cause { _ = try metadata.int("huge") }
                == .wrongType(key: "huge", actual: "UINT64", expected: "a whole number"))
        #expect(
            cause { _ = try metadata.text(ifPresent: "count") }
                == .wrongType(key: "count", actual: "UINT32", expected: "a STRING"))
        #expect(
            cause { _ = try metadata.ints("words") }
                == .wrongType(key: "words", actual: "array of STRING", expected: "an array of whole numbers"))
        #expect(
            cause { _ = try metadata.strings("scores") }
                == .wrongType(key: "scores", actual: "array of FLOAT32", expected: "an array of STRING"))
    }

    @Test("T-04 an alignment of 0, of 3, of another integer type or as text is refused with the key's name")
    func alignment() throws {
        func refusal(_ write: (inout GGUFBytes) -> Void) throws -> CheckpointError.Cause? {
            var file = GGUFBytes(tensors: 1, keys: 1)
            write(&file)
            file.tensor("a", [16])
            file.pad()
            file.data(128)
            return try file.refusal()
        }
        let key = "general.alignment"
        #expect(try refusal { $0.key(key, u32: 0) } == .badAlignment(0))
        #expect(try refusal { $0.key(key, u32: 3) } == .badAlignment(3))
        #expect(
            try refusal {
                $0.string(key)
                $0.u32(11)
                $0.append(Int64(64))
            } == .wrongType(key: key, actual: "INT64", expected: "a UINT32"))
        #expect(
            try refusal { $0.key(key, string: "32") } == .wrongType(key: key, actual: "STRING", expected: "a UINT32"))
        #expect(try refusal { $0.key(key, u32: 64) } == nil)
        for cause in [CheckpointError.Cause.badAlignment(0), .badAlignment(3)] {
            #expect(CheckpointErrorTests.message(cause).contains(key))
        }
    }

    @Test("Keys that are not ASCII, values of unknown type and truth values of 2 are refused")
    func refusals() throws {
        var name = GGUFBytes(keys: 1)
        name.key("naïve", u32: 1)
        #expect(try name.refusal() == .notASCII(what: "metadata key 1"))
        var kind = GGUFBytes(keys: 1)
        kind.string("k")
        kind.u32(13)
        kind.u32(0)
        #expect(try kind.refusal() == .unknownKind(key: "k", number: 13))
        var flag = GGUFBytes(keys: 1)
        flag.string("k")
        flag.u32(7)
        flag.bytes.append(2)
        #expect(try flag.refusal() == .badBool(key: "k", value: 2, offset: 37))
        var text = GGUFBytes(keys: 1)
        text.string("k")
        text.u32(8)
        text.u64(1)
        text.bytes.append(0xFF)
        let metadata = try text.opened().metadata
        #expect(throws: CheckpointError.self) { try metadata.text("k") }
    }
}
