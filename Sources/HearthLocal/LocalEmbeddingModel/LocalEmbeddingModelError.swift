public import Foundation
import HearthInference
import HearthKernels
import HearthModels
import HearthTokenizers
import HearthWeights

/// What an embedding model on this machine can meet.
public enum LocalEmbeddingModelError: LocalizedError, CustomDebugStringConvertible {
    /// There is no such model in the store, or no such file.
    case modelNotFound(LocalLanguageModelError.Context)
    /// The file cannot be read, or holds a model that gives no embeddings.
    case unusableModel(LocalLanguageModelError.Context)
    /// The weights take more memory than this process can have: the machine's, or its control group's.
    case notEnoughMemory(LocalLanguageModelError.Context)
    /// An option is outside of its range.
    case invalidOption(LocalLanguageModelError.Context)
    /// A text has more tokens than the model reads, and truncation was not asked for.
    case textTooLong(LocalEmbeddingModelError.TextTooLong)
    /// A text that the tokenizer has no piece for, or numbers that came to nothing.
    case embeddingFailed(LocalLanguageModelError.Context)

    /// Which text, how long it is and how much fits.
    public struct TextTooLong: Sendable {
        /// Place among the texts of the call, from 0.
        public let index: Int
        /// Tokens of the text with those that the model wants around it.
        public let tokenCount: Int
        /// Tokens that fit.
        public let contextLength: Int
        public let debugDescription: String
    }

    public var errorDescription: String? { debugDescription }

    public var debugDescription: String {
        switch self {
        case .modelNotFound(let context), .unusableModel(let context), .notEnoughMemory(let context), .invalidOption(let context),
            .embeddingFailed(let context):
            context.debugDescription
        case .textTooLong(let text): text.debugDescription
        }
    }
}

extension LocalEmbeddingModelError {
    /// Errors of the rooms below; the rest passes as it is.
    package static func error(for error: any Error) -> any Error {
        switch error {
        case let error as InferenceError: inference(error)
        case let error as EmbeddingError: embedding(error)
        case let error as ModelsError:
            switch error.kind {
            case .notFound, .refused: LocalEmbeddingModelError.modelNotFound(.init(error))
            case .unusable, .fetch, .disk: LocalEmbeddingModelError.unusableModel(.init(error))
            }
        case let error as CheckpointError:
            error.isNotFound
                ? LocalEmbeddingModelError.modelNotFound(.init(error)) : LocalEmbeddingModelError.unusableModel(.init(error))
        case let error as TokenizerError:
            switch error {
            case .noPiece, .textTooLong: LocalEmbeddingModelError.embeddingFailed(.init(error))
            default: LocalEmbeddingModelError.unusableModel(.init(error))
            }
        default: error
        }
    }

    private static func inference(_ error: InferenceError) -> any Error {
        switch error {
        case .checkpoint(let cause): self.error(for: cause)
        case .unsupportedArchitecture, .givesNoText, .givesNoEmbedding, .unsupportedSetting, .missingTensor, .wrongShape,
            .wrongType, .unusedTensors:
            LocalEmbeddingModelError.unusableModel(.init(error))
        case .notEnoughMemory, .kernel(.outOfMemory): LocalEmbeddingModelError.notEnoughMemory(.init(error))
        case .contextTooLong, .badOption, .kernel: LocalEmbeddingModelError.invalidOption(.init(error))
        case .promptTooLong, .emptyPrompt, .tokenOutOfRange, .noUsableLogits, .noTokenAllowed, .unusableLogits,
            .unusableEmbedding:
            LocalEmbeddingModelError.embeddingFailed(.init(error))
        }
    }

    private static func embedding(_ error: EmbeddingError) -> any Error {
        switch error {
        case .textTooLong(let index, let tokens, let limit):
            LocalEmbeddingModelError.textTooLong(
                TextTooLong(index: index, tokenCount: tokens, contextLength: limit, debugDescription: "\(error)"))
        case .badDimensions, .differentLengths, .noPooling: LocalEmbeddingModelError.invalidOption(.init(error))
        }
    }
}
