import Foundation
import HearthBenchKit
import HearthJSON
import Testing

@Suite("Samples")
struct SamplesTests {
    static func result(_ samples: Samples, made: Int = 128) -> BenchResult {
        BenchResult(
            commit: "abc", processor: "P", backend: "native", kernels: "avx2", file: "m.gguf", modelType: "llama Q4_1",
            modelBytes: 98_000_000, modelValues: 134_515_008, batch: 64, threads: 2, kv: "f16", promptTokens: 0,
            madeTokens: made, time: Date(timeIntervalSince1970: 0), samples: samples)
    }

    @Test("speeds are averaged over the repetitions, and their deviation is that of a sample")
    func figures() throws {
        let samples = Samples(tokens: 100, nanoseconds: [1_000_000_000, 2_000_000_000])
        #expect(samples.speeds == [100, 50])
        #expect(samples.meanSpeed == 75)
        #expect(samples.meanNanoseconds == 1.5e9)
        // Two values a and b deviate by |a - b| / sqrt(2).
        #expect(abs(try #require(samples.deviationOfSpeed) - 50 / 2.0.squareRoot()) < 1e-9)
    }

    @Test(
        "T-98 a run of one token or none, or of no time, reports its speed as not measured",
        arguments: [
            Samples(tokens: 1, nanoseconds: [5, 6]), Samples(tokens: 0, nanoseconds: [5]),
            Samples(tokens: 8, nanoseconds: [0]),
            Samples(tokens: 8, nanoseconds: []),
        ])
    func notMeasured(samples: Samples) throws {
        #expect(samples.speeds == nil)
        let row = Self.result(samples).json
        #expect(row["avg_ts"]?.isNull == true)
        #expect(row["stddev_ts"]?.isNull == true)
        // The strict writer refuses numbers that are not finite.
        _ = try row.text(.compact)
        #expect(BenchResult.markdown([Self.result(samples)]).contains("not measured"))
    }

    @Test("the JSON has llama-bench's names, and says that nothing is reused")
    func names() throws {
        let row = Self.result(Samples(tokens: 128, nanoseconds: [1_000_000_000])).json
        for name in [
            "build_commit", "build_number", "cpu_info", "gpu_info", "backends", "model_filename", "model_type",
            "model_size",
            "model_n_params", "n_batch", "n_ubatch", "n_threads", "type_k", "type_v", "n_gpu_layers", "n_prompt",
            "n_gen",
            "n_depth", "test_time", "avg_ns", "stddev_ns", "avg_ts", "stddev_ts", "samples_ns", "samples_ts",
        ] {
            #expect(row[name] != nil, "\(name)")
        }
        #expect(row["n_gen"]?.intValue == 128)
        #expect(row["avg_ts"]?.doubleValue == 128)
        #expect(row["test_time"]?.stringValue == "1970-01-01T00:00:00Z")
        #expect(row["prompt_cache"]?.stringValue == "empty")
    }

    @Test("the table has a line for each test")
    func table() {
        let text = BenchResult.markdown([Self.result(Samples(tokens: 128, nanoseconds: [1_000_000_000]))])
        #expect(text.contains("| llama Q4_1 | 93.46 MiB | 134.52 M | native  | 2       | tg128 | 128.00 ± 0.00 |"))
    }
}
