package import Foundation
package import HearthJSON

/// One row of a benchmark: what was measured, on what, and the samples.
package struct BenchResult: Sendable {
    package var commit: String
    package var processor: String
    package var backend: String
    package var kernels: String
    package var file: String
    package var modelType: String
    package var modelBytes: Int
    package var modelValues: Int
    package var batch: Int
    package var threads: Int
    package var kv: String
    package var promptTokens: Int
    package var madeTokens: Int
    package var time: Date
    package var samples: Samples

    package init(
        commit: String, processor: String, backend: String, kernels: String, file: String, modelType: String,
        modelBytes: Int,
        modelValues: Int, batch: Int, threads: Int, kv: String, promptTokens: Int, madeTokens: Int, time: Date,
        samples: Samples
    ) {
        self.commit = commit
        self.processor = processor
        self.backend = backend
        self.kernels = kernels
        self.file = file
        self.modelType = modelType
        self.modelBytes = modelBytes
        self.modelValues = modelValues
        self.batch = batch
        self.threads = threads
        self.kv = kv
        self.promptTokens = promptTokens
        self.madeTokens = madeTokens
        self.time = time
        self.samples = samples
    }

    /// `pp512` or `tg128`, as llama-bench names its tests.
    package var test: String { madeTokens > 0 ? "tg\(madeTokens)" : "pp\(promptTokens)" }

    /// llama-bench's names for what both engines have; then what is ours alone.
    package var json: JSON {
        [
            "build_commit": .string(commit),
            "build_number": 0,
            "cpu_info": .string(processor),
            "gpu_info": "",
            "backends": .string("Hearth \(backend)"),
            "model_filename": .string(file),
            "model_type": .string(modelType),
            "model_size": .integer(Int64(modelBytes)),
            "model_n_params": .integer(Int64(modelValues)),
            "n_batch": .integer(Int64(batch)),
            "n_ubatch": .integer(Int64(batch)),
            "n_threads": .integer(Int64(threads)),
            "type_k": .string(kv),
            "type_v": .string(kv),
            "n_gpu_layers": 0,
            "n_prompt": .integer(Int64(promptTokens)),
            "n_gen": .integer(Int64(madeTokens)),
            "n_depth": 0,
            "test_time": .string(time.formatted(.iso8601)),
            "avg_ns": .integer(Int64(samples.meanNanoseconds.rounded())),
            "stddev_ns": .integer(Int64(samples.deviationNanoseconds.rounded())),
            "avg_ts": samples.meanSpeed.map { .number($0) } ?? .null,
            "stddev_ts": samples.deviationOfSpeed.map { .number($0) } ?? .null,
            "samples_ns": .array(samples.nanoseconds.map { .integer($0) }),
            "samples_ts": .array(
                samples.speeds.map { $0.map { .number($0) } } ?? samples.nanoseconds.map { _ in .null }),
            "kernels": .string(kernels),
            // Each repetition reads new tokens into an empty cache: nothing is reused between them.
            "prompt_cache": "empty",
        ]
    }

    /// The columns of llama-bench's Markdown table.
    package static func markdown(_ results: [BenchResult]) -> String {
        var rows = [["model", "size", "params", "backend", "threads", "test", "t/s"]]
        for result in results {
            rows.append([
                result.modelType, mebibytes(result.modelBytes), "\(decimals(Double(result.modelValues) / 1e6, 2)) M",
                result.backend, "\(result.threads)", result.test, speed(result.samples),
            ])
        }
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        func line(_ cells: [String]) -> String {
            "| " + zip(cells, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }.joined(separator: " | ")
                + " |\n"
        }
        let rule = "| " + widths.map { String(repeating: "-", count: $0) }.joined(separator: " | ") + " |\n"
        let build =
            results.first.map {
                "\nbuild: \($0.commit), kernels \($0.kernels), each run reads new tokens into an empty cache\n"
            } ?? ""
        return line(rows[0]) + rule + rows.dropFirst().map(line).joined() + build
    }

    private static func speed(_ samples: Samples) -> String {
        guard let mean = samples.meanSpeed, let deviation = samples.deviationOfSpeed else { return "not measured" }
        return "\(decimals(mean, 2)) ± \(decimals(deviation, 2))"
    }

    private static func mebibytes(_ bytes: Int) -> String { "\(decimals(Double(bytes) / 1_048_576, 2)) MiB" }

    private static func decimals(_ value: Double, _ count: Int) -> String {
        value.formatted(
            .number.grouping(.never).precision(.fractionLength(count)).locale(Locale(identifier: "en_US_POSIX")))
    }
}
