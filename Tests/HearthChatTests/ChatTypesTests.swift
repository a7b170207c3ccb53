import Foundation
import HearthChat
import Testing

@Suite("Chat types")
struct ChatTypesTests {
    @Test("D-01 D-02 roles and messages round-trip through JSON, and a message makes its own id")
    func roundTrip() throws {
        let messages = [ChatMessage.system("a"), ChatMessage(role: .user, content: "b"), .assistant("c")]
        let data = try JSONEncoder().encode(messages)
        #expect(try JSONDecoder().decode([ChatMessage].self, from: data) == messages)
        #expect(Set(messages.map(\.id)).count == 3)
        #expect(try JSONDecoder().decode(ChatRole.self, from: Data(#""system""#.utf8)) == .system)
        #expect(ChatRole.assistant.rawValue == "assistant")
    }

    @Test("D-03 the configuration has the documented defaults, under both names")
    func defaults() {
        let configuration = ModelConfiguration()
        #expect(
            configuration == LanguageModelConfiguration(temperature: 0.7, maxTokens: nil, topP: nil, stopSequences: []))
    }

    @Test("D-11 conversations are built of messages, texts, history, conditions and loops", arguments: [true, false])
    func builder(isShort: Bool) {
        let history = [ChatMessage.user("Hi"), .assistant("Hello")]
        let name: String? = isShort ? nil : "Ada"
        let built = conversation {
            ChatMessage.system("Be kind.")
            history
            if isShort { "Be brief." } else { ChatMessage.user("Take your time.") }
            if let name { "My name is \(name)." }
            for number in 1...2 { "Question \(number)" }
        }
        let middle = isShort ? ["Be brief."] : ["Take your time.", "My name is Ada."]
        #expect(built.map(\.content) == ["Be kind.", "Hi", "Hello"] + middle + ["Question 1", "Question 2"])
        #expect(built.map(\.role).prefix(4) == [.system, .user, .assistant, .user])
    }

    @Test(
        "errors say what to do",
        arguments: [
            (
                ChatError.badSetting(name: "topP", value: "2.0"),
                "The setting topP is 2.0. Temperatures are 0 or more, topP is above 0 and at most 1, maxTokens is 1 or more, and stop "
                    + "texts are not empty."
            ),
            (.noMessages, "The conversation is empty. Add a user message."),
            (
                .nothingToAnswer(last: .assistant),
                "The last message is the assistant's, so there is nothing to answer. End the conversation with a user message."
            ),
            (
                .textWasReplaced,
                "The model corrected text that had been streamed already. Ask for the whole response with generateResponse."
            ),
            (
                .unsupportedOption(name: "a seed", model: "m"),
                "The chat model 'm' has no setting for a seed. Leave it out of the generation options."
            ),
        ])
    func words(error: ChatError, words: String) {
        #expect(error.errorDescription == words)
    }
}
