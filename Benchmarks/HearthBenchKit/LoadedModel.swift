import Foundation
import HearthCommands
import HearthInference
import HearthKernelTypes
import HearthKernels
import HearthWeights

/// A loaded model with what its rows say about it.
struct LoadedModel {
    let generator: Generator
    let bytes: TokenBytes
    let operations: PromptOperations
    var subject: BenchResult.Subject

    /// Loads a file whose pages are in the system's cache: they are read once before the clock starts, since a cold cache
    /// cannot be had without root.
    static func load(_ setting: BenchSetting) async throws -> LoadedModel {
        try warm(try Checkpoint.open(setting.file))
        let start = ContinuousClock.now
        let ((checkpoint, generator), peak) = try await MemoryPeak.during {
            let checkpoint = try Checkpoint.open(setting.file)
            return (checkpoint, try await Generator.load(options: setting.options) { checkpoint })
        }
        let time = ContinuousClock.now - start
        let weights = generator.weights
        var subject = BenchResult.Subject(
            commit: Build.commit, processor: Machine.processorName, backend: weights.compute.backend.rawValue,
            kernels: weights.compute.set.rawValue, file: checkpoint.file.path, modelType: try type(of: checkpoint),
            modelBytes: checkpoint.tensors.reduce(0) { $0 + $1.byteCount },
            modelValues: checkpoint.tensors.reduce(0) { $0 + $1.count }, threads: weights.compute.threads,
            kv: weights.options.kv.rawValue)
        subject.quantize = weights.options.quantize?.name.lowercased()
        subject.load = time
        subject.loadPeak = peak
        subject.freshMemory = FreshMemory.rate(byteCount: subject.modelBytes, threads: subject.threads)
        return LoadedModel(
            generator: generator, bytes: try TokenBytes(checkpoint, weights),
            operations: try PromptOperations(checkpoint, quantize: weights.options.quantize), subject: subject)
    }

    private static func warm(_ checkpoint: Checkpoint) throws {
        for file in checkpoint.files {
            let handle = try FileHandle(forReadingFrom: URL(filePath: file.path))
            // 4 MiB at a time: the file as a whole must not stand in our memory.
            while let part = try handle.read(upToCount: 4 << 20), !part.isEmpty { try Task.checkCancellation() }
            try handle.close()
        }
    }

    /// `llama Q4_1`: the architecture and the type that most of the weights have.
    private static func type(of checkpoint: Checkpoint) throws -> String {
        var sums: [(name: String, values: Int)] = []
        for tensor in checkpoint.tensors {
            if let index = sums.firstIndex(where: { $0.name == tensor.type.name }) {
                sums[index].values += tensor.count
            } else {
                sums.append((tensor.type.name, tensor.count))
            }
        }
        let type = sums.max { $0.values < $1.values }?.name ?? ""
        return "\(try checkpoint.metadata.text("general.architecture")) \(type)"
    }
}
