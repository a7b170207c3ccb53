import Foundation
public import Observation

/// What a view shows of a model at work: the text so far, and whether more comes.
///
///     let coordinator = InferenceCoordinator(defaultModel: model)
///     await coordinator.executePrompt("Explain actors.")
///     coordinator.setModel(another)
///
/// A prompt that is executed while another is answered takes its place.
@MainActor
@Observable
public final class InferenceCoordinator {
    /// The answer so far, or after a failure the words `Inference Error: ` and its reason.
    public private(set) var outputText = ""
    /// Whether an answer is being generated. False again after an answer, an error and a cancellation.
    public private(set) var isGenerating = false

    @ObservationIgnored private var activeModel: any LanguageModel
    @ObservationIgnored private let systemPrompt: String
    @ObservationIgnored private let configuration: LanguageModelConfiguration
    /// Counts the prompts, so that one that was replaced falls silent.
    @ObservationIgnored private var current = 0

    public init(
        defaultModel: any LanguageModel, systemPrompt: String = "You are a helpful assistant.",
        configuration: LanguageModelConfiguration = LanguageModelConfiguration(temperature: 0.5, maxTokens: 500)
    ) {
        activeModel = defaultModel
        self.systemPrompt = systemPrompt
        self.configuration = configuration
    }

    /// Answers the prompts that follow with another model.
    public func setModel(_ model: any LanguageModel) {
        activeModel = model
    }

    /// Answers a prompt into ``outputText``. When the calling task is cancelled, what was generated stays.
    public func executePrompt(_ prompt: String) async {
        current += 1
        let mine = current
        isGenerating = true
        outputText = ""
        defer { if mine == current { isGenerating = false } }
        let messages: [ChatMessage] = [.system(systemPrompt), .user(prompt)]
        do {
            for try await piece in activeModel.streamResponse(for: messages, configuration: configuration) {
                guard mine == current else { return }
                outputText += piece
            }
        } catch is CancellationError {
            // The caller knows: what was generated until then stays.
        } catch {
            guard mine == current else { return }
            outputText = "Inference Error: \(error.localizedDescription)"
        }
    }
}
