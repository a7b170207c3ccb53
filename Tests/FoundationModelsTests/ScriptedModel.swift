import Foundation
import FoundationModels
import HearthLocks

/// A model whose executor does what the test says, and counts what is done with it.
struct ScriptedModel: LanguageModel {
    typealias Executor = ScriptedExecutor
    typealias Script =
        @Sendable (Round, LanguageModelExecutorGenerationChannel) async throws -> Void

    /// One call of the executor.
    struct Round: Sendable {
        let number: Int
        let request: LanguageModelExecutorGenerationRequest
    }

    let capabilities: LanguageModelCapabilities
    let executorConfiguration: ScriptedExecutor.Configuration
    let script: Script
    let log: ScriptLog

    init(
        _ capabilities: [LanguageModelCapabilities.Capability] = [], name: String = "scripted",
        log: ScriptLog = ScriptLog(),
        script: @escaping Script
    ) {
        self.capabilities = LanguageModelCapabilities(capabilities)
        executorConfiguration = .init(name: name, log: log)
        self.script = script
        self.log = log
    }

    /// Answers with texts, a token each.
    init(_ capabilities: [LanguageModelCapabilities.Capability] = [], texts: [String]) {
        self.init(capabilities) { _, channel in
            for text in texts { await channel.send(.response(action: .appendText(text, tokenCount: 1))) }
        }
    }

    func supportsDataAttachmentType(_ type: UTType) async throws -> Bool { type.conforms(to: .text) }

    func supportsDataEntryType(_ type: UTType) async throws -> Bool { type == .json }
}

/// What was done with the executors of a test.
final class ScriptLog: Sendable, Hashable {
    struct Record: Sendable {
        var made = 0
        var released = 0
        var prewarmed: [Transcript] = []
        var requests: [LanguageModelExecutorGenerationRequest] = []
    }

    let record = Locked(Record())

    var made: Int { record.withLock { $0.made } }
    var released: Int { record.withLock { $0.released } }
    var prewarmed: [Transcript] { record.withLock { $0.prewarmed } }
    var requests: [LanguageModelExecutorGenerationRequest] { record.withLock { $0.requests } }

    static func == (left: ScriptLog, right: ScriptLog) -> Bool { left === right }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

final class ScriptedExecutor: LanguageModelExecutor {
    typealias Model = ScriptedModel

    struct Configuration: Hashable, Sendable {
        let name: String
        let log: ScriptLog
    }

    struct Refused: Error, Equatable {}

    private let log: ScriptLog

    init(configuration: Configuration) throws {
        log = configuration.log
        if configuration.name == "refused" { throw Refused() }
        log.record.withLock { $0.made += 1 }
    }

    deinit { log.record.withLock { $0.released += 1 } }

    func prewarm(model: ScriptedModel, transcript: Transcript) {
        log.record.withLock { $0.prewarmed.append(transcript) }
    }

    func respond(
        to request: LanguageModelExecutorGenerationRequest, model: ScriptedModel,
        streamingInto channel: LanguageModelExecutorGenerationChannel
    ) async throws {
        let number = log.record.withLock { record in
            record.requests.append(request)
            return record.requests.count
        }
        try await model.script(.init(number: number, request: request), channel)
    }
}

/// Waits for something that happens in the background.
func eventually(_ condition: () -> Bool) async -> Bool {
    for _ in 0..<2000 {
        if condition() { return true }
        do { try await Task.sleep(for: .milliseconds(2)) } catch { return condition() }
    }
    return false
}

extension Transcript {
    /// The kinds of the entries, for short comparisons.
    var kinds: [String] {
        map { entry in
            switch entry {
            case .instructions: "instructions"
            case .prompt: "prompt"
            case .toolCalls: "toolCalls"
            case .toolOutput: "toolOutput"
            case .response: "response"
            case .reasoning: "reasoning"
            case .data: "data"
            }
        }
    }
}
