import Foundation
import HearthKernelTypes
import HearthTestSupport
import HearthWeights
import Testing

@Suite("Checkpoint")
struct CheckpointTests {
    @Test("Every fixture opens, with its architecture and its tensors")
    func fixtures() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Fixtures.folder.path).filter {
            $0.hasSuffix(".gguf")
        }
        #expect(names.count > 20)
        for name in names {
            let checkpoint = try Checkpoint.open(Fixtures.url(name))
            #expect(!checkpoint.tensors.isEmpty, "\(name)")
            #expect(try !checkpoint.metadata.text("general.architecture").isEmpty)
        }
    }

    @Test("The bytes of a fixture's row are those of its reference")
    func bytes() throws {
        let checkpoint = try Checkpoint.open(Fixtures.url("quant-q4_k.gguf"))
        let head = try #require(checkpoint.tensor("output.weight"))
        #expect(head.type == .q4_k && head.shape == [320, 256] && head.byteCount == 320 * 144)
        let file = try Fixtures.bytes("quant-q4_k.gguf")
        #expect(unsafe head.withBytes { unsafe Data($0) } == file[head.byteRange])
    }

    @Test(
        "The default model opens with all its tensors",
        .enabled(if: Store.has(Store.defaultModel), "run make test to fetch the default model"))
    func defaultModel() throws {
        let checkpoint = try Checkpoint.open(Store.defaultModel)
        #expect(try checkpoint.metadata.text("general.architecture") == "llama")
        #expect(try checkpoint.metadata.int("llama.block_count") == 30)
        #expect(try checkpoint.metadata.strings("tokenizer.ggml.tokens").count == 49_152)
        #expect(checkpoint.tensors.count == 272)
        let types = Dictionary(grouping: checkpoint.tensors, by: \.type).mapValues(\.count)
        #expect(types == [.q4_1: 210, .q8_0: 1, .f32: 61])
        let last = checkpoint.tensors.map(\.byteRange.upperBound).max()
        #expect(last == checkpoint.file.count)
    }

    @Test(
        "A vocabulary file without tensors is a checkpoint",
        .enabled(if: Store.has(Store.vocabularies), "run make test to fetch the reference vocabularies"))
    func vocabularies() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Store.vocabularies.path).filter {
            $0.hasSuffix(".gguf")
        }
        #expect(names.count >= 15)
        for name in names {
            let checkpoint = try Checkpoint.open(Store.vocabularies.appending(path: name))
            #expect(checkpoint.tensors.isEmpty)
            #expect(try checkpoint.metadata.strings("tokenizer.ggml.tokens").count > 1_000)
        }
    }

    @Test("One file has one identity by every path to it, another after it was replaced")
    func identity() throws {
        try withFile(GGUFBytes.tiny.bytes) { file in
            let link = file.deletingLastPathComponent().appending(path: "link.gguf")
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
            let first = try FileIdentity(of: file)
            #expect(try FileIdentity(of: link) == first)
            #expect(try Checkpoint.open(link).file.identity == first)
            try FileManager.default.removeItem(at: file)
            try Data(GGUFBytes.tiny.bytes + [0]).write(to: file)
            #expect(try FileIdentity(of: file) != first)
        }
    }
}
