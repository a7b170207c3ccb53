import HearthInference
import HearthLocal
import HearthLocks
import Testing

@Suite("GenerationEvents")
struct GenerationEventsTests {
    private let request = LocalRequest(prompt: .tokens([65, 66, 67]), sampling: .greedy, limit: 500)

    @Test("When the reading task is cancelled, the last event says so with the counts")
    func cancelledReader() async throws {
        let engine = try await TinyEngine.cold()
        let events = Locked<GenerationEvents?>(nil)
        var request = request
        request.constraint = HeldReply { events.withLock { $0?.isCancelled ?? false } }
        let task = Task { [request] in
            try await engine.reply(request) { event, all in
                guard case .piece = event else { return }
                events.withLock { $0 = all }
                unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            }
        }
        let reply = try await task.value
        events.withLock { $0 = nil }
        #expect(reply.reason == .cancelled && reply.usage.output == reply.tokens.count)
        // The step in which it was held may still have given a token.
        #expect(reply.tokens.count <= 3)
    }

    @Test("When nobody is left to read, generation stops")
    func nobodyReads() async throws {
        let engine = try await TinyEngine.cold()
        let isLetGo = Locked(false)
        var request = request
        request.constraint = HeldReply { isLetGo.withLock { $0 } }
        do {
            var events = engine.generate(request).makeAsyncIterator()
            while let event = try await events.next() { if case .piece = event { break } }
        }
        isLetGo.withLock { $0 = true }
        while engine.counters.requests == 0 { try await Task.sleep(for: .milliseconds(5)) }
        #expect(engine.counters.output <= 3)
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
