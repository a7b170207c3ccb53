import Foundation
import HearthTestSupport
import HearthWeights
import Testing

@Suite("GGUFWriter")
struct GGUFWriterTests {
    @Test("What is written opens as what was read", arguments: ["llama-f32.gguf", "quant-q4_k_m.gguf", "lfm2-f32.gguf", "safetensors/qwen3"])
    func roundTrip(name: String) throws {
        let before = try Checkpoint.open(Fixtures.url(name))
        let writer = GGUFWriter(
            metadata: before.metadata.entries,
            tensors: before.tensors.map {
                GGUFWriter.Record(name: $0.name, type: $0.type, shape: $0.shape, byteCount: $0.byteCount)
            })
        var bytes = writer.head
        for (index, tensor) in before.tensors.enumerated() {
            bytes += unsafe try tensor.loaded().withBytes { unsafe [UInt8]($0) }
            bytes += writer.padding(after: index)
        }
        let after = try withFile(bytes) { try Checkpoint.open($0) }
        #expect(after.metadata.entries.map(\.key) == before.metadata.entries.map(\.key))
        for (a, b) in zip(after.metadata.entries, before.metadata.entries) {
            #expect(Self.text(a.value) == Self.text(b.value), "\(a.key)")
        }
        #expect(after.tensors.map(\.name) == before.tensors.map(\.name))
        for (a, b) in zip(after.tensors, before.tensors) {
            #expect(a.type == b.type && a.shape == b.shape)
            let (x, y) = unsafe (a.withBytes { unsafe [UInt8]($0) }, try b.loaded().withBytes { unsafe [UInt8]($0) })
            #expect(x == y, "\(a.name)")
        }
    }

    /// A value with its kind and all elements.
    private static func text(_ value: MetadataValue) -> String {
        switch value {
        case .numbers(let array): "\(array.kind) \(array.map { Self.text($0) })"
        case .strings(let array): "\(Array(array))"
        case .arrays(let items): "\(items.map(text))"
        default: "\(value)"
        }
    }
}
