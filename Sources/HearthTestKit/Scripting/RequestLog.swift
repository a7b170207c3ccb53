public import FoundationModels
import HearthLocks

/// What a scripted model was asked, in order.
public final class RequestLog: Sendable {
    private struct Record {
        var requests: [LanguageModelExecutorGenerationRequest] = []
        var prewarmed: [Transcript] = []
        var executors: Set<ObjectIdentifier> = []
    }

    private let record = Locked(Record())

    /// Every request that reached the executor: one per round of the tool loop.
    public var requests: [LanguageModelExecutorGenerationRequest] { record.withLock { $0.requests } }

    /// The transcripts that came with `prewarm`.
    public var prewarmed: [Transcript] { record.withLock { $0.prewarmed } }

    /// How many executors have answered, while all of them are alive.
    public var executorCount: Int { record.withLock { $0.executors.count } }

    /// - Returns: the number of the request, from 1.
    func add(_ request: LanguageModelExecutorGenerationRequest, executor: ObjectIdentifier) -> Int {
        record.withLock { record in
            record.requests.append(request)
            record.executors.insert(executor)
            return record.requests.count
        }
    }

    func note(prewarmed transcript: Transcript) {
        record.withLock { $0.prewarmed.append(transcript) }
    }
}
