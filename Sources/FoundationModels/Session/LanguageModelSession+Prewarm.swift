import Foundation
import Synchronization

extension LanguageModelSession {
    /// Lets the model get ready: load what it needs, and read the instructions and the prefix of the coming prompt.
    ///
    /// Returns at once; the work is done in the background. An error is kept for the request that meets it. The model
    /// is given the transcript as it is, with a prompt entry for the prefix if there is one.
    public func prewarm(promptPrefix: Prompt? = nil) {
        var transcript = state.withLock { $0.transcript }
        if let promptPrefix {
            transcript.append(.prompt(Transcript.Prompt(segments: promptPrefix.parts.segments)))
        }
        prewarm(plan.model, transcript)
    }

    private func prewarm<Model: LanguageModel>(_ model: Model, _ transcript: Transcript) {
        let executors = executors
        Task {
            do {
                try executors.executor(for: model).prewarm(model: model, transcript: transcript)
            } catch {
                // The executor could not be made. The next request tries again, and throws what comes of it.
            }
        }
    }
}
