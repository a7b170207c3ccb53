// The article on the same session, where its snippets differ from the notes': weights that are loaded once, and the reuse
// of what was read before. Both are sketches there; the edits that make them Swift stand in Tests/SNIPPETS.md.
import FoundationModels
import Synchronization

struct KeepingLanguageModel: LanguageModel {
    typealias Executor = KeepingLanguageModelExecutor

    var capabilities: LanguageModelCapabilities { LanguageModelCapabilities([]) }
    var executorConfiguration: Executor.Configuration { Executor.Configuration() }
}

// An executor is shared and its `respond` is not mutating, so what it keeps stands behind a lock in a class.
final class KeepingLanguageModelExecutor: LanguageModelExecutor {
    typealias Model = KeepingLanguageModel

    struct Configuration: Hashable, Sendable {}

    struct LoadedWeights: Sendable {
        let number: Int
    }

    private struct State {
        var loadedModel: LoadedWeights?
        var loads = 0
        var previousTranscript = Transcript()
    }

    private let state = Mutex(State())

    init(configuration: Configuration) throws {}

    private func loadModelIfNeeded() -> LoadedWeights {
        state.withLock { state in
            if let loadedModel = state.loadedModel { return loadedModel }
            state.loads += 1
            let weights = LoadedWeights(number: state.loads)
            state.loadedModel = weights
            return weights
        }
    }

    func prewarm(model: KeepingLanguageModel, transcript: Transcript) {
        _ = loadModelIfNeeded()
    }

    func respond(
        to request: LanguageModelExecutorGenerationRequest, model: KeepingLanguageModel,
        streamingInto channel: LanguageModelExecutorGenerationChannel
    ) async throws {
        let weights = loadModelIfNeeded()
        let newTranscript = request.transcript
        let previousTranscript = state.withLock { $0.previousTranscript }

        // The transcript that was answered is the beginning of the new one, unless somebody edited it.
        let kept: Int
        if newTranscript.hasSamePrefix(as: previousTranscript) {
            kept = previousTranscript.count
        } else {
            kept = 0
        }
        await channel.send(
            .response(
                action: .updateUsage(
                    input: .init(totalTokenCount: newTranscript.count, cachedTokenCount: kept),
                    output: .init(totalTokenCount: 0, reasoningTokenCount: 0)
                )))
        await channel.send(.response(action: .appendText("weights \(weights.number)")))
        state.withLock { $0.previousTranscript = newTranscript }
    }
}

extension Transcript {
    /// The article's helper: entries compared in order.
    func hasSamePrefix(as previous: Transcript) -> Bool {
        starts(with: previous)
    }
}
