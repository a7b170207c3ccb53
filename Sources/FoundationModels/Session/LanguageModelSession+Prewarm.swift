import Foundation
import HearthLocks

extension LanguageModelSession {
    /// Lets the model get ready: load what it needs, and read the instructions and the prefix of the coming prompt.
    ///
    /// Returns at once; the work is done in the background. An error is kept for the request that meets it. The model
    /// is given the transcript as it is, with a prompt entry for the prefix if there is one.
    public func prewarm(promptPrefix: Prompt? = nil) {
        let plan = setup.plan(properties)
        updateInstructions(plan)
        var transcript = plan.sent(state.withLock { $0.transcript })
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

extension LanguageModelSession {
    /// Brings the transcript's leading entry up to what a profile says now. Its id stays.
    func updateInstructions(_ plan: RoundPlan) {
        guard plan.profile != nil else { return }
        let current: Transcript.Instructions? = state.withLock { state in
            if case .instructions(let entry)? = state.settled.first { entry } else { nil }
        }
        if current.isSame(as: plan.instructions) { return }
        mutateTranscript { state in
            if current != nil { state.settled.removeFirst() }
            guard var entry = plan.instructions else { return }
            entry.id = current?.id ?? entry.id
            state.settled.insert(.instructions(entry), at: 0)
        }
    }
}

extension Transcript.Instructions? {
    /// Whether two entries say the same; ids, which are made anew, do not count.
    fileprivate func isSame(as other: Transcript.Instructions?) -> Bool {
        guard let self, let other else { return self == nil && other == nil }
        return self.segments.map(\.description) == other.segments.map(\.description)
            && self.toolDefinitions == other.toolDefinitions
    }
}
