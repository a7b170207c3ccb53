import Foundation
import FoundationModels
import HearthTestKit
import Testing

@Suite("Scripted model")
struct ScriptedLanguageModelTests {
    struct Weather: Tool {
        let name = "weather"
        let description = "The weather in a city"

        @Generable
        struct Arguments {
            let city: String
        }

        func call(arguments: Arguments) async throws -> String { "Rain in \(arguments.city)" }
    }

    @Test("a script of two turns drives the tool loop, and the log has both requests")
    func twoTurns() async throws {
        let model = ScriptedLanguageModel(turns: [
            [
                .reasoning("They ask about Oslo."),
                .toolCall(id: "1", name: "weather", arguments: [#"{"city": "#, #""Oslo"}"#]),
            ],
            [.metadata(["modelID": "m"]), .text("Rain, "), .text("as ever."), .usage(input: 9, cached: 4, output: 5)],
        ])
        let session = LanguageModelSession(model: model, tools: [Weather()])
        let response = try await session.respond(to: "And today?")
        #expect(response.content == "Rain, as ever.")
        #expect(model.log.requests.count == 2)
        #expect(model.log.requests[0].enabledToolDefinitions.map(\.name) == ["weather"])
        #expect(model.log.requests[1].transcript.last?.description == "(Tool output: weather) Rain in Oslo")
        #expect(model.log.executorCount == 1)
        #expect(response.usage.input.cachedTokenCount == 4)
        #expect(response.transcriptEntries.count == 4)
    }

    @Test("one turn too many ends with an error that counts them")
    func tooMany() async throws {
        let session = LanguageModelSession(model: ScriptedLanguageModel(turns: [[.text("Red.")]]))
        try await session.respond(to: "a")
        let error = await #expect(throws: ScriptError.self) { try await session.respond(to: "b") }
        #expect(
            error?.errorDescription
                == "The scripted model was asked for turn 2, and its script has 1. Add a turn; every round of the tool loop "
                + "takes one.")
    }

    @Test("errors, pauses and whole values can be scripted, and prewarm is logged")
    func otherSteps() async throws {
        let failing = ScriptedLanguageModel(turns: [[.text("a"), .failure(URLError(.timedOut))]])
        await #expect(throws: URLError.self) { try await LanguageModelSession(model: failing).respond(to: "a") }
        let model = ScriptedLanguageModel { turn in
            [.pause(.milliseconds(1)), .answer(["Oslo", turn.request.transcript.last?.description ?? ""])]
        }
        let session = LanguageModelSession(model: model)
        session.prewarm()
        let answer = try await session.respond(to: "Cities", generating: [String].self)
        #expect(answer.content == ["Oslo", "(Prompt) Cities"])
        for _ in 0..<1000 where model.log.prewarmed.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
        #expect(model.log.prewarmed.count == 1)
    }
}
