import Foundation
import FoundationModels
import HearthChat
import HearthTestKit
import Testing

@Suite("Framework models as chat models")
struct FrameworkChatModelTests {
    let messages: [ChatMessage] = [.system("Be brief."), .user("Hi"), .assistant("Hello"), .user("Why?")]

    @Test("D-05 a conversation reaches the model entry by entry, with its settings, and comes back as a message")
    func conversation() async throws {
        let model = ScriptedLanguageModel(texts: ["Be", "cause"])
        let chat = FrameworkChatModel(model, identifier: "scripted")
        let answer = try await chat.generateResponse(
            for: messages, configuration: .init(temperature: 0.5, maxTokens: 9, topP: 0.25))
        #expect(answer.role == .assistant)
        #expect(answer.content == "Because")
        #expect(chat.modelIdentifier == "scripted")
        let request = try #require(model.log.requests.first)
        #expect(
            request.transcript.map(\.description) == [
                "(Instructions) Be brief.", "(Prompt) Hi", "(Response) Hello", "(Prompt) Why?",
            ])
        #expect(request.generationOptions.samplingMode == .random(probabilityThreshold: 0.25))
        #expect(request.generationOptions.temperature == 0.5)
        #expect(request.generationOptions.maximumResponseTokens == 9)
        _ = try await chat.generateResponse(for: messages, configuration: .init(temperature: 0))
        #expect(model.log.requests[1].generationOptions.samplingMode == .greedy)
    }

    @Test("D-04 the stream gives each piece once, and joined they are the answer")
    func stream() async throws {
        let chat = FrameworkChatModel(ScriptedLanguageModel(texts: ["Kö", "ln ", "🇩🇪", "e", "\u{301}", "!"]))
        var pieces: [String] = []
        for try await piece in chat.tokens(for: messages) { pieces.append(piece) }
        #expect(Array(pieces.joined().utf8) == Array("Köln 🇩🇪e\u{301}!".utf8))
        #expect(pieces.count > 1)
    }

    @Test(
        "R-15 a stop sequence ends the answer before it, however its text is cut",
        arguments: [
            (["One. END Two."], "One. "), (["One. E", "ND Two"], "One. "), (["One. ", "E", "N", "D"], "One. "),
            (["One. EN", "ough"], "One. ENough"), (["ab", "aab", "X"], "abaabX"), (["aE", "EEND"], "aEE"),
            (["END"], ""),
        ])
    func stop(pieces: [String], answer: String) async throws {
        let model = ScriptedLanguageModel(texts: pieces)
        let chat = FrameworkChatModel(model)
        let configuration = LanguageModelConfiguration(stopSequences: ["END", "aabY"])
        #expect(try await chat.generateResponse(for: messages, configuration: configuration).content == answer)
        var streamed = ""
        for try await piece in chat.tokens(for: messages, configuration: configuration) { streamed += piece }
        #expect(streamed == answer)
    }

    @Test("D-04 when nobody reads on, the model stops")
    func cancellation() async throws {
        let ended = Witness()
        let model = ScriptedLanguageModel { _ in
            [
                .text("a"), .event(.response(action: .appendText("b", tokenCount: 1))), .pause(.seconds(60)),
                .text("never"),
            ]
        }
        let task = Task {
            for try await _ in FrameworkChatModel(model).tokens(for: [.user("a")]) { ended.note() }
        }
        for _ in 0..<1000 where ended.count == 0 { try await Task.sleep(for: .milliseconds(1)) }
        let start = ContinuousClock.now
        task.cancel()
        _ = await task.result
        #expect(ContinuousClock.now - start < .seconds(20))
        #expect(ended.count >= 1)
    }

    @Generable
    enum Mood: String, CaseIterable {
        case glad, sad
    }

    @Generable
    struct City: Equatable {
        let name: String
        let population: Int
    }

    struct Clock: Tool {
        let name = "clock"
        let description = "The time in a city"

        @Generable
        struct Arguments {
            let city: String
        }

        func call(arguments: Arguments) async throws -> String { "Noon in \(arguments.city)" }
    }

    @Test("D-12 structures, classes and tool calls come through the bridge")
    func structured() async throws {
        let cities = FrameworkChatModel(
            ScriptedLanguageModel(texts: [#"{"name": "Oslo", "#, #""population": 717710}"#]))
        #expect(
            try await cities.generateResponse(for: [.user("Oslo?")], generating: City.self)
                == City(name: "Oslo", population: 717_710))
        let moods = FrameworkChatModel(ScriptedLanguageModel(texts: [#""glad""#]))
        #expect(try await moods.generateResponse(for: [.user("What a day!")], generating: Mood.self) == .glad)
        let model = ScriptedLanguageModel(turns: [
            [.toolCall(name: "clock", arguments: [#"{"city": "Oslo"}"#])], [.text("It is noon.")],
        ])
        let answer = try await FrameworkChatModel(model, tools: [Clock()]).generateResponse {
            "What time is it in Oslo?"
        }
        #expect(answer.content == "It is noon.")
        #expect(model.log.requests[1].transcript.last?.description == "(Tool output: clock) Noon in Oslo")
    }

    @Test("conversations without a question and settings without a meaning are refused, streamed or not")
    func refused() async throws {
        let model = ScriptedLanguageModel(texts: ["a"])
        let chat = FrameworkChatModel(model)
        let cases: [([ChatMessage], LanguageModelConfiguration, ChatError)] = [
            ([], .init(), .noMessages), ([.user("a"), .assistant("b")], .init(), .nothingToAnswer(last: .assistant)),
            ([.user("a")], .init(temperature: -1), .badSetting(name: "temperature", value: "-1.0")),
            ([.user("a")], .init(maxTokens: 0), .badSetting(name: "maxTokens", value: "0")),
            ([.user("a")], .init(topP: 1.5), .badSetting(name: "topP", value: "1.5")),
            ([.user("a")], .init(stopSequences: [""]), .badSetting(name: "stopSequences", value: "an empty text")),
        ]
        for (messages, configuration, expected) in cases {
            let one = await #expect(throws: ChatError.self) {
                try await chat.generateResponse(for: messages, configuration: configuration)
            }
            #expect(one == expected)
            let other = await #expect(throws: ChatError.self) {
                for try await _ in chat.tokens(for: messages, configuration: configuration) {}
            }
            #expect(other == expected)
        }
        #expect(model.log.requests.isEmpty)
    }
}
