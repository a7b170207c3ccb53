import Foundation
public import FoundationModels
package import HearthInference
import HearthLocks
import HearthTokens

extension LocalLanguageModel {
    /// Runs the requests of one session on one file: messages in, events out.
    public final class Executor: LanguageModelExecutor {
        public typealias Model = LocalLanguageModel

        public struct Configuration: Hashable, Sendable {
            package let source: LocalLanguageModel.Source
            package let layout: ModelOptions
        }

        private struct State {
            var engine: LocalEngine?
            /// Loads, and reads what the next prompt will begin with.
            var warmUp: Task<Void, Never>?
        }

        private let state = Locked(State())

        public init(configuration: LocalLanguageModel.Executor.Configuration) {}

        /// Loads the weights, and reads the beginning that any next prompt of this transcript will have: the
        /// instructions, the history, and a prefix of the prompt if the session gave one.
        ///
        /// Nothing is said of errors here: the request meets them again.
        public func prewarm(model: LocalLanguageModel, transcript: Transcript) {
            let task = Task { [self] in
                do {
                    let engine = try await engine(for: model)
                    let beginning = try await PromptBeginning.tokens(of: transcript, engine)
                    if beginning.isEmpty { return }
                    var request = LocalRequest(prompt: .tokens(beginning), sampling: .greedy)
                    request.limit = 1
                    for try await _ in engine.generate(request) {}
                } catch {
                    // The file, the template or the transcript: `respond` reports it.
                }
            }
            let earlier = state.withLock { state in
                defer { state.warmUp = task }
                return state.warmUp
            }
            earlier?.cancel()
        }

        /// Answers the last prompt of the transcript.
        /// - Throws: ``LanguageModelError`` where it has a case, ``LocalLanguageModelError`` for what only a local model
        ///   can meet, `CancellationError`.
        public nonisolated(nonsending) func respond(
            to request: LanguageModelExecutorGenerationRequest, model: LocalLanguageModel,
            streamingInto channel: LanguageModelExecutorGenerationChannel
        ) async throws {
            do {
                var local = try LocalRequest(request, options: model.options)
                await finishWarmUp()
                try Task.checkCancellation()
                let engine = try await engine(for: model)
                var translator = EventTranslator(modelID: engine.facts.modelID, requestID: request.id)
                local.entry = translator.entryID
                for try await event in engine.generate(local) {
                    for sent in translator.events(for: event) { await channel.send(sent) }
                }
            } catch {
                throw ErrorMapper.error(for: error)
            }
            try Task.checkCancellation()
        }

        private nonisolated(nonsending) func engine(for model: LocalLanguageModel) async throws -> LocalEngine {
            if let engine = state.withLock({ $0.engine }) { return engine }
            let engine = try await LocalEngine.load(file: model.file(), options: model.options.layout)
            state.withLock { $0.engine = engine }
            return engine
        }

        /// What is being read is what the request begins with, so that waiting loses nothing.
        private nonisolated(nonsending) func finishWarmUp() async {
            guard let task = state.withLock({ $0.warmUp }) else { return }
            await withTaskCancellationHandler {
                await task.value
            } onCancel: {
                task.cancel()
            }
            state.withLock { if $0.warmUp == task { $0.warmUp = nil } }
        }

        deinit {
            state.withLock { $0.warmUp }?.cancel()
        }
    }
}
