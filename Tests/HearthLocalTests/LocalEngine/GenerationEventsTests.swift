import HearthInference
import HearthLocal
import Testing

@Suite("GenerationEvents")
struct GenerationEventsTests {
    private let request = LocalRequest(prompt: .tokens([65, 66, 67]), sampling: .greedy, limit: 500)

    @Test("When the reading task is cancelled, the last event says so with the counts")
    func cancelledReader() async throws {
        let engine = try await TinyEngine.cold()
        let task = Task {
            try await engine.reply(request) { event, _ in
                if case .piece = event { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
            }
        }
        let reply = try await task.value
        #expect(reply.reason == .cancelled && reply.usage.output == reply.tokens.count)
        #expect(reply.tokens.count < 500)
    }

    @Test("When nobody is left to read, generation stops")
    func nobodyReads() async throws {
        let engine = try await TinyEngine.cold()
        do {
            var events = engine.generate(request).makeAsyncIterator()
            while let event = try await events.next() { if case .piece = event { break } }
        }
        while engine.counters.requests == 0 { try await Task.sleep(for: .milliseconds(5)) }
        #expect(engine.counters.output < 500)
    }

    @Test("Events wait for a slow reader; none is lost")
    func slowReader() async throws {
        let engine = try await TinyEngine.cold()
        let events = engine.generate(LocalRequest(prompt: .tokens([65]), sampling: .greedy, limit: 30))
        while engine.counters.requests == 0 { try await Task.sleep(for: .milliseconds(5)) }
        var pieces = 0
        var last: FinishReason?
        for try await event in events {
            if case .piece = event { pieces += 1 }
            if case .finished(let reason, _, _, _) = event { last = reason }
        }
        #expect(pieces == 30 && last == .length)
    }

    @Test("An error comes once, after the events before it")
    func errors() async throws {
        let engine = try await TinyEngine.cold()
        var events = engine.generate(LocalRequest(prompt: .tokens([]))).makeAsyncIterator()
        await #expect(throws: LocalEngineError.emptyPrompt) { try await events.next() }
        #expect(try await events.next() == nil)
    }
}
