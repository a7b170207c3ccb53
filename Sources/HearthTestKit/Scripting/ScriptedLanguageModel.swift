import Foundation
public import FoundationModels

/// A model that says what it is told to, and remembers what it was asked. For tests of anything above a model.
///
///     let model = ScriptedLanguageModel(turns: [
///         [.toolCall(name: "weather", arguments: [#"{"city": "#, #""Oslo"}"#])],
///         [.text("Rain, "), .text("as ever.")],
///     ])
///     let session = LanguageModelSession(model: model, tools: [Weather()])
///     #expect(try await session.respond(to: "And today?").content == "Rain, as ever.")
///     #expect(model.log.requests.count == 2)
///
/// Copies share one log. A turn that the script does not have ends with ``ScriptError/noTurnLeft(asked:turns:)``.
public struct ScriptedLanguageModel: LanguageModel {
    public typealias Script = @Sendable (ScriptedTurn) throws -> [ScriptedStep]

    public let capabilities: LanguageModelCapabilities
    public let executorConfiguration: ScriptedLanguageModel.Executor.Configuration
    /// What the model was asked.
    public let log: RequestLog
    let script: Script

    /// A model whose steps are worked out from what it is asked.
    /// - Parameter name: models of one name share an executor within a session.
    public init(
        capabilities: LanguageModelCapabilities = ScriptedLanguageModel.everything, name: String = "scripted",
        script: @escaping Script
    ) {
        self.capabilities = capabilities
        executorConfiguration = Executor.Configuration(name: name)
        log = RequestLog()
        self.script = script
    }

    /// A model with a fixed list of turns, one for each call of its executor.
    public init(
        capabilities: LanguageModelCapabilities = ScriptedLanguageModel.everything, name: String = "scripted",
        turns: [[ScriptedStep]]
    ) {
        self.init(capabilities: capabilities, name: name) { turn in
            guard turn.number <= turns.count else {
                throw ScriptError.noTurnLeft(asked: turn.number, turns: turns.count)
            }
            return turns[turn.number - 1]
        }
    }

    /// A model that gives this text as often as it is asked, a token each piece.
    public init(
        capabilities: LanguageModelCapabilities = ScriptedLanguageModel.everything, name: String = "scripted",
        texts: [String]
    ) {
        self.init(capabilities: capabilities, name: name) { _ in texts.map { .text($0) } }
    }

    /// All capabilities that there are: a script can do anything.
    public static let everything = LanguageModelCapabilities([.toolCalling, .guidedGeneration, .reasoning, .vision])
}

extension ScriptedLanguageModel {
    public final class Executor: LanguageModelExecutor {
        public typealias Model = ScriptedLanguageModel

        public struct Configuration: Hashable, Sendable {
            public let name: String
        }

        public init(configuration: Configuration) throws {}

        public func prewarm(model: ScriptedLanguageModel, transcript: Transcript) {
            model.log.note(prewarmed: transcript)
        }

        public func respond(
            to request: LanguageModelExecutorGenerationRequest, model: ScriptedLanguageModel,
            streamingInto channel: LanguageModelExecutorGenerationChannel
        ) async throws {
            let number = model.log.add(request, executor: ObjectIdentifier(self))
            var performer = ScriptPerformer(requestID: request.id.uuidString, channel: channel)
            for step in try model.script(ScriptedTurn(number: number, request: request)) {
                try Task.checkCancellation()
                try await performer.perform(step)
            }
        }
    }
}
