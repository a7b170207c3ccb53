import Foundation
import FoundationModels
import HearthTestKit
import Testing

@testable import LighthouseModels

@Suite struct ExecutorIntegrationTests {
    struct Weather: Tool {
        let name = "weather"
        let description = "The weather in a city"
        @Generable struct Arguments { let city: String }
        func call(arguments: Arguments) async throws -> String { "Rain in \(arguments.city)" }
    }

    @Test func `the package passes the conformance kit`() async {
        let report = await Conformance(variants: ["another key": { .stub(key: "sk-other") }]) {
            LighthouseLanguageModel.stub()
        }.run()
        #expect(report.isClean, "\(report)")
        #expect(report.probes.count == 8)
    }

    @Test func `streamed text deltas assemble into a complete response`() async throws {
        let model = LighthouseLanguageModel.stub([
            #"{"type": "text", "text": "Hello"}"#, #"{"type": "text", "text": ", world!"}"#, #"{"type": "done"}"#,
        ])
        let response = try await LanguageModelSession(model: model).respond(to: "anything")
        #expect(response.content == "Hello, world!")
    }

    @Test func `reasoning, text and a tool call interleave into three entries`() async throws {
        let model = LighthouseLanguageModel.stub([
            #"{"type": "thought", "text": "They ask."}"#, #"{"type": "tool_start", "id": "1", "name": "weather"}"#,
            #"{"type": "text", "text": "Looking."}"#,
            #"{"type": "tool_arguments", "id": "1", "text": "{\"city\": 7}"}"#,
        ])
        let session = LanguageModelSession(model: model, tools: [Weather()])
        session.transcriptErrorHandlingPolicy = .preserveTranscript
        await #expect(throws: LanguageModelSession.ToolCallError.self) { try await session.respond(to: "Oslo?") }
        let kinds = session.transcript.dropFirst(2).map { $0.description.prefix(6) }
        // The metadata, which is sent first, began the response.
        #expect(kinds == ["(Respo", "(Reaso", "(Tool "])
    }

    @Test func `a cancelled request ends soon`() async throws {
        let lines = Array(repeating: #"{"type": "text", "text": "a"}"#, count: 1000)
        let session = LanguageModelSession(model: LighthouseLanguageModel.stub(lines, pause: .milliseconds(20)))
        let task = Task { try await session.respond(to: "a").content }
        try await Task.sleep(for: .milliseconds(60))
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test(arguments: ["429", "context_length", "unsafe", "declined", "plan", "strange"])
    func `errors of the service become the framework's, or the package's own`(code: String) async throws {
        let model = LighthouseLanguageModel.stub([#"{"type": "error", "code": "\#(code)", "message": "no"}"#])
        let error = await #expect(throws: (any Error).self) {
            try await LanguageModelSession(model: model).respond(to: "a")
        }
        switch (code, error) {
        case ("429", LanguageModelError.rateLimited(let payload)?): #expect(payload.debugDescription == "no")
        case ("context_length", LanguageModelError.contextSizeExceeded?),
            ("unsafe", LanguageModelError.guardrailViolation?),
            ("declined", LanguageModelError.refusal?):
            break
        case ("plan", let own as LighthouseError): #expect(own.errorDescription?.contains("plans") == true)
        case ("strange", let own as LighthouseError): #expect(own == .service(code: "strange", message: "no"))
        default: Issue.record("\(code): \(String(describing: error))")
        }
    }

    @Test func `the user signs in once, and a model without a name is refused`() async throws {
        await OAuthSession.shared.setFlow { "token" }
        let url = URL(string: "https://lighthouse.example")!
        let model = LighthouseLanguageModel(name: "beam-1", baseURL: url, client: StubbedService())
        await #expect(throws: OAuthSession.Failure.notSignedIn) {
            try await LanguageModelSession(model: model).respond(to: "a")
        }
        try await model.authenticateIfNeeded()
        try await model.authenticateIfNeeded()
        #expect(try await LanguageModelSession(model: model).respond(to: "a").content == "Red.")
        let nameless = LighthouseLanguageModel(name: "", apiKey: "k", baseURL: url, client: StubbedService())
        await #expect(throws: LighthouseError.noModelName) {
            try await LanguageModelSession(model: nameless).respond(to: "a")
        }
    }
}
