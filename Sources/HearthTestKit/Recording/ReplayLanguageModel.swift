public import FoundationModels
import HearthLocks

/// Plays a recording back: round after round, the same events and the same errors.
///
/// Each round is asked what it was asked when it was recorded, or ends with ``RecordingError/otherRequest``.
public struct ReplayLanguageModel: LanguageModel {
    let recording: Recording
    private let next = Position()

    public init(_ recording: Recording) {
        self.recording = recording
    }

    public var capabilities: LanguageModelCapabilities { recording.capabilities }

    public var executorConfiguration: Executor.Configuration { Executor.Configuration(rounds: recording.rounds.count) }

    /// Whatever was recorded was supported then.
    public nonisolated(nonsending) func supportsDataAttachmentType(_ type: UTType) async throws -> Bool { true }

    public nonisolated(nonsending) func supportsDataEntryType(_ type: UTType) async throws -> Bool { true }

    public struct Executor: LanguageModelExecutor {
        public typealias Model = ReplayLanguageModel

        public struct Configuration: Hashable, Sendable {
            let rounds: Int
        }

        public init(configuration: Configuration) throws {}

        public func respond(
            to request: LanguageModelExecutorGenerationRequest, model: ReplayLanguageModel,
            streamingInto channel: LanguageModelExecutorGenerationChannel
        ) async throws {
            let number = model.next.take()
            let rounds = model.recording.rounds
            guard number < rounds.count else { throw RecordingError.noRoundLeft(rounds: rounds.count) }
            let asked = request.transcript.descriptions
            guard asked == rounds[number].asked else {
                throw RecordingError.otherRequest(round: number + 1, recorded: rounds[number].asked, asked: asked)
            }
            for event in rounds[number].events {
                try Task.checkCancellation()
                await channel.send(event)
            }
            if let failure = rounds[number].failure { throw failure }
        }
    }
}

/// Counts the rounds that were played.
private final class Position: Sendable {
    private let count = Locked(0)

    func take() -> Int {
        count.withLock { count in
            defer { count += 1 }
            return count
        }
    }
}
