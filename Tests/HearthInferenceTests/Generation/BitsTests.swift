import HearthInference
import HearthKernelTypes
import HearthTestSupport
import HearthTokens
import Testing

/// The same bits, always (design D6): threads, cuts and cache do not show in the logits.
@Suite struct BitsTests {
    struct Way: Sendable, CustomTestStringConvertible {
        var threads = 1
        var batch = 64
        var split: Int?
        var testDescription: String { "\(threads) threads, batch \(batch), split \(split.map { "\($0)" } ?? "none")" }
    }

    @Test(
        "threads, batches and splits give the same logits, bit for bit",
        arguments: ["llama-f32", "quant-q4_1", "quant-q4_k_m", "qwen3moe-f32", "gpt-oss-mxfp4", "lfm2-f32"], Checked.kernels)
    func matrix(name: String, set: KernelSet) async throws {
        var ways: [Way] = []
        for threads in [1, 2] {
            for batch in [1, 7, 512] {
                for split in [nil, 1, 10, 19] as [Int?] { ways.append(Way(threads: threads, batch: batch, split: split)) }
            }
        }
        try await check(name, set, tokens(20, seed: 3), ways)
    }

    /// Attention reads the cache in pages of 128 positions: one page, the step into the next, and behind it.
    @Test("cuts around a page of the cache do not show", arguments: Checked.kernels)
    func pages(set: KernelSet) async throws {
        let ways = [
            Way(), Way(threads: 2, batch: 512), Way(batch: 7, split: 127), Way(threads: 2, split: 128), Way(split: 129),
        ]
        try await check("llama-f32", set, tokens(140, seed: 4), ways)
    }

    func check(_ name: String, _ set: KernelSet, _ input: [Token], _ ways: [Way]) async throws {
        var expected: [UInt32]?
        var generators: [Int: Generator] = [:]
        for way in ways {
            if generators[way.threads] == nil {
                generators[way.threads] = try await Generator.fixture(
                    name, ModelOptions(kv: .f16, threads: way.threads, kernels: set, backend: .native))
            }
            let report = try await generators[way.threads]!
                .score(input, batch: way.batch, split: way.split, keepLogits: true)
            let bits = report.logits.map(\.bitPattern)
            expected = expected ?? bits
            let first = (way.split ?? 1) - 1
            #expect(report.firstLogits == first)
            #expect(bits == Array(expected!.dropFirst(first * report.vocabulary)), "\(name), \(set), \(way)")
            #expect(report.cached == way.split ?? 0)
            #expect(report.evaluated == input.count)
            func passes(_ tokens: Int) -> Int { (tokens + way.batch - 1) / way.batch }
            #expect(report.forwardPasses == passes(way.split ?? 0) + passes(input.count - (way.split ?? 0)))
            #expect(report.blasProducts == 0)
        }
    }
}
