import Foundation
import FoundationModels
import HearthLocal
import HearthTestSupport
import Testing

@Suite("Programs on a local model")
@MainActor
struct ProgramsOnLocalModelTests {
    /// The same programs; only the line that names the model differs.
    private let model = LocalLanguageModel(at: Store.defaultModel)

    private func missing(_ body: () async throws -> Void) async throws -> LanguageModelCapabilities.Capability {
        let error = await #expect(throws: LanguageModelError.self) { try await body() }
        guard case .unsupportedCapability(let payload)? = error else {
            throw try #require(error)
        }
        return payload.capability
    }

    @Test("P-13 what the model cannot do ends with the capability's name, before the file is touched")
    func unsupported() async throws {
        let planner = TravelPlanner(model: model)
        #expect(try await missing { _ = try await planner.plan(days: 2, interests: []) } == .guidedGeneration)
        let classifier = FeedbackClassifier(model: model)
        #expect(try await missing { _ = try await classifier.topic(of: "I love it") } == .guidedGeneration)
        #expect(try await missing { _ = try await classifier.verdict(on: "I love it") } == .guidedGeneration)
        #expect(await ErrandAssistant(model: model).handle("A run at seven.") == "This model cannot use the calendar.")
    }

    @Test(
        "P-19 the plain-text turn of each program is answered by the model of the store",
        .enabled(if: Store.has(Store.defaultModel), "run make test to fetch the default model"))
    func answers() async throws {
        #expect(try await !TravelPlanner(model: model).ask("Name a city in Portugal.").isEmpty)
        #expect(try await !ErrandAssistant(model: model).chat("Say hello.").isEmpty)
        #expect(try await !FeedbackClassifier(model: model).summary(of: ["It stops when I open it."]).isEmpty)
    }
}
