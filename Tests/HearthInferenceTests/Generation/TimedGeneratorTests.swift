import HearthInference
import HearthTestSupport
import Testing

/// What is measured against a clock, run alone.
@Suite("Timed generators", .serialized)
struct TimedGeneratorTests {
    /// Timed, so the best of five: others may hold the processor once.
    @Test("an unrelated task is served within 20 ms while two long requests are computed")
    func unrelatedTask() async throws {
        let generator = try await Generator.fixture("quant-q4_1", .plain.with { $0.threads = 2 })
        var longest: [Duration] = []
        while longest.count < 5, longest.last.map({ $0 > .milliseconds(20) }) ?? true {
            let done = Notes<Int>()
            async let gap = Self.longestGap { done.all.count == 2 }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for caller in 0..<2 {
                    group.addTask {
                        _ = try await generator.score(tokens(150, seed: 70 + caller), batch: 64)
                        done.add(caller)
                    }
                }
                try await group.waitForAll()
            }
            longest.append(await gap)
        }
        #expect(longest.last! <= .milliseconds(20), "\(longest)")
    }

    /// The longest time that a task waits to be served again.
    @concurrent static func longestGap(until isDone: @Sendable () -> Bool) async -> Duration {
        var longest = Duration.zero
        var last = ContinuousClock.now
        while !isDone() {
            await Task.yield()
            let now = ContinuousClock.now
            longest = max(longest, now - last)
            last = now
        }
        return longest
    }
}
