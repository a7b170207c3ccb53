import FoundationModels
import HearthTestKit
import Testing

@Suite("Event audit")
struct EventAuditTests {
    private func findings(
        _ events: [LanguageModelExecutorGenerationChannel.Event], tools: [String]? = nil,
        transcript: Transcript = Transcript()
    ) -> [String] {
        var audit = EventAudit(enabledTools: tools, transcript: transcript)
        for event in events { audit.take(event) }
        return audit.finish().map(\.description)
    }

    @Test("What is right is not reported: replaced text, retracted calls, interleaved calls, exchanged attachments")
    func right() {
        let image = PlantedFault.image("i")
        #expect(
            findings(
                [
                    PlantedFault.text("Teh sky is so", segment: "s"),
                    .response(
                        entryID: "r", action: .replaceTextSegment("The sky is so", segmentID: "s", tokenCount: 2)),
                    PlantedFault.text(" blue", segment: "s"), PlantedFault.text("no"), PlantedFault.text("no no"),
                    .response(entryID: "r", action: .addAttachmentSegment(image)),
                    .response(entryID: "r", action: .removeAttachmentSegment(id: "i")),
                    .response(entryID: "r", action: .addAttachmentSegment(image)),
                    PlantedFault.tag("1", ["tag": "t"]), PlantedFault.call("1", "weather", "{"),
                    PlantedFault.call("2", "weather", "{\"ci"), PlantedFault.call("1", "weather", "} "),
                    .toolCalls(entryID: "c", action: .removeToolCall(id: "2")), PlantedFault.call("3", "weather", ""),
                    PlantedFault.tag("1", ["tag": "u", "more": 1]),
                    PlantedFault.thought("t"), PlantedFault.text("."), PlantedFault.thought("t"),
                    PlantedFault.usage(10, 2, 0), PlantedFault.text("x"), PlantedFault.usage(10, 2, 20, 1),
                ], tools: ["weather"]) == [])
    }

    @Test("Findings say which event it was")
    func place() {
        #expect(
            findings([PlantedFault.text("a"), PlantedFault.call("1", "clock", "{}")], tools: ["weather"]) == [
                "toolCallWithoutName (event 1): The model called 'clock'; the request enables 'weather'."
            ])
        #expect(
            findings([PlantedFault.call("1", "clock", "{}")], tools: []) == [
                "toolCallWithoutName (event 0): The model called 'clock'; the request enables no tools."
            ])
    }

    @Test("An entry of the request is not written to again")
    func earlierEntry() {
        let response = Transcript.Response(id: "r", assetIDs: [], segments: [])
        #expect(
            findings(
                [PlantedFault.text("a"), PlantedFault.text("b")], transcript: Transcript(entries: [.response(response)])
            ) == [
                "entryIDReused (event 0): The entry id 'r' is that of an entry of the request. Make a new id for every answer."
            ])
    }
}
