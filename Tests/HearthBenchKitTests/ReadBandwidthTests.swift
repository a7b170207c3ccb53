import HearthBenchKit
import HearthInference
import HearthTestSupport
import HearthWeights
import Testing

@Suite("ReadBandwidth")
struct ReadBandwidthTests {
    @Test("every word of the buffer is read, by however many threads", arguments: [1, 2, 3])
    func everyWord(threads: Int) throws {
        let memory = try #require(ReadBandwidth(mebibytes: 3))
        defer { memory.free() }
        let words: UInt64 = 3 * 1_048_576 / 8
        #expect(memory.expected == words * (words - 1) / 2)
        #expect(memory.sum(threads: threads) == memory.expected)
        #expect(memory.measure(threads: threads) > 0)
    }

    @Test("the peak is read in bytes, and a reset lowers it")
    func peak() async throws {
        #expect(MemoryPeak.highWater(in: "Name:\tx\nVmHWM:\t   1234 kB\nVmRSS:\t 1 kB\n") == 1234 * 1024)
        #expect(MemoryPeak.highWater(in: "Name:\tx\n") == nil)
        #if os(Linux)
        // So much more than the rest of this process takes that what runs beside it does not matter.
        let (_, peak) = await MemoryPeak.during {
            let memory = ReadBandwidth(mebibytes: 256)
            memory?.free()
        }
        #expect(try #require(peak) >= 256 << 20)
        try #require(MemoryPeak.reset())
        #expect(try #require(MemoryPeak.read()) < #require(peak) - 128 << 20)
        #endif
    }

    @Test("a token reads every weight once and what the cache holds on average")
    func bytes() {
        let bytes = TokenBytes(weights: 1_000_000, cachePerPosition: 100, window: nil)
        // Positions 1, 2, 3 are read by the first three tokens.
        #expect(bytes.perToken(count: 3, depth: 0) == 1_000_200)
        #expect(bytes.perToken(count: 3, depth: 4096) == 1_000_000 + 4098 * 100)
        #expect(TokenBytes(weights: 1_000_000, cachePerPosition: 100, window: 512).perToken(count: 3, depth: 4096) == 1_051_200)
    }

    @Test(
        "the weights of a token are the file's tensors but for rows that are looked up and experts that are not asked",
        arguments: ["llama-f32.gguf", "gemma3-f32.gguf", "qwen3moe-f32.gguf"])
    func weights(name: String) async throws {
        let checkpoint = try Checkpoint.open(Fixtures.url(name))
        let generator = try await Generator.load(options: ModelOptions(threads: 1)) { checkpoint }
        let all = checkpoint.tensors.reduce(0) { $0 + $1.byteCount }
        let embedding = try #require(checkpoint.tensor("token_embd.weight")).byteCount
        let experts = checkpoint.tensors.filter { $0.name.contains("_exps.weight") }.reduce(0) { $0 + $1.byteCount }
        let architecture = try checkpoint.metadata.text("general.architecture")
        let count = try checkpoint.metadata.int(ifPresent: "\(architecture).expert_count") ?? 1
        let used = try checkpoint.metadata.int(ifPresent: "\(architecture).expert_used_count") ?? 1
        let bytes = try TokenBytes(checkpoint, generator.weights)
        let looked = checkpoint.tensor("output.weight") == nil ? 0 : embedding
        #expect(bytes.weights == all - looked - experts / count * (count - used))
        #expect(bytes.cachePerPosition > 0)
    }
}
