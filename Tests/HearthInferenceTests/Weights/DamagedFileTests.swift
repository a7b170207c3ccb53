import Foundation
import HearthInference
import HearthTestSupport
import HearthTokens
import HearthWeights
import Testing

@Suite struct DamagedFileTests {
    /// Half of the places are in metadata and tensor records before the vocabulary's end, half anywhere; a trap ends the process.
    @Test(
        "a file of experts or convolutions with one byte changed is refused or evaluated",
        arguments: ["qwen3moe-f32", "gpt-oss-mxfp4", "lfm2-f32"])
    func oneByte(name: String) async throws {
        let whole = try Fixtures.bytes("\(name).gguf")
        let keys = try #require(whole.range(of: Data("\(name.prefix { $0 != "-" })".utf8)))
        let names = try #require(whole.range(of: Data("token_embd.weight".utf8)))
        let records = names.lowerBound..<min(names.lowerBound + 4096, whole.count)
        let settings = keys.lowerBound..<min(keys.lowerBound + 1024, whole.count)
        let file = FileManager.default.temporaryDirectory.appending(path: "hearth-\(UUID().uuidString).gguf")
        defer { try? FileManager.default.removeItem(at: file) }
        var (refused, evaluated) = (0, 0)
        for round in 0..<Self.rounds {
            let range = [settings, records, 0..<whole.count][round % 3]
            let place = range.lowerBound + Int(Philox.uniform(seed: 90, index: UInt64(2 * round)) * Double(range.count))
            let change = UInt8(1 + Philox.uniform(seed: 90, index: UInt64(2 * round + 1)) * 254)
            var bytes = whole
            bytes[place] ^= change
            try bytes.write(to: file)
            do {
                // With a short context and with the file's own, damaged or not.
                let options = ModelOptions.plain.with { $0.context = round % 2 == 0 ? 16 : nil }
                let generator = try await Generator.load(options: options) { try Checkpoint.open(file) }
                let vocabulary = generator.weights.vocabulary
                _ = try await generator.score([1, 2, 3, 4].map { $0 % Token(vocabulary) })
                evaluated += 1
            } catch is InferenceError {
                refused += 1
            } catch is CheckpointError {
                refused += 1
            }
        }
        #expect(refused > 0 && evaluated > 0, "\(refused) refused, \(evaluated) evaluated")
    }

    static let rounds = 90
}
