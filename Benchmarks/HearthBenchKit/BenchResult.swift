package import Foundation
package import HearthJSON

/// One row of a benchmark: what was measured, on what, and the samples. It goes out as a JSON object; tables, comparisons
/// and plots are made from these, so that a file that was read back shows what was shown then.
package struct BenchResult: Sendable {
    /// What all rows of one loaded model have in common.
    package struct Subject: Sendable {
        package var commit: String
        package var processor: String
        package var backend: String
        package var kernels: String
        package var file: String
        package var modelType: String
        package var modelBytes: Int
        package var modelValues: Int
        package var threads: Int
        package var kv: String
        package var quantize: String?
        /// From opening the file to a model that is ready, its pages in the system's cache.
        package var load: Duration?
        /// Most memory of the process while it loaded, bytes.
        package var loadPeak: Int?
        /// At what rate the system gave memory right after that load, bytes a second.
        package var freshMemory: Double?
        /// Read bandwidth of one thread and of `threads`, bytes a second.
        package var bandwidthOfOne: Double?
        package var bandwidth: Double?

        package init(
            commit: String, processor: String, backend: String, kernels: String, file: String, modelType: String,
            modelBytes: Int, modelValues: Int, threads: Int, kv: String
        ) {
            self.commit = commit
            self.processor = processor
            self.backend = backend
            self.kernels = kernels
            self.file = file
            self.modelType = modelType
            self.modelBytes = modelBytes
            self.modelValues = modelValues
            self.threads = threads
            self.kv = kv
        }
    }

    package var subject: Subject
    package var measured: Bench.Measured
    package var batch: Int
    package var time: Date
    /// Most memory of the process during the test, bytes.
    package var peak: Int?
    /// Bytes that each token read: rows that make tokens one by one.
    package var bytesPerToken: Int?
    /// What the inner loops make of the prompt: rows that read one and nothing else.
    package var loop: LoopCeiling?

    package init(
        subject: Subject, measured: Bench.Measured, batch: Int, time: Date, peak: Int? = nil, bytesPerToken: Int? = nil,
        loop: LoopCeiling? = nil
    ) {
        self.subject = subject
        self.measured = measured
        self.batch = batch
        self.time = time
        self.peak = peak
        self.bytesPerToken = bytesPerToken
        self.loop = loop
    }

    /// Share of the machine's read bandwidth that the median run reached.
    private var bandwidthShare: Double? {
        guard let bytesPerToken, let speed = measured.samples.medianSpeed, let bandwidth = subject.bandwidth, bandwidth > 0
        else { return nil }
        return Double(bytesPerToken) * speed / bandwidth
    }

    /// llama-bench's names for what both engines have; then what is ours alone. Every row has every name.
    package var json: JSON {
        let (subject, samples, name) = (self.subject, measured.samples, measured.name)
        var row = JSONObject()
        row["build_commit"] = .string(subject.commit)
        row["build_number"] = 0
        row["cpu_info"] = .string(subject.processor)
        row["gpu_info"] = ""
        row["backends"] = .string("Hearth \(subject.backend)")
        row["model_filename"] = .string(subject.file)
        row["model_type"] = .string(subject.modelType)
        row["model_size"] = .integer(Int64(subject.modelBytes))
        row["model_n_params"] = .integer(Int64(subject.modelValues))
        row["n_batch"] = .integer(Int64(batch))
        row["n_ubatch"] = .integer(Int64(batch))
        row["n_threads"] = .integer(Int64(subject.threads))
        row["type_k"] = .string(subject.kv)
        row["type_v"] = .string(subject.kv)
        row["n_gpu_layers"] = 0
        row["n_prompt"] = .integer(Int64(name.prompt))
        row["n_gen"] = .integer(Int64(name.generated))
        row["n_depth"] = .integer(Int64(name.depth))
        row["test_time"] = .string(time.formatted(.iso8601))
        row.setTimes(samples)
        // Ours.
        row["test"] = .string(name.full)
        row["measures"] = name.isTime ? "time" : "speed"
        row["kernels"] = .string(subject.kernels)
        row["backend"] = .string(subject.backend)
        row["quantize"] = subject.quantize.map { .string($0) } ?? .null
        // Each repetition reads new tokens; besides these, the cache holds the depth's or the prefix's and nothing else.
        row["prompt_cache"] = (name.cached ?? 0) > 0 ? "prefix" : name.depth > 0 ? "depth" : "empty"
        row["n_cached"] = .integer(Int64(name.cached ?? 0))
        row["n_timed"] = .integer(Int64(samples.tokens))
        row["load_ns"] = subject.load.map { .integer($0.wholeNanoseconds) } ?? .null
        row["load_peak_bytes"] = .whole(subject.loadPeak)
        row["fresh_memory"] = .finite(subject.freshMemory)
        row["peak_bytes"] = .whole(peak)
        row["bytes_per_token"] = .whole(bytesPerToken)
        row["bandwidth_one_thread"] = .finite(subject.bandwidthOfOne)
        row["bandwidth"] = .finite(subject.bandwidth)
        row["bandwidth_share"] = .finite(bandwidthShare)
        row.setLoop(loop, time: samples.medianNanoseconds)
        row["prefix_gain"] = .finite(measured.gain)
        row["step_share"] = .finite(measured.stepShare)
        return .object(row)
    }
}

extension JSONObject {
    /// The ceiling of a prompt, and the share of it that the median run reached.
    mutating func setLoop(_ loop: LoopCeiling?, time nanoseconds: Double?) {
        self["prompt_operations"] = .whole(loop?.operations)
        self["loop_ops"] = .finite(loop?.rate)
        self["loop_share"] = .finite(loop.flatMap { loop in nanoseconds.map { loop.seconds * 1e9 / $0 } })
        var rates = JSONObject()
        for (name, rate) in loop?.rates ?? [] { rates[name] = .finite(rate) }
        self["loop_rates"] = loop == nil ? .null : .object(rates)
    }

    /// The figures of samples, in llama-bench's names, and their medians.
    mutating func setTimes(_ samples: Samples) {
        self["avg_ns"] = .integer(Int64(samples.meanNanoseconds.rounded()))
        self["stddev_ns"] = .integer(Int64(samples.deviationNanoseconds.rounded()))
        self["avg_ts"] = .finite(samples.meanSpeed)
        self["stddev_ts"] = .finite(samples.deviationOfSpeed)
        self["samples_ns"] = .array(samples.nanoseconds.map { .integer($0) })
        self["samples_ts"] = .array(samples.speeds.map { $0.map { .number($0) } } ?? samples.nanoseconds.map { _ in .null })
        self["median_ns"] = .finite(samples.medianNanoseconds)
        self["median_ts"] = .finite(samples.medianSpeed)
    }
}

extension JSON {
    /// Null for nothing, and for what JSON has no number for.
    static func finite(_ value: Double?) -> JSON { value.flatMap { $0.isFinite ? .number($0) : nil } ?? .null }
    static func whole(_ value: Int?) -> JSON { value.map { .integer(Int64($0)) } ?? .null }
}
