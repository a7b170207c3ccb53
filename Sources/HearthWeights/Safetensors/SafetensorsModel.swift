import Foundation
import HearthJSON
import HearthKernelTypes

/// Opens a folder of safetensors as the Hugging Face libraries write it, and tells it in GGUF's names.
///
/// `model.safetensors`, or shards with `model.safetensors.index.json`; `config.json`; and where they are there
/// `tokenizer.json`, `tokenizer_config.json`, `generation_config.json`, `chat_template.jinja`.
enum SafetensorsModel {
    static func open(_ folder: URL) throws(CheckpointError) -> Checkpoint {
        let config = try ConfigReader(folder, "config.json", required: true)!
        let family = try ModelFamily.named(config)
        var builder = MetadataBuilder(path: config.path)
        try family.describe(config, folder: folder, into: &builder)
        try GenerationConfig.read(folder, config, into: &builder)

        let names = TensorNames(family)
        var tensors: [TensorHandle] = []
        var experts = ExpertTensors()
        var files: [MappedFile] = []
        // LFM2's first descriptions have a name of their own for it.
        let other = try config.bool(ifPresent: "tie_embedding")
        let tied = try config.bool(ifPresent: "tie_word_embeddings") ?? other
        for url in try weightFiles(folder) {
            let file = try MappedFile(url) { _ throws(CheckpointError) in }
            files.append(file)
            for record in try SafetensorsReader.read(file) {
                if family.hasExperts, try experts.take(record, file) { continue }
                guard let name = try names.translate(record.name, file) else { continue }
                if name == "output.weight", tied ?? family.tiesOutput { continue }  // the embedding once more
                tensors.append(try names.handle(record, name: name, config: config, file))
            }
        }
        if tied == false, !tensors.contains(where: { $0.name == "output.weight" }), !family.isEncoder {
            throw CheckpointError(files[0].path, .badRecord(tensor: "lm_head.weight", reason: "it is missing, and `tie_word_embeddings` is false"))
        }
        tensors += try experts.tensors()
        tensors += try RopeFactors.tensors(config, family)
        try SplitModel.checkNames(tensors)
        let rows = tensors.first { $0.name == "token_embd.weight" }?.shape.first
        try TokenizerFile.read(folder, config, vocabulary: rows, into: &builder)
        return Checkpoint(metadata: builder.metadata(), tensors: tensors, files: files, format: "safetensors")
    }

    /// The files that hold tensors, each once.
    static func weightFiles(_ folder: URL) throws(CheckpointError) -> [URL] {
        guard let index = try ConfigReader(folder, "model.safetensors.index.json", required: false) else {
            let names = try ModelFiles.list(folder).filter { $0.hasSuffix(".safetensors") }.sorted()
            if names.contains("model.safetensors") { return [folder.appending(path: "model.safetensors")] }
            guard names.count == 1 else {
                let path = folder.path(percentEncoded: false)
                throw CheckpointError(path, names.isEmpty ? .noWeights : .severalModels(names))
            }
            return [folder.appending(path: names[0])]
        }
        guard let map = index.json["weight_map"]?.objectValue, !map.isEmpty else {
            throw CheckpointError(index.path, .badSetting(key: "weight_map", value: "missing or empty", supported: "tensors to files"))
        }
        // All names before the first file: none of another folder is opened or looked at (T-14).
        var order: [String] = []
        var seen: Set<String> = []
        for member in map {
            guard let name = member.value.stringValue, isPlain(name) else {
                throw CheckpointError(index.path, .outsideFolder(tensor: member.key, file: member.value.description))
            }
            if seen.insert(name).inserted { order.append(name) }
        }
        return order.sorted().map { folder.appending(path: $0) }
    }

    /// A file name that cannot lead out of the folder.
    private static func isPlain(_ name: String) -> Bool {
        name.hasSuffix(".safetensors") && !name.hasPrefix(".")
            && name.utf8.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "\\") && $0 != 0x7F }
    }
}
