import Foundation
import FoundationModels
import Testing

/// What a request carries to the executor, and what comes back as it was.
@Suite("Requests")
struct RequestTests {
    struct Clock: Tool {
        let description = "The time"
        @Generable struct Arguments { @Guide(.range(-12...14)) var zone: Int }
        func call(arguments: Arguments) async throws -> String { "7" }
    }

    /// Says what its model is called; has no `prewarm`.
    struct PlainModel: LanguageModel {
        let account: String
        var capabilities: LanguageModelCapabilities { LanguageModelCapabilities([]) }
        var executorConfiguration: Executor.Configuration { .init(account: account) }

        struct Executor: LanguageModelExecutor {
            typealias Model = PlainModel
            struct Configuration: Hashable, Sendable { let account: String }
            private let account: String
            init(configuration: Configuration) throws { account = configuration.account }
            func respond(
                to request: LanguageModelExecutorGenerationRequest, model: PlainModel,
                streamingInto channel: LanguageModelExecutorGenerationChannel
            ) async throws {
                await channel.send(.response(action: .appendText("I am \(account)", tokenCount: 1)))
            }
        }
    }

    @Test("P-03 An executor without prewarm is one; asking for it does nothing")
    func withoutPrewarm() async throws {
        let session = LanguageModelSession(model: PlainModel(account: "a"))
        session.prewarm()
        session.prewarm(promptPrefix: Prompt("I"))
        #expect(try await session.respond(to: "?").content == "I am a")
    }

    /// Three models in turn, by how many answers there are.
    struct Accounts: LanguageModelSession.DynamicProfile {
        @SessionProperty(\.counter) var counter
        let models: [ScriptedModel]
        var body: some DynamicProfile {
            Profile { Instructions("i") }.model(models[min(counter, models.count - 1)])
        }
    }

    @Test("P-06 A session makes one executor for equal models, and another for another account")
    func executors() async throws {
        let log = ScriptLog()
        func model(_ account: String) -> ScriptedModel {
            ScriptedModel(name: account, log: log) { _, channel in
                await channel.send(.response(action: .appendText("x", tokenCount: 1)))
            }
        }
        let session = LanguageModelSession(profile: Accounts(models: [model("a"), model("a"), model("b")]))
        var made: [Int] = []
        for number in 0..<4 {
            session.properties.counter = number
            try await session.respond(to: "?")
            made.append(log.made)
        }
        #expect(made == [1, 1, 2, 2])
        #expect(log.requests.count == 4)
    }

    @Test("R-01 Each call of an executor has an id of its own, each round of tool calls too")
    func ids() async throws {
        let model = ScriptedModel([.toolCalling]) { round, channel in
            if round.number == 1 {
                await channel.send(
                    .toolCalls(
                        action: .toolCall(id: "1", name: "Clock", action: .appendArguments(#"{"zone":1}"#, tokenCount: 1))))
            } else {
                await channel.send(.response(action: .appendText("x", tokenCount: 1)))
            }
        }
        let session = LanguageModelSession(model: model, tools: [Clock()])
        try await session.respond(to: "a")
        try await session.respond(to: "b")
        let ids = model.log.requests.map(\.id)
        #expect(ids.count == 3 && Set(ids).count == 3)
    }

    @Test("R-03 R-11 Tools arrive with their schema, as JSON Schema; none where they are disallowed or there are none")
    func tools() async throws {
        let model = ScriptedModel([.toolCalling], texts: ["x"])
        let session = LanguageModelSession(model: model, tools: [Clock()])
        try await session.respond(to: "a")
        try await session.respond(to: "a", options: GenerationOptions(toolCallingMode: .disallowed))
        try await LanguageModelSession(model: model).respond(to: "a")
        let tools = model.log.requests.map(\.enabledToolDefinitions)
        #expect(tools.map { $0.map(\.name) } == [["Clock"], [], []])
        let schema = try JSONSerialization.jsonObject(with: JSONEncoder().encode(try #require(tools[0].first).parameters))
        let expected = """
            {"type":"object","title":"Arguments","properties":{"zone":{"type":"integer","minimum":-12,"maximum":14}},
             "required":["zone"],"additionalProperties":false,"x-order":["zone"]}
            """
        #expect(schema as? NSDictionary == (try JSONSerialization.jsonObject(with: Data(expected.utf8))) as? NSDictionary)
        // In a saved transcript as well.
        let saved = String(decoding: try JSONEncoder().encode(session.transcript), as: UTF8.self)
        #expect(saved.contains(#""maximum":14"#) && saved.contains(#""function""#))
    }

    @Test("R-04 R-10 A schema arrives where one was asked for, and stands in the prompt's entry as its response format")
    func schemas() async throws {
        let model = ScriptedModel([.guidedGeneration], texts: ["1"])
        let session = LanguageModelSession(model: model)
        try await session.respond(to: "a")
        try await session.respond(to: "a", generating: Int.self)
        let dynamic = try GenerationSchema(
            root: .init(name: "Dice", properties: [.init(name: "eyes", schema: .init(type: Int.self))]), dependencies: [])
        try await session.respond(to: "a", schema: dynamic)
        #expect(model.log.requests.map { $0.schema?.name } == [nil, "Int", "Dice"])
        let formats = model.log.requests.map { request -> String? in
            guard case .prompt(let prompt)? = request.transcript.last, let format = prompt.responseFormat else { return nil }
            switch format.kind { case .schema(let schema): return "\(format.name) \(schema.name)" }
        }
        #expect(formats == [nil, "Int Int", "Dice Dice"])
    }

    @Test("TR-01 A switch over six kinds of entries, and data, is exhaustive")
    func entries() {
        let transcript = Transcript(entries: [
            .instructions(.init(segments: [], toolDefinitions: [])), .prompt(.init(segments: [])),
            .toolCalls(.init(id: "c", [])), .toolOutput(.init(id: "o", toolName: "t", segments: [])),
            .response(.init(segments: [])), .reasoning(.init(segments: [])),
            .data(.init(contentType: .json, content: Data())),
        ])
        // `kinds` is that switch: without a `default` it compiles only if these are all.
        #expect(
            transcript.kinds == ["instructions", "prompt", "toolCalls", "toolOutput", "response", "reasoning", "data"])
        #expect(Set(transcript.map(\.id)).count == 7)
    }
}
