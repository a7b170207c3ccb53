import FoundationModels
import HearthInference
import HearthKernels
import HearthModels
import HearthTemplates
import HearthTokenizers
import HearthWeights

/// Errors of the rooms below, as the framework's errors where it has an honest equivalent and as
/// ``LocalLanguageModelError`` where only a local model can fail so. The rest passes as it is.
package enum ErrorMapper {
    package static func error(for error: any Error) -> any Error {
        switch error {
        case let error as InferenceError: inference(error)
        case let error as ModelsError: models(error)
        case let error as LocalEngineError: engine(error)
        case let error as RefusedLocalRequest: error.languageModelError
        case is CheckpointError, is TokenizerError: LocalLanguageModelError.unusableModel(.init(error))
        case is TemplateError: LocalLanguageModelError.unwritablePrompt(.init(error))
        default: error
        }
    }

    private static func inference(_ error: InferenceError) -> any Error {
        switch error {
        case .promptTooLong(let tokens, let context):
            LanguageModelError.contextSizeExceeded(
                .init(contextSize: context, tokenCount: tokens, debugDescription: "\(error)"))
        case .checkpoint, .unsupportedArchitecture, .givesNoText, .givesNoEmbedding, .unsupportedSetting, .missingTensor,
            .wrongShape, .wrongType, .unusedTensors:
            LocalLanguageModelError.unusableModel(.init(error))
        case .notEnoughMemory, .kernel(.outOfMemory):
            LocalLanguageModelError.notEnoughMemory(.init(error))
        case .contextTooLong, .badOption, .kernel:
            LocalLanguageModelError.invalidOption(.init(error))
        case .emptyPrompt, .tokenOutOfRange:
            LocalLanguageModelError.unwritablePrompt(.init(error))
        case .noUsableLogits, .noTokenAllowed, .unusableLogits, .unusableEmbedding:
            LocalLanguageModelError.generationFailed(.init(error))
        }
    }

    private static func models(_ error: ModelsError) -> any Error {
        switch error.kind {
        case .notFound, .refused: LocalLanguageModelError.modelNotFound(.init(error))
        case .unusable, .fetch, .disk: LocalLanguageModelError.unusableModel(.init(error))
        }
    }

    private static func engine(_ error: LocalEngineError) -> any Error {
        switch error {
        case .noTemplate, .emptyPrompt: LocalLanguageModelError.unwritablePrompt(.init(error))
        case .emptyStop: LocalLanguageModelError.invalidOption(.init(error))
        }
    }
}
