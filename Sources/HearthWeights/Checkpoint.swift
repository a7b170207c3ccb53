package import Foundation

/// The weights of a model, opened: what they say about themselves, and where the tensors are.
///
/// ```swift
/// let checkpoint = try Checkpoint.open(URL(filePath: "model.gguf"))
/// let layers = try checkpoint.metadata.int("llama.block_count")
/// let embedding = checkpoint.tensor("token_embd.weight")
/// ```
///
/// Opening maps the files and checks every size in their headers; no weight is read. A model in safetensors answers with
/// the names and keys of GGUF: the translation is made here, once. What a tensor is for is left to others.
package struct Checkpoint: Sendable {
    package let metadata: Metadata
    /// In the order of the file, or of the shards. A vocabulary file has none.
    package let tensors: [TensorHandle]
    /// Every file with tensors in it, at least one; the first has the metadata of a GGUF model.
    package let files: [MappedFile]
    /// `GGUF 3`, `safetensors`
    package let format: String
    private let places: [String: Int]

    /// The first file: the whole model where it is one file.
    package var file: MappedFile { files[0] }
    /// Of all files together.
    package var byteCount: Int { files.reduce(0) { $0 + $1.count } }

    /// - Parameter tensors: each name once (the readers have checked it).
    init(metadata: Metadata, tensors: [TensorHandle], files: [MappedFile], format: String) {
        self.metadata = metadata
        self.tensors = tensors
        self.files = files
        self.format = format
        places = Dictionary(tensors.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Opens a GGUF file of version 2 or 3, any shard of a split one, or a folder with either of them or with safetensors.
    package static func open(_ url: URL) throws(CheckpointError) -> Checkpoint {
        switch try ModelFiles.find(url) {
        case .gguf(let file): try gguf(file)
        case .shards(let files): try SplitModel.open(files)
        case .safetensors(let folder): try SafetensorsModel.open(folder)
        }
    }

    /// One GGUF file by itself.
    static func gguf(_ url: URL) throws(CheckpointError) -> Checkpoint {
        let path = url.path(percentEncoded: false)
        let file = try MappedFile(url) { start throws(CheckpointError) in try FileStart.check(start, path: path) }
        return try GGUFReader.read(file)
    }

    package func tensor(_ name: String) -> TensorHandle? { places[name].map { tensors[$0] } }

    /// Gives the memory of all pages back, those with the metadata's arrays included; they are read from the files again when
    /// needed.
    package func discard() { for file in files { file.discard() } }
}
