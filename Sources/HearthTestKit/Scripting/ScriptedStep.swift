public import Foundation
public import FoundationModels

/// One thing that a scripted model does in its turn.
public enum ScriptedStep: Sendable {
    /// A piece of the answer.
    case text(String, tokenCount: Int = 1)
    /// A piece of a thought, in the turn's reasoning entry.
    case reasoning(String, tokenCount: Int = 1)
    /// The bytes that vouch for the turn's reasoning entry.
    case signature(Data)
    /// A whole tool call; its arguments arrive in these pieces of JSON, a token each.
    case toolCall(id: String = UUID().uuidString, name: String, arguments: [String])
    /// Totals of the turn so far.
    case usage(input: Int, cached: Int = 0, output: Int, reasoning: Int = 0)
    /// All metadata of the entry that the turn is writing.
    case metadata([String: any ConvertibleToGeneratedContent & Sendable])
    /// Any event, as it is.
    case event(LanguageModelExecutorGenerationChannel.Event)
    /// Waits, as a model does that is busy. Ends at once when the request is cancelled.
    case pause(Duration)
    /// Ends the turn with an error.
    case failure(any Error)

    /// A whole value as the answer, in one piece.
    public static func answer(_ value: some ConvertibleToGeneratedContent) -> ScriptedStep {
        .text(value.generatedContent.jsonString)
    }
}

/// A call of the scripted model's executor.
public struct ScriptedTurn: Sendable {
    /// Counts from 1, over all sessions that use the model.
    public let number: Int
    public let request: LanguageModelExecutorGenerationRequest
}

/// What goes wrong with a script itself.
public enum ScriptError: Error, Hashable, LocalizedError {
    /// The model was asked more often than its script has turns.
    case noTurnLeft(asked: Int, turns: Int)

    public var errorDescription: String? { words }
}
