public import FoundationModels
import FoundationModelsExtras
import HearthLocks

/// Passes everything on to another model, and keeps what it answers.
public struct RecordingLanguageModel<Base: LanguageModel>: LanguageModel {
    let base: Base
    private let tape: Tape

    public init(_ base: Base) {
        self.base = base
        tape = Tape(base.capabilities)
    }

    /// What was recorded so far, by all copies of this value.
    public var recording: Recording { tape.recording }

    public var capabilities: LanguageModelCapabilities { base.capabilities }

    public var executorConfiguration: Base.Executor.Configuration { base.executorConfiguration }

    public nonisolated(nonsending) func supportsDataAttachmentType(_ type: UTType) async throws -> Bool {
        try await base.supportsDataAttachmentType(type)
    }

    public nonisolated(nonsending) func supportsDataEntryType(_ type: UTType) async throws -> Bool {
        try await base.supportsDataEntryType(type)
    }

    public struct Executor: LanguageModelExecutor {
        public typealias Model = RecordingLanguageModel<Base>

        private let base: Base.Executor

        public init(configuration: Base.Executor.Configuration) throws {
            base = try Base.Executor(configuration: configuration)
        }

        public func prewarm(model: Model, transcript: Transcript) {
            base.prewarm(model: model.base, transcript: transcript)
        }

        public func respond(
            to request: LanguageModelExecutorGenerationRequest, model: Model,
            streamingInto channel: LanguageModelExecutorGenerationChannel
        ) async throws {
            let round = model.tape.begin(request.transcript.descriptions)
            let inner = LanguageModelExecutorGenerationChannel()
            let base = base
            do {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask {
                        do {
                            try await base.respond(to: request, model: model.base, streamingInto: inner)
                            inner.finish()
                        } catch {
                            inner.fail(error)
                        }
                    }
                    for try await event in inner {
                        model.tape.add(event, to: round)
                        await channel.send(event)
                    }
                    inner.finish()
                    try await group.waitForAll()
                }
                try Task.checkCancellation()
            } catch {
                model.tape.end(round, error)
                throw error
            }
        }
    }
}

/// The rounds of a recording while they are made; several may run at once.
final class Tape: Sendable {
    private let kept: Locked<Recording>

    init(_ capabilities: LanguageModelCapabilities) {
        kept = Locked(Recording(capabilities: capabilities))
    }

    var recording: Recording { kept.withLock { $0 } }

    func begin(_ asked: [String]) -> Int {
        kept.withLock { recording in
            recording.rounds.append(Recording.Round(asked: asked))
            return recording.rounds.count - 1
        }
    }

    func add(_ event: LanguageModelExecutorGenerationChannel.Event, to round: Int) {
        kept.withLock { $0.rounds[round].events.append(event) }
    }

    func end(_ round: Int, _ error: any Error) {
        kept.withLock { $0.rounds[round].failure = error }
    }
}
