import Foundation
import FoundationModels
import FoundationModelsExtras
import HearthInference
import HearthLocal
import Testing

@Suite("EventTranslator")
struct EventTranslatorTests {
    @Test(
        "R-01 E-11 K-04 Metadata and usage come first, then text, then final usage and the whole metadata, all in one entry")
    func order() throws {
        let id = UUID()
        var translator = EventTranslator(modelID: "m", requestID: id)
        var usage = TokenUsage()
        usage.input = 10
        usage.cached = 4
        usage.output = 3
        var timing = GenerationTiming()
        timing.timeToFirstToken = .milliseconds(250)
        timing.decode = .seconds(1)
        let engine: [GenerationEvent] = [
            .started(input: 10, cached: 4),
            .piece(1, bytes: [65], text: "A", logProbability: -1, phase: .response),
            .piece(2, bytes: [66], text: "", logProbability: -1, phase: .response),
            .rest(text: "B", phase: .response),
            .finished(.length, seed: .max, usage: usage, timing: timing),
        ]
        let events = engine.flatMap { translator.events(for: $0) }
        #expect(Set(events.map(\.entryID)).count == 1)
        var seen: [String] = []
        for event in events {
            switch event.content {
            case .updateMetadata(let metadata): seen.append(metadata.values.keys.sorted().joined(separator: " "))
            case .updateUsage(let usage):
                seen.append(
                    "\(usage.input.totalTokenCount)/\(usage.input.cachedTokenCount)/\(usage.output.totalTokenCount)")
            case .appendText(let fragment): seen.append("\(fragment.content):\(fragment.tokenCount)")
            default: Issue.record("\(event)")
            }
        }
        #expect(
            seen == [
                "modelID requestID", "10/4/0", "A:1", ":1", "B:0", "10/4/3",
                "cutBy finishReason modelID requestID seed timeToFirstToken tokensPerSecond",
            ])
        guard case .updateMetadata(let last)? = events.last?.content else { return }
        #expect(try last.values["finishReason"]?.value(String.self) == "length")
        #expect(try last.values["cutBy"]?.value(String.self) == "max_tokens")
        #expect(try last.values["seed"]?.value(String.self) == "18446744073709551615")
        #expect(try last.values["tokensPerSecond"]?.value(Double.self) == 2)
        #expect(try last.values["timeToFirstToken"]?.value(Double.self) == 0.25)
        #expect(try last.values["requestID"]?.value(String.self) == id.uuidString)
    }
}
