import Foundation
import FoundationModels
import HearthLocks
import Testing

extension SessionPropertyValues {
    @SessionPropertyEntry var counter: Int = 0
    @SessionPropertyEntry var city: String? = nil
}

@Suite("Profiles and session properties")
struct ProfileTests {
    struct Count: Tool {
        @SessionProperty(\.counter) var counter
        let description = "Counts"
        var parameters: GenerationSchema { GeneratedContent.generationSchema }

        func call(arguments: GeneratedContent) async throws -> String {
            counter += 1
            return "\(counter)"
        }
    }

    /// Two modes, chosen by what a tool has counted.
    struct Modes: LanguageModelSession.DynamicProfile {
        @SessionProperty(\.counter) var counter
        let first: ScriptedModel
        let second: ScriptedModel
        let log: EventLog

        var body: some DynamicProfile {
            if counter == 0 {
                Profile {
                    Instructions("first")
                    Count()
                }
                .model(first).temperature(0.1).onActivate { log.add("+first") }.onDeactivate { log.add("-first") }
            } else {
                Profile { Instructions("second \(counter)") }
                    .model(second).onActivate { log.add("+second") }
            }
        }
    }

    final class EventLog: Sendable {
        private let lines = Locked<[String]>([])
        func add(_ line: String) { lines.withLock { $0.append(line) } }
        var all: [String] { lines.withLock { $0 } }
    }

    @Test("A tool that changes a property switches model and instructions for the next round of the same request")
    func switching() async throws {
        let first = ScriptedModel([.toolCalling], name: "first") { _, channel in
            await channel.send(
                .toolCalls(action: .toolCall(id: "a", name: "Count", action: .appendArguments("", tokenCount: 0))))
        }
        let second = ScriptedModel(texts: ["done"])
        let log = EventLog()
        let session = LanguageModelSession(profile: Modes(first: first, second: second, log: log))
        #expect(session.transcript.first?.description == "(Instructions) [tools: Count] first")
        let id = session.transcript.first?.id
        #expect(
            try await session.respond(to: "go", options: GenerationOptions(maximumResponseTokens: 9)).content == "done")
        #expect(session.properties.counter == 1)
        #expect(session.transcript.first?.description == "(Instructions) second 1")
        #expect(session.transcript.first?.id == id)
        #expect(session.transcript.kinds == ["instructions", "prompt", "toolCalls", "toolOutput", "response"])
        #expect(first.log.requests.map(\.generationOptions.temperature) == [0.1])
        #expect(first.log.requests.map(\.generationOptions.maximumResponseTokens) == [9])
        #expect(first.log.requests[0].enabledToolDefinitions.map(\.name) == ["Count"])
        #expect(second.log.requests[0].enabledToolDefinitions.isEmpty)
        #expect(second.log.requests[0].transcript.kinds == ["instructions", "prompt", "toolCalls", "toolOutput"])
        #expect(log.all == ["+first", "-first", "+second"])
    }

    @Test("The call site holds over modifiers, and inner modifiers over outer ones; custom modifiers apply")
    func precedence() async throws {
        struct Careful: LanguageModelSession.DynamicProfileModifier {
            func body(content: Content) -> some DynamicProfile { content.temperature(0.3).maximumResponseTokens(5) }
        }
        let model = ScriptedModel([.reasoning], texts: ["x"])
        let profile = LanguageModelSession.Profile { Instructions("i") }
            .temperature(0.2).modifier(Careful()).temperature(0.9).samplingMode(.greedy).reasoningLevel(.deep).model(
                model)
        let session = LanguageModelSession(profile: profile)
        try await session.respond(to: "a")
        try await session.respond(to: "a", options: GenerationOptions(temperature: 0.7))
        let requests = model.log.requests
        #expect(requests.map(\.generationOptions.temperature) == [0.2, 0.7])
        #expect(requests.map(\.generationOptions.maximumResponseTokens) == [5, 5])
        #expect(requests.allSatisfy { $0.generationOptions.samplingMode == .greedy })
        #expect(requests.allSatisfy { $0.contextOptions.reasoningLevel == .deep })
    }

    @Test("A history transform changes what is sent, and not what is kept")
    func transform() async throws {
        let model = ScriptedModel(texts: ["x"])
        let session = LanguageModelSession(
            profile: LanguageModelSession.Profile { Instructions("i") }.model(model).historyTransform { $0.suffix(3) })
        for prompt in ["1", "2", "3"] { try await session.respond(to: prompt) }
        #expect(model.log.requests.last?.transcript.kinds == ["prompt", "response", "prompt"])
        #expect(session.transcript.count == 7)
    }

    @Test("Callbacks are told of prompts, reasoning, calls, outputs and responses, in this order")
    func callbacks() async throws {
        let log = EventLog()
        let model = ScriptedModel([.toolCalling]) { round, channel in
            if round.number == 1 {
                await channel.send(.reasoning(action: .appendText("hm", tokenCount: 1)))
                await channel.send(
                    .toolCalls(action: .toolCall(id: "a", name: "Count", action: .appendArguments("{}", tokenCount: 1)))
                )
            } else {
                await channel.send(.response(action: .appendText("ok", tokenCount: 1)))
            }
        }
        let profile = LanguageModelSession.Profile { Count() }.model(model)
            .onPrompt { (prompt: Transcript.Prompt) in log.add("prompt \(prompt.segments.count)") }
            .onReasoning { log.add("reasoning") }
            .onToolCall { (call: Transcript.ToolCall) in log.add("call \(call.toolName)") }
            .onToolOutput { (call: Transcript.ToolCall, output: Transcript.ToolOutput) in
                log.add("output \(call.id == output.id)")
            }
            .onResponse { (response: Transcript.Response) in log.add("response \(response.segments.count)") }
        try await LanguageModelSession(profile: profile).respond(to: "a")
        #expect(log.all == ["prompt 1", "reasoning", "call Count", "output true", "response 1"])
    }

    @Test("Dynamic instructions are put together from conditions, loops, tools and each other")
    func instructions() throws {
        struct Guide: DynamicInstructions {
            var name: String
            var body: some DynamicInstructions { Instructions("guide \(name)") }
        }
        struct All: DynamicInstructions {
            @SessionProperty(\.city) var city
            var body: some DynamicInstructions {
                Instructions("start")
                if city != nil { Instructions("never") }
                if city == nil { Guide(name: "a") } else { Guide(name: "b") }
                ForEach(["x", "y"], id: \.self) { Guide(name: $0) }
                Count()
                [Count()] as [any Tool]
            }
        }
        let session = LanguageModelSession(
            model: ScriptedModel(texts: []), dynamicInstructions: All(), history: [.prompt(.init(segments: []))])
        guard case .instructions(let entry)? = session.transcript.first else {
            Issue.record("no instructions")
            return
        }
        #expect(entry.segments.map(\.description) == ["start\nguide a\nguide x\nguide y"])
        #expect(entry.toolDefinitions.count == 2)
        #expect(session.properties.history.count == 1)
    }

    @Test("A profile without a model uses the system model, which says that it is not here")
    func systemModel() async throws {
        #expect(SystemLanguageModel.default.availability == .unavailable(.deviceNotEligible))
        #expect(!PrivateCloudComputeLanguageModel().isAvailable)
        let session = LanguageModelSession(profile: LanguageModelSession.Profile { Instructions("i") })
        await #expect(throws: SystemLanguageModel.Error.self) { try await session.respond(to: "a") }
        await #expect(throws: SystemLanguageModel.Error.self) { try await LanguageModelSession().respond(to: "a") }
        await #expect(throws: PrivateCloudComputeLanguageModel.Error.self) {
            try await LanguageModelSession(model: PrivateCloudComputeLanguageModel()).respond(to: "a")
        }
    }

    @Test("Feedback is JSON with the transcript, the sentiment and what was wished for")
    func feedback() async throws {
        let session = LanguageModelSession(model: ScriptedModel(texts: ["x"]))
        try await session.respond(to: "a")
        let data = session.logFeedbackAttachment(
            sentiment: .negative, issues: [.init(category: .tooVerbose, explanation: "long")], desiredResponseText: "y")
        let json = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(json["sentiment"] as? String == "negative")
        #expect((json["transcript"] as? [Any])?.count == 2)
        #expect(((json["issues"] as? [[String: Any]])?.first?["category"]) as? String == "tooVerbose")
        #expect(json["desiredOutput"] != nil)
    }
}
