import Foundation
import FoundationModels
import HearthTestKit
import Testing

@Suite("Programs on a scripted model")
@MainActor
struct ProgramsOnScriptedModelTests {
    @Test("P-19 the travel planner shows its journey as it grows, and ends with the whole of it")
    func planner() async throws {
        let whole = Itinerary(
            title: "Tango and tea", destination: "Buenos Aires", rationale: "Milongas begin late.",
            days: [
                DayPlan(
                    title: "San Telmo",
                    activities: [
                        Activity(type: .sightseeing, name: "Market", startHour: 10, note: nil),
                        Activity(type: .foodAndDining, name: "Parrilla", startHour: 21, note: "Book it."),
                    ]),
                DayPlan(
                    title: "Recoleta",
                    activities: [Activity(type: .hotelAndLodging, name: "Alvear", startHour: 15, note: nil)]),
            ])
        let json = whole.generatedContent.jsonString
        let pieces = stride(from: 0, to: json.utf8.count, by: 7).map { start in
            String(decoding: Array(json.utf8.dropFirst(start).prefix(7)), as: UTF8.self)
        }
        let model = ScriptedLanguageModel(turns: [pieces.map { .text($0) }, [.text("In spring.")]])
        let planner = TravelPlanner(model: model)
        #expect(try await planner.plan(days: 2, interests: ["tango", "tea"]) == whole)
        #expect(planner.headline == "Tango and tea")
        #expect(planner.itinerary?.days?.count == 2)
        #expect(planner.itinerary?.days?.first?.activities?.last?.note == "Book it.")
        let request = try #require(model.log.requests.first)
        #expect(request.schema?.debugDescription.contains("destination") == true)
        #expect(
            request.transcript.last?.description
                == "(Prompt) Plan a journey of 2 days.\nIt should have:\n- tango\n- tea")
        #expect(try await planner.ask("When?") == "In spring.")
    }

    @Test("P-19 the assistant looks, adds, answers and reports what a tool refused")
    func assistant() async throws {
        let model = ScriptedLanguageModel(turns: [
            [
                .toolCall(id: "1", name: "findEvents", arguments: [#"{"from": 8, "#, #""to": 11}"#]),
                .toolCall(id: "2", name: "addEvent", arguments: [#"{"title": "Run", "hour": 7}"#]),
            ],
            [.text("You have the dentist; "), .text("the run is at seven.")],
            [.toolCall(id: "3", name: "addEvent", arguments: [#"{"title": "Nap", "hour": 12}"#])],
            [.text("Hello!")],
        ])
        let assistant = ErrandAssistant(model: model)
        #expect(
            await assistant.handle("A run at seven, and what else?") == "You have the dentist; the run is at seven.")
        #expect(
            assistant.steps == [
                #"called findEvents with {"from":8,"to":11}"#, #"called addEvent with {"title":"Run","hour":7}"#,
                "findEvents gave 9:00 Dentist", "addEvent gave Added Run at 7:00",
            ])
        #expect(await assistant.calendar.events.last == .init(title: "Run", hour: 7))
        #expect(await assistant.handle("A nap at noon.") == "addEvent failed: 12:00 is taken by Lunch with Ada.")
        #expect(try await assistant.chat("Hi") == "Hello!")
        #expect(model.log.requests.last?.enabledToolDefinitions.isEmpty == true)
    }

    @Test("P-19 the classifier gives cases of its enumeration, several at a time")
    func classifier() async throws {
        let model = ScriptedLanguageModel { turn in
            let message = turn.request.transcript.last?.description ?? ""
            let topic = message.contains("love") ? "praise" : message.contains("charged") ? "billing" : "crash"
            switch turn.request.schema?.debugDescription.contains("urgency") {
            case true?: return [.text(#"{"topic": "\#(topic)", "urgency": 4, "#), .text(#""reason": "Money"}"#)]
            case false?: return [.text("\""), .text(topic), .text("\"")]
            case nil: return [.text("They want their money back.")]
            }
        }
        let classifier = FeedbackClassifier(model: model)
        #expect(try await classifier.topic(of: "I love it") == .praise)
        let verdict = try await classifier.verdict(on: "You charged me twice")
        #expect(verdict.topic == .billing && verdict.urgency == 4 && verdict.reason == "Money")
        #expect(
            try await classifier.histogram(
                of: ["I love it", "It charged me", "It stops", "Love"].map { $0.lowercased() })
                == [.praise: 2, .billing: 1, .crash: 1])
        #expect(try await classifier.summary(of: ["a", "b"]) == "They want their money back.")
    }
}
