import Foundation
import FoundationModels
import Observation

// A program as its author writes it for Apple's platforms: nothing in this file knows where it runs.

@Generable(description: "A journey of several days")
struct Itinerary: Equatable {
    @Guide(description: "A name that makes one want to go")
    let title: String
    @Guide(.anyOf(["Buenos Aires", "Lisbon", "Kyoto"]))
    let destination: String
    let rationale: String
    @Guide(description: "One entry for each day", .count(2))
    let days: [DayPlan]
}

@Generable
struct DayPlan: Equatable {
    let title: String
    @Guide(.minimumCount(1), .maximumCount(3))
    let activities: [Activity]
}

@Generable
struct Activity: Equatable {
    let type: Kind
    let name: String
    @Guide(.range(0...24))
    let startHour: Int
    let note: String?

    @Generable
    enum Kind: String, CaseIterable {
        case sightseeing
        case foodAndDining
        case hotelAndLodging
    }
}

@MainActor
@Observable
final class TravelPlanner {
    private(set) var itinerary: Itinerary.PartiallyGenerated?
    private(set) var headline = ""
    private let session: LanguageModelSession

    init(model: some LanguageModel) {
        session = LanguageModelSession(model: model) {
            "You plan journeys that can be walked."
            "Each day has a morning and an evening."
            Itinerary.example
        }
    }

    /// Fills `itinerary` as it is generated, and gives back the finished one.
    func plan(days: Int, interests: [String]) async throws -> Itinerary {
        let stream = session.streamResponse(generating: Itinerary.self, options: GenerationOptions(sampling: .greedy)) {
            "Plan a journey of \(days) days."
            if !interests.isEmpty {
                "It should have:"
                for interest in interests { "- \(interest)" }
            }
        }
        for try await snapshot in stream {
            itinerary = snapshot.content
            if let title = snapshot.content.title, title != headline { headline = title }
        }
        return try await stream.collect().content
    }

    func ask(_ question: String) async throws -> String {
        try await session.respond(to: question, options: GenerationOptions(maximumResponseTokens: 24)).content
    }
}

extension Itinerary {
    static let example = Itinerary(
        title: "Two days of tiles", destination: "Lisbon", rationale: "It is walked in two days.",
        days: [
            DayPlan(
                title: "Alfama",
                activities: [Activity(type: .sightseeing, name: "Castle", startHour: 10, note: "Go early.")])
        ])
}
