import Foundation
import FoundationModels
import HearthChat
import HearthLocks
import HearthTestKit
import Observation
import Testing

@Suite("Inference coordinator")
@MainActor
struct InferenceCoordinatorTests {
    @Test("D-08 D-09 D-17 a prompt is answered piece by piece, and another model takes over by one line")
    func swap() async throws {
        let coordinator = InferenceCoordinator(
            defaultModel: FrameworkChatModel(ScriptedLanguageModel(texts: ["It ", "is."])))
        #expect(!coordinator.isGenerating && coordinator.outputText.isEmpty)
        await coordinator.executePrompt("Is it?")
        #expect(coordinator.outputText == "It is.")
        #expect(!coordinator.isGenerating)
        let echo = EchoChat()
        coordinator.setModel(echo)
        await coordinator.executePrompt("Is it?")
        #expect(coordinator.outputText == "echo: Is it?")
        let asked = try #require(echo.asked.withLock { $0.first })
        #expect(asked.messages.map(\.role) == [.system, .user])
        #expect(asked.configuration == .init(temperature: 0.5, maxTokens: 500))
    }

    @Test("D-10 observers are told of the text and of the state, as views are")
    func observation() async throws {
        let coordinator = InferenceCoordinator(defaultModel: EchoChat())
        let texts = Witness()
        let states = Witness()
        withObservationTracking {
            _ = coordinator.outputText
        } onChange: {
            texts.note()
        }
        withObservationTracking {
            _ = coordinator.isGenerating
        } onChange: {
            states.note()
        }
        await coordinator.executePrompt("a")
        #expect(texts.count == 1)
        #expect(states.count == 1)
    }

    @Test("D-09 an error is shown, and nothing goes on")
    func failure() async {
        let model = ScriptedLanguageModel(turns: [
            [.text("Be"), .failure(LanguageModelError.timeout(.init(debugDescription: "30 s")))]
        ])
        let coordinator = InferenceCoordinator(defaultModel: FrameworkChatModel(model))
        await coordinator.executePrompt("a")
        #expect(coordinator.outputText.hasPrefix("Inference Error: "))
        #expect(!coordinator.isGenerating)
    }

    @Test("D-09 a cancelled prompt keeps its text and ends; one that was replaced falls silent")
    func cancelled() async throws {
        let model = ScriptedLanguageModel { _ in [.text("Be"), .text("fore"), .pause(.seconds(60)), .text("after")] }
        let coordinator = InferenceCoordinator(defaultModel: FrameworkChatModel(model))
        let task = Task { await coordinator.executePrompt("a") }
        for _ in 0..<2000 where coordinator.outputText != "Before" { try await Task.sleep(for: .milliseconds(1)) }
        #expect(coordinator.isGenerating)
        task.cancel()
        await task.value
        #expect(!coordinator.isGenerating)
        #expect(coordinator.outputText == "Before")

        let first = Task { await coordinator.executePrompt("b") }
        for _ in 0..<2000 where coordinator.outputText != "Before" || !coordinator.isGenerating {
            try await Task.sleep(for: .milliseconds(1))
        }
        coordinator.setModel(EchoChat())
        await coordinator.executePrompt("c")
        #expect(coordinator.outputText == "echo: c")
        first.cancel()
        await first.value
        #expect(coordinator.outputText == "echo: c")
        #expect(!coordinator.isGenerating)
    }
}
