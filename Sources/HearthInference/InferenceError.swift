package import HearthKernels
package import HearthKernelTypes
package import HearthTokens
package import HearthWeights

/// What can go wrong between weights and tokens. The words are in `InferenceError+Words.swift`.
package enum InferenceError: Error {
    // A model file that cannot be used.
    case checkpoint(CheckpointError)
    case unsupportedArchitecture(String)
    /// An embedding model where one that writes text is needed, and the other way round.
    case givesNoText(architecture: String)
    case givesNoEmbedding(architecture: String)
    case unsupportedSetting(key: String, value: String, supported: String)
    case missingTensor(String, shape: [Int], reason: String)
    case wrongShape(tensor: String, has: [Int], needs: [Int], reason: String)
    case wrongType(tensor: String, has: ElementType, needs: String)
    case unusedTensors([String], architecture: String)

    // Options.
    case contextTooLong(asked: Int, trained: Int)
    case badOption(name: String, value: String, allowed: String)

    // The machine.
    /// The weights alone take more bytes than this process can have.
    case notEnoughMemory(needed: Int, room: MemoryRoom)

    // Requests.
    case emptyPrompt
    case promptTooLong(tokens: Int, context: Int)
    case tokenOutOfRange(Token, index: Int, vocabulary: Int)
    case noUsableLogits(unusable: Int, vocabulary: Int, step: Int)
    case noTokenAllowed(step: Int)
    /// Of a text that is scored: no chance of a token can be told from these.
    case unusableLogits(position: Int)

    /// The states of a text, by its place among those of the request.
    case unusableEmbedding(text: Int)

    // Arithmetic.
    case kernel(KernelError)
}
