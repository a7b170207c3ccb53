import Foundation
import HearthBenchKit
import HearthJSON
import Testing

@Suite("Samples")
struct SamplesTests {
    static let subject = BenchResult.Subject(
        commit: "abc", processor: "P", backend: "native", kernels: "avx2", file: "/a/m.gguf", modelType: "llama Q4_1",
        modelBytes: 98_000_000, modelValues: 134_515_008, threads: 2, kv: "f16")

    static func result(_ samples: Samples, _ name: RowName = .generation(128)) -> BenchResult {
        BenchResult(
            subject: subject, measured: Bench.Measured(name: name, samples: samples), batch: 64,
            time: Date(timeIntervalSince1970: 0))
    }

    @Test("speeds are averaged over the repetitions, and their deviation is that of a sample")
    func figures() throws {
        let samples = Samples(tokens: 100, nanoseconds: [1_000_000_000, 2_000_000_000])
        #expect(samples.speeds == [100, 50])
        #expect(samples.meanSpeed == 75)
        #expect(samples.medianSpeed == 75)
        #expect(samples.meanNanoseconds == 1.5e9)
        // Two values a and b deviate by |a - b| / sqrt(2).
        #expect(abs(try #require(samples.deviationOfSpeed) - 50 / 2.0.squareRoot()) < 1e-9)
        #expect(Samples.median([3, 1, 2]) == 2)
        #expect(Samples.median([4, 1, 2, 3]) == 2.5)
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
        #expect(row["median_ts"]?.isNull == true)
        // The strict writer refuses numbers that are not finite.
        _ = try row.text(.compact)
        #expect(BenchMarkdown.text([row]).contains("not measured"))
    }

    @Test("the JSON has llama-bench's names, and says what the cache held")
    func names() throws {
        let samples = Samples(tokens: 128, nanoseconds: [1_000_000_000])
        let row = Self.result(samples).json
        for name in [
            "build_commit", "build_number", "cpu_info", "gpu_info", "backends", "model_filename", "model_type",
            "model_size", "model_n_params", "n_batch", "n_ubatch", "n_threads", "type_k", "type_v", "n_gpu_layers",
            "n_prompt", "n_gen", "n_depth", "test_time", "avg_ns", "stddev_ns", "avg_ts", "stddev_ts", "samples_ns",
            "samples_ts",
        ] {
            #expect(row[name] != nil, "\(name)")
        }
        #expect(row["n_gen"]?.intValue == 128)
        #expect(row["avg_ts"]?.doubleValue == 128)
        #expect(row["test_time"]?.stringValue == "1970-01-01T00:00:00Z")
        #expect(row["prompt_cache"]?.stringValue == "empty")
        let deep = Self.result(samples, .generation(128, depth: 4096)).json
        #expect(deep["n_depth"]?.intValue == 4096)
        #expect(deep["test"]?.stringValue == "tg128 @ d4096")
        #expect(deep["prompt_cache"]?.stringValue == "depth")
        let cached = Self.result(samples, .firstToken(512, cached: 448)).json
        #expect(cached["n_cached"]?.intValue == 448)
        #expect(cached["prompt_cache"]?.stringValue == "prefix")
        // Whatever a row measures, it has the same names.
        #expect(deep.objectValue?.keys == cached.objectValue?.keys)
    }

    @Test("a prompt's share is the time that the loops would take over the median run's, and their rate is the mix's")
    func loopShare() throws {
        var result = Self.result(
            Samples(tokens: 512, nanoseconds: [4_000_000_000, 1_000_000_000, 500_000_000]), .prompt(512))
        for name in ["prompt_operations", "loop_ops", "loop_share", "loop_rates"] {
            #expect(result.json[name]?.isNull == true)
        }
        result.loop = LoopCeiling()
        // 0.25 s and 0.5 s.
        result.loop?.add(100_000_000_000, at: 400e9, loop: "Q4_K vnni")
        result.loop?.add(50_000_000_000, at: 100e9, loop: "F16 wide floats")
        result.loop?.add(0, at: 400e9, loop: "Q4_K vnni")
        #expect(result.json["loop_share"]?.doubleValue == 0.75)
        #expect(result.json["loop_ops"]?.doubleValue == 200e9)
        #expect(result.json["prompt_operations"]?.intValue == 150_000_000_000)
        #expect(result.json["loop_rates"]?.objectValue?.keys == ["Q4_K vnni", "F16 wide floats"])
        #expect(try BenchRows.csv([result.json]).contains("\"{\"\"Q4_K vnni\"\":"))
    }

    @Test("a decode row's share is the bytes that its median run read a second over the bandwidth")
    func share() throws {
        var result = Self.result(Samples(tokens: 100, nanoseconds: [1_000_000_000, 2_000_000_000, 500_000_000]))
        result.bytesPerToken = 100_000_000
        result.subject.bandwidth = 20e9
        #expect(result.json["bandwidth_share"]?.doubleValue == 0.5)
        result.subject.bandwidth = nil
        #expect(result.json["bandwidth_share"]?.isNull == true)
    }
}
