import Foundation
import FoundationModels
import Testing

@Suite("Tool loop")
struct ToolLoopTests {
    struct Weather: Tool {
        let name = "weather"
        let description = "The weather in a city"
        var parameters: GenerationSchema { GeneratedContent.generationSchema }
        var delay = false

        func call(arguments: GeneratedContent) async throws -> String {
            let city: String = try arguments.value(forProperty: "city")
            if city == "Nowhere" { throw URLError(.badURL) }
            if delay, city == "Rome" { try await Task.sleep(for: .milliseconds(20)) }
            return "Rain in \(city)"
        }
    }

    struct Clock: Tool {
        let description = "The time"
        var parameters: GenerationSchema { GeneratedContent.generationSchema }
        func call(arguments: GeneratedContent) async throws -> GeneratedContent {
            GeneratedContent(properties: ["hour": 7, "arguments": arguments])
        }
    }

    private func call(_ id: String, _ name: String, _ text: String) -> LanguageModelExecutorGenerationChannel.Event {
        .toolCalls(
            entryID: "calls", action: .toolCall(id: id, name: name, action: .appendArguments(text, tokenCount: 1)))
    }

    @Test("E-16 Interleaved calls are assembled, run, and answered in the order in which they were begun")
    func parallel() async throws {
        let model = ScriptedModel([.toolCalling]) { round, channel in
            if round.number == 1 {
                for event in [
                    call("a", "weather", "{\"city\":"), call("b", "weather", "{\"ci"),
                    call("a", "weather", "\"Rome\"}"),
                    call("b", "weather", "ty\":\"Oslo\"}"),
                ] { await channel.send(event) }
                await channel.send(.response(action: .updateMetadata(["modelID": "m"])))
            } else {
                await channel.send(.response(action: .appendText("Wet.", tokenCount: 1)))
            }
        }
        let session = LanguageModelSession(model: model, tools: [Weather(delay: true)])
        let response = try await session.respond(to: "a")
        #expect(response.content == "Wet.")
        #expect(
            session.transcript.kinds == [
                "instructions", "prompt", "toolCalls", "response", "toolOutput", "toolOutput", "response",
            ])
        let outputs = session.transcript.compactMap { entry -> Transcript.ToolOutput? in
            if case .toolOutput(let output) = entry { output } else { nil }
        }
        #expect(outputs.map(\.id) == ["a", "b"])
        #expect(outputs.map { $0.segments.map(\.description) } == [["Rain in Rome"], ["Rain in Oslo"]])
        #expect(model.log.requests.count == 2)
        #expect(model.log.requests[1].transcript.kinds.last == "toolOutput")
        #expect(model.log.requests[0].enabledToolDefinitions.map(\.name) == ["weather"])
        #expect(response.usage.output.totalTokenCount == 5)
    }

    @Test("E-17 E-18 Z-04 An empty delta opens a call with no arguments, and metadata may come before it")
    func emptyArguments() async throws {
        let model = ScriptedModel([.toolCalling]) { round, channel in
            guard round.number == 1 else { return }
            await channel.send(
                .toolCalls(
                    entryID: "calls", action: .toolCall(id: "a", name: "Clock", action: .updateMetadata(["tag": "t"]))))
            await channel.send(call("a", "Clock", ""))
        }
        let session = LanguageModelSession(model: model, tools: [Clock()])
        try await session.respond(to: "a")
        let found = session.transcript.compactMap { entry -> Transcript.ToolCall? in
            if case .toolCalls(let calls) = entry { calls.first } else { nil }
        }
        let first = try #require(found.first)
        #expect(try first.metadata["tag"]?.value(String.self) == "t")
    }

    @Test("A structured output becomes a structured segment")
    func structuredOutput() async throws {
        let model = ScriptedModel([.toolCalling]) { round, channel in
            if round.number == 1 { await channel.send(call("a", "Clock", "")) }
        }
        let session = LanguageModelSession(model: model, tools: [Clock()])
        try await session.respond(to: "a")
        guard case .toolOutput(let output)? = session.transcript.last,
            case .structure(let segment)? = output.segments.first
        else {
            Issue.record("\(session.transcript.kinds)")
            return
        }
        #expect(segment.content.jsonString == #"{"hour":7,"arguments":{}}"#)
    }

    @Test("E-19 Z-05 A call that is taken back is not run and leaves nothing")
    func retraction() async throws {
        let model = ScriptedModel([.toolCalling]) { round, channel in
            await channel.send(call("a", "weather", "{\"city\":"))
            await channel.send(.toolCalls(entryID: "calls", action: .removeToolCall(id: "a")))
            await channel.send(.response(action: .appendText("ok", tokenCount: 1)))
        }
        let session = LanguageModelSession(model: model, tools: [Weather()])
        try await session.respond(to: "a")
        #expect(session.transcript.kinds == ["instructions", "prompt", "response"])
        #expect(model.log.requests.count == 1)
    }

    @Test("A tool that throws ends the request with ToolCallError, and the transcript is as before")
    func throwing() async throws {
        let model = ScriptedModel([.toolCalling]) { _, channel in
            await channel.send(call("a", "weather", #"{"city":"Nowhere"}"#))
        }
        let session = LanguageModelSession(model: model, tools: [Weather()])
        let error = try await #require(throws: LanguageModelSession.ToolCallError.self) {
            try await session.respond(to: "a")
        }
        #expect(error.tool.name == "weather")
        #expect(error.underlyingError is URLError)
        #expect(session.transcript.kinds == ["instructions"])
    }

    @Test("A tool that is not there, and arguments that are no JSON, are parsing errors that say so")
    func unknownTool() async throws {
        for (name, text) in [("wether", "{}"), ("weather", "{city}"), ("weather", #"{"city":"#)] {
            let model = ScriptedModel([.toolCalling]) { _, channel in await channel.send(call("a", name, text)) }
            let session = LanguageModelSession(model: model, tools: [Weather()])
            do {
                try await session.respond(to: "a")
                Issue.record("no error")
            } catch let error as GeneratedContent.ParsingError {
                #expect(name == "wether")
                #expect(
                    error.errorDescription
                        == "The model called the tool 'wether', which this session does not have. It has 'weather'.")
            } catch let error as LanguageModelSession.ToolCallError {
                #expect(name == "weather")
                #expect(error.underlyingError is GeneratedContent.ParsingError)
            }
        }
    }

    @Test("A model that only ever calls tools is stopped")
    func endless() async throws {
        let model = ScriptedModel([.toolCalling]) { round, channel in
            await channel.send(call("\(round.number)", "Clock", "{}"))
        }
        let session = LanguageModelSession(model: model, tools: [Clock()])
        await #expect(throws: LanguageModelSession.ToolCallError.self) { try await session.respond(to: "a") }
        #expect(model.log.requests.count == 64)
    }

    @Test("A round of tool calls alone gives no snapshot")
    func stream() async throws {
        let model = ScriptedModel([.toolCalling]) { round, channel in
            if round.number == 1 {
                await channel.send(call("a", "Clock", "{}"))
            } else {
                for text in ["It is ", "seven."] {
                    await channel.send(.response(action: .appendText(text, tokenCount: 1)))
                }
            }
        }
        let session = LanguageModelSession(model: model, tools: [Clock()])
        var snapshots: [String] = []
        for try await snapshot in session.streamResponse(to: "a") { snapshots.append(snapshot.content) }
        #expect(snapshots == ["It is ", "It is seven."])
    }

    @Test("A tool's name is its type's, and its definition can be left out of the instructions only")
    func defaults() async throws {
        struct Hidden: Tool {
            let description = "h"
            var includesSchemaInInstructions: Bool { false }
            var parameters: GenerationSchema { GeneratedContent.generationSchema }
            func call(arguments: GeneratedContent) async throws -> String { "" }
        }
        #expect(Hidden().name == "Hidden")
        #expect(Clock().includesSchemaInInstructions)
        let model = ScriptedModel([.toolCalling], texts: ["x"])
        let session = LanguageModelSession(model: model, tools: [Hidden()])
        #expect(session.transcript.isEmpty)
        try await session.respond(to: "a")
        #expect(model.log.requests[0].enabledToolDefinitions.map(\.name) == ["Hidden"])
    }
}
