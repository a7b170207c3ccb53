import HearthInference
package import HearthJSON
import HearthKernels
import HearthLocal
import HearthModels
import HearthTemplates
import HearthTokenizers
import HearthWeights

/// What goes out for an error: a status and words.
package struct Failure: Sendable, Equatable {
    package let code: ExitCode
    package let words: String

    package init(code: ExitCode, words: String) {
        self.code = code
        self.words = words
    }

    /// `{"error": {"code": 3, "kind": "model_not_found", "message": "..."}}`
    package var json: JSON {
        ["error": ["code": .integer(Int64(code.rawValue)), "kind": .string(code.word), "message": .string(words)]]
    }
}

/// The one place where errors of the rooms become statuses of the program.
package enum ErrorMapper {
    package static func failure(for error: any Error) -> Failure {
        switch error {
        case let error as CommandError: Failure(code: error.code, words: error.description)
        case let error as ModelsError: Failure(code: code(error.kind), words: error.description)
        case let error as CheckpointError:
            Failure(code: error.isNotFound ? .modelNotFound : .badModelFile, words: error.description)
        case let error as TokenizerError: Failure(code: code(error), words: error.description)
        case let error as KernelError: Failure(code: code(error), words: error.description)
        case let error as InferenceError: Failure(code: code(error), words: error.description)
        case let error as TemplateError: Failure(code: .refused, words: error.description)
        case let error as LocalEngineError: Failure(code: code(error), words: error.description)
        case let error as EmbeddingError: Failure(code: code(error), words: error.description)
        default:
            Failure(
                code: .internalError,
                words: "Something inside went wrong: \(error). Please report it with the command that was run.")
        }
    }

    private static func code(_ kind: ModelsError.Kind) -> ExitCode {
        switch kind {
        case .notFound: .modelNotFound
        case .unusable: .badModelFile
        case .refused: .refused
        case .fetch: .fetch
        case .disk: .disk
        }
    }

    /// Everything but a text that no piece stands for, or that is too long, is the file's fault.
    private static func code(_ error: TokenizerError) -> ExitCode {
        switch error {
        case .noPiece, .textTooLong: .refused
        case .unknownModel, .unknownPreTokenizer, .missing, .unusable, .merge, .vocabulary: .badModelFile
        }
    }

    private static func code(_ error: InferenceError) -> ExitCode {
        switch error {
        case .checkpoint(let cause): cause.isNotFound ? .modelNotFound : .badModelFile
        case .unsupportedArchitecture, .givesNoText, .givesNoEmbedding, .unsupportedSetting, .missingTensor, .wrongShape,
            .wrongType, .unusedTensors,
            .noUsableLogits, .unusableLogits, .unusableEmbedding:
            .badModelFile
        case .badOption, .emptyPrompt, .tokenOutOfRange: .usage
        case .promptTooLong: .promptTooLong
        case .contextTooLong, .noTokenAllowed, .notEnoughMemory: .refused
        case .kernel(let cause): code(cause)
        }
    }

    private static func code(_ error: KernelError) -> ExitCode {
        switch error {
        case .kernelSetNotExecutable, .outOfMemory: .refused
        case .unknownKernelSet: .usage
        default: .internalError
        }
    }

    private static func code(_ error: EmbeddingError) -> ExitCode {
        switch error {
        case .textTooLong: .promptTooLong
        case .badDimensions, .noPooling, .differentLengths: .usage
        }
    }

    private static func code(_ error: LocalEngineError) -> ExitCode {
        switch error {
        case .noTemplate: .refused
        case .emptyStop, .emptyPrompt: .usage
        }
    }
}
