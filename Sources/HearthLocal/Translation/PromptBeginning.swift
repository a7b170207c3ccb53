import FoundationModels
import HearthJSON
import HearthTokens

/// What every next prompt of a conversation begins with.
enum PromptBeginning {
    /// The tokens that two prompts with different endings share: what the template writes before the user's next words,
    /// with a prefix of these where the transcript ends with a prompt.
    static func tokens(of transcript: Transcript, _ engine: LocalEngine) async throws -> [Token] {
        let messages = try PromptBuilder.messages(of: transcript)
        var history = messages
        var prefix = ""
        if case .prompt? = transcript.last { prefix = history.removeLast()["content"]?.stringValue ?? "" }
        let first = try await engine.tokens(of: prompt(history, prefix + "a"))
        let second = try await engine.tokens(of: prompt(history, prefix + " 1"))
        return zip(first, second).prefix { $0 == $1 }.map(\.0)
    }

    private static func prompt(_ history: [JSON], _ text: String) -> LocalRequest.Prompt {
        .messages(["messages": .array(history + [["role": "user", "content": .string(text)]])])
    }
}
