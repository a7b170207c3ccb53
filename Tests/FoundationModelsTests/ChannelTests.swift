import Foundation
import FoundationModels
import FoundationModelsExtras
import HearthLocks
import Testing

@Suite("Channel")
struct ChannelTests {
    private func text(_ text: String) -> LanguageModelExecutorGenerationChannel.Event {
        .response(entryID: "e", action: .appendText(text, tokenCount: 1))
    }

    @Test("Events come out in order, and can be read back")
    func order() async throws {
        let channel = LanguageModelExecutorGenerationChannel()
        let sender = Task {
            for index in 0..<100 { await channel.send(text("\(index)")) }
            channel.finish()
        }
        var seen: [String] = []
        for try await event in channel {
            #expect(event.entryID == "e")
            if case .appendText(let fragment) = event.content { seen.append(fragment.content) }
        }
        await sender.value
        #expect(seen == (0..<100).map(String.init))
    }

    @Test("A sender waits while nobody reads, and goes on when cancelled")
    func backPressure() async throws {
        let channel = LanguageModelExecutorGenerationChannel()
        let sent = Locked(0)
        let sender = Task {
            for index in 0..<50 {
                await channel.send(text("\(index)"))
                sent.withLock { $0 += 1 }
            }
        }
        try await Task.sleep(for: .milliseconds(50))
        #expect(sent.withLock { $0 } < 10)
        sender.cancel()
        await sender.value
        #expect(sent.withLock { $0 } == 50)
    }

    @Test("Cancelling the reading task ends the loop of a channel that nobody finishes")
    func cancelledReader() async throws {
        let channel = LanguageModelExecutorGenerationChannel()
        let reader = Task { for try await _ in channel {} }
        try await Task.sleep(for: .milliseconds(10))
        reader.cancel()
        try await reader.value
    }

    @Test("An error comes after the events before it; what is sent later goes nowhere")
    func failure() async throws {
        let channel = LanguageModelExecutorGenerationChannel()
        await channel.send(text("a"))
        channel.fail(URLError(.timedOut))
        await channel.send(text("b"))
        var count = 0
        await #expect(throws: URLError.self) { for try await _ in channel { count += 1 } }
        #expect(count == 1)
    }
}
