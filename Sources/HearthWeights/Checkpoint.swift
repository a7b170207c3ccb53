package import Foundation

/// A weight file, opened: what it says about itself, and where its tensors are.
///
/// ```swift
/// let checkpoint = try Checkpoint.open(URL(filePath: "model.gguf"))
/// let layers = try checkpoint.metadata.int("llama.block_count")
/// let embedding = checkpoint.tensor("token_embd.weight")
/// ```
///
/// Opening maps the file and checks every size in its header; no weight is read. What a tensor is for is left to others.
package struct Checkpoint: Sendable {
    package let metadata: Metadata
    /// In the order of the file. A vocabulary file has none.
    package let tensors: [TensorHandle]
    package let file: MappedFile
    /// Version of the format: 2 or 3.
    package let version: Int
    private let places: [String: Int]

    init(metadata: Metadata, tensors: [TensorHandle], file: MappedFile, version: Int) {
        self.metadata = metadata
        self.tensors = tensors
        self.file = file
        self.version = version
        places = Dictionary(tensors.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Opens a GGUF file, version 2 or 3.
    package static func open(_ url: URL) throws(CheckpointError) -> Checkpoint {
        let path = url.path(percentEncoded: false)
        let file = try MappedFile(url) { start throws(CheckpointError) in try FileStart.check(start, path: path) }
        return try GGUFReader.read(file)
    }

    package func tensor(_ name: String) -> TensorHandle? { places[name].map { tensors[$0] } }
}
