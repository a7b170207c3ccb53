import Foundation

/// Opens the shards of one GGUF model as one.
///
/// The first shard has the metadata; each has `split.no` (from 0), `split.count` and `split.tensors.count`, the number of
/// tensors of the whole set (llama.cpp's `gguf-split`).
enum SplitModel {
    /// - Parameter files: all shards, in the order of their names.
    static func open(_ files: [URL]) throws(CheckpointError) -> Checkpoint {
        var shards: [Checkpoint] = []
        for (index, file) in files.enumerated() {
            let shard = try Checkpoint.gguf(file)
            let number = try shard.metadata.int("split.no")
            guard number == index else {
                throw CheckpointError(shard.file.path, .wrongShard(key: "split.no", actual: number, expected: index))
            }
            let count = try shard.metadata.int("split.count")
            guard count == files.count else {
                throw CheckpointError(shard.file.path, .wrongShard(key: "split.count", actual: count, expected: files.count))
            }
            shards.append(shard)
        }
        let tensors = shards.flatMap(\.tensors)
        for shard in shards {
            let total = try shard.metadata.int("split.tensors.count")
            guard total == tensors.count else {
                throw CheckpointError(
                    shard.file.path, .wrongShard(key: "split.tensors.count", actual: total, expected: tensors.count))
            }
        }
        try checkNames(tensors)
        return Checkpoint(
            metadata: shards[0].metadata, tensors: tensors, files: shards.flatMap(\.files), format: shards[0].format)
    }

    /// The same name in two files: nobody can tell which one is meant (T-11 across files).
    static func checkNames(_ tensors: [TensorHandle]) throws(CheckpointError) {
        var seen: Set<String> = []
        for tensor in tensors where !seen.insert(tensor.name).inserted {
            throw CheckpointError(tensor.file.path, .duplicateTensor(tensor.name))
        }
    }
}
