import Foundation
import FoundationModels
import HearthTestKit
import Testing

@testable import LighthouseModels

@Suite struct EventTranslatorTests {
    @Test func `text delta becomes appendText event`() async throws {
        let sink = RecordingChannel()
        var translator = LighthouseEventTranslator(sink: sink)
        try await translator.translate(.text("Hi"))
        #expect(sink.events.count == 1)
        guard case .response(let response) = sink.events[0].kind else {
            Issue.record("\(sink.events[0])")
            return
        }
        #expect(response.entryID == translator.responseEntryID)
    }

    @Test func `every event of a call carries its name, and the audit finds nothing`() async throws {
        let sink = RecordingChannel()
        var translator = LighthouseEventTranslator(sink: sink)
        for event: LighthouseEvent in [
            .thought("Hm."), .thoughtSignature(Data([0xFF])), .toolStart(id: "1", name: "weather"),
            .toolStart(id: "2", name: "clock"), .toolArguments(id: "1", "{"), .toolArguments(id: "2", "{"),
            .toolArguments(id: "1", "}"), .toolRetracted(id: "2"), .usage(input: 9, cached: 1, output: 5, thought: 1),
            .done,
        ] { try await translator.translate(event) }
        var audit = EventAudit(enabledTools: ["weather", "clock"])
        for event in sink.events { audit.take(event) }
        #expect(audit.finish().isEmpty)
        #expect(sink.events.count == 9)
    }
}
