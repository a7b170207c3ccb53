package import Foundation
import HearthWeights

/// What the header of a model file says of the model, for doors to show and decide with. Reading it loads no weight.
package struct EngineFacts: Sendable, Equatable {
    /// The name of the file without its ending, or of the folder: what responses are said to come from.
    package let modelID: String
    /// `general.name`, else the file's name.
    package let name: String
    package let architecture: String
    /// Positions that the model was trained for; nil where the file does not say.
    package let trainedContext: Int?
    /// Source of the chat template; nil for a model without one.
    package let template: String?
    /// Whether the file brings a tokenizer.
    package let hasTokenizer: Bool
    /// Values of all tensors together.
    package let parameters: Int
    /// Bytes of the file, or of all files with tensors.
    package let fileSize: Int
    package let file: URL

    /// Opens the file and reads its header.
    package static func read(_ file: URL) throws -> EngineFacts { try EngineFacts(Checkpoint.open(file), file) }

    init(_ checkpoint: Checkpoint, _ file: URL) throws(CheckpointError) {
        let metadata = checkpoint.metadata
        // A folder's name may have dots in it.
        modelID =
            file.pathExtension == "gguf" ? file.deletingPathExtension().lastPathComponent : file.standardizedFileURL.lastPathComponent
        name = try metadata.text(ifPresent: "general.name") ?? modelID
        architecture = try metadata.text("general.architecture")
        trainedContext = try metadata.int(ifPresent: "\(architecture).context_length")
        template = try metadata.text(ifPresent: "tokenizer.chat_template")
        hasTokenizer = metadata["tokenizer.ggml.model"] != nil
        parameters = checkpoint.tensors.reduce(0) { $0 + $1.count }
        fileSize = checkpoint.byteCount
        self.file = file
    }
}

/// What an engine has done since it was loaded.
package struct EngineCounters: Sendable, Equatable {
    package var requests = 0
    /// Tokens of prompts, and how many of them came from the cache and how many were evaluated.
    package var input = 0
    package var cached = 0
    package var evaluated = 0
    package var output = 0
    package var forwardPasses = 0
    package var blasProducts = 0

    mutating func count(_ usage: TokenUsage) {
        requests += 1
        input += usage.input
        cached += usage.cached
        evaluated += usage.evaluated
        output += usage.output
        forwardPasses += usage.forwardPasses
        blasProducts += usage.blasProducts
    }
}
