import Foundation
import FoundationModels
import HearthInference
import HearthKernels
import HearthLocal
import HearthModels
import Testing

@Suite("Errors of a local model")
struct ErrorMapperTests {
    @Test("X-01 A prompt that is too long says both numbers")
    func context() {
        let mapped = ErrorMapper.error(for: InferenceError.promptTooLong(tokens: 40, context: 32))
        guard case LanguageModelError.contextSizeExceeded(let payload) = mapped else {
            Issue.record("\(mapped)")
            return
        }
        #expect(payload.contextSize == 32)
        #expect(payload.tokenCount == 40)
        #expect(
            mapped.localizedDescription
                == "Content contains 40 tokens, which exceeds the maximum allowed context size of 32.")
    }

    @Test("Each local failure has its case, keeps its cause and speaks its words")
    func local() throws {
        func name(_ error: any Error) -> String? {
            guard let local = ErrorMapper.error(for: error) as? LocalLanguageModelError else { return nil }
            #expect(local.errorDescription == "\(error)")
            return switch local {
            case .modelNotFound: "modelNotFound"
            case .unusableModel: "unusableModel"
            case .notEnoughMemory: "notEnoughMemory"
            case .invalidOption: "invalidOption"
            case .unwritablePrompt: "unwritablePrompt"
            case .generationFailed: "generationFailed"
            }
        }
        #expect(name(ModelsError.noFile(path: "/x")) == "modelNotFound")
        #expect(name(InferenceError.unsupportedArchitecture("x")) == "unusableModel")
        #expect(name(InferenceError.badOption(name: "top-p", value: "2", allowed: "0 to 1")) == "invalidOption")
        #expect(name(InferenceError.contextTooLong(asked: 9, trained: 8)) == "invalidOption")
        #expect(name(InferenceError.noUsableLogits(unusable: 1, vocabulary: 2, step: 3)) == "generationFailed")
        let room = MemoryRoom(MemoryReadings(machine: 1))!
        #expect(name(InferenceError.notEnoughMemory(needed: 2, room: room)) == "notEnoughMemory")
        #expect(name(InferenceError.kernel(.outOfMemory(bytes: 2))) == "notEnoughMemory")
        #expect(name(LocalEngineError.noTemplate(model: "m")) == "unwritablePrompt")
        #expect(name(LocalEngineError.emptyStop) == "invalidOption")
        #expect(name(URLError(.badURL)) == nil)
        #expect(ErrorMapper.error(for: CancellationError()) is CancellationError)
    }
}
