import HearthInference
import HearthLocal
import HearthTestSupport
import HearthTokens
import Testing

/// Limits of time: run alone, one after the other.
@Suite("Timed engines", .serialized)
struct TimedEngineTests {
    @Test("Two long requests at once leave an unrelated task waiting for at most 20 ms")
    func unrelatedTask() async throws {
        let file = Store.has(Store.defaultModel) ? Store.defaultModel : TinyEngine.file
        let engine = try await LocalEngine.load(file: file, options: ModelOptions(context: 512), table: EngineTable())
        let text = String(repeating: "The sky is blue because of the air. ", count: 40)
        let requests = [("user", text), ("user", "Say: " + text)].map { turn in
            LocalRequest(prompt: TinyEngine.messages(turn), sampling: .greedy)
        }
        let work = Task {
            try await withThrowingTaskGroup(of: Reply.self) { group in
                for request in requests { group.addTask { try await engine.reply(request) } }
                for try await _ in group {}
            }
        }
        // The best of five rounds: the machine may be busy with other things.
        var rounds: [Duration] = []
        for _ in 0..<5 {
            var longest = Duration.zero
            for _ in 0..<20 {
                let start = ContinuousClock.now
                await Task.detached {}.value
                longest = max(longest, .now - start)
                try await Task.sleep(for: .milliseconds(2))
            }
            rounds.append(longest)
        }
        #expect(engine.counters.requests < 2, "the requests were over before the measurement")
        work.cancel()
        try await work.value
        #expect(rounds.min()! < .milliseconds(20), "\(rounds)")
    }
}
