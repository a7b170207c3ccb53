import HearthInference
import HearthTestSupport
import HearthTokens
import Testing

/// What one request leaves for the next one.
@Suite struct SequenceReuseTests {
    /// A reply with its counts, greedy.
    func reply(_ generator: Generator, _ prompt: [Token], limit: Int = 8) async throws -> GenerationReport {
        try await generator.generate(GenerationRequest(prompt: prompt, sampling: .greedy, limit: limit))
    }

    func cold(_ prompt: [Token], limit: Int = 8) async throws -> [Token] {
        try await reply(Generator.fixture("llama-f32"), prompt, limit: limit).tokens
    }

    @Test("T-35 a prompt that is cached as a whole evaluates its last token only")
    func wholePromptCached() async throws {
        let generator = try await Generator.fixture("llama-f32")
        let prompt = tokens(12, seed: 1)
        let first = try await reply(generator, prompt)
        let second = try await reply(generator, prompt)
        #expect((first.input, first.cached, first.evaluated) == (12, 0, 12))
        #expect((second.input, second.cached, second.evaluated) == (12, 11, 1))
        #expect(second.tokens == first.tokens)
    }

    @Test("T-36 a prompt shorter than the cache reads nothing behind its end")
    func shorterPrompt() async throws {
        let generator = try await Generator.fixture("llama-f32")
        let prompt = tokens(5, seed: 2)
        _ = try await reply(generator, prompt)
        let shorter = Array(prompt.prefix(3))
        let report = try await reply(generator, shorter)
        #expect((report.cached, report.evaluated) == (2, 1))
        #expect(report.tokens == (try await cold(shorter)))
    }

    @Test("T-39 reuse ends at the last token that two prompts share, and is reported as it is")
    func changedHistory() async throws {
        let generator = try await Generator.fixture("llama-f32")
        let turn = tokens(20, seed: 4)
        let first = try await reply(generator, turn, limit: 6)
        // The history keeps the prompt and the last two tokens of the reply: the thoughts between them are gone.
        let next = turn + first.tokens.suffix(2) + tokens(5, seed: 5)
        let shared = zip(turn + first.tokens, next).prefix { $0 == $1 }.count
        let second = try await reply(generator, next)
        #expect(second.cached == shared)
        #expect(second.evaluated == next.count - shared)
        #expect(second.tokens == (try await cold(next)))
    }

    @Test("the reply's tokens are reused too, but for the last, which was never evaluated")
    func replyIsReused() async throws {
        let generator = try await Generator.fixture("llama-f32")
        let prompt = tokens(10, seed: 6)
        let first = try await reply(generator, prompt, limit: 7)
        let second = try await reply(generator, prompt + first.tokens + tokens(3, seed: 7))
        #expect(second.cached == 10 + 6)
    }

    @Test("a short common start is copied, and the longer conversation stays cached")
    func copiedStart() async throws {
        let generator = try await Generator.fixture("llama-f32")
        let shared = tokens(130, seed: 8)
        let long = shared + tokens(150, seed: 9)
        _ = try await reply(generator, long, limit: 1)
        let other = shared + tokens(4, seed: 10)
        let branched = try await reply(generator, other)
        #expect(branched.cached == 130)
        #expect(branched.tokens == (try await cold(other)))
        #expect(try await reply(generator, long, limit: 1).cached == long.count - 1)
    }

    @Test("the most recent four conversations are kept")
    func capacity() async throws {
        let generator = try await Generator.fixture("llama-f32")
        let prompts = (0..<5).map { [Token($0)] + tokens(9, seed: 20 + $0) }
        for prompt in prompts { _ = try await reply(generator, prompt, limit: 1) }
        #expect(try await reply(generator, prompts[4], limit: 1).cached == 9)
        #expect(try await reply(generator, prompts[1], limit: 1).cached == 9)
        #expect(try await reply(generator, prompts[0], limit: 1).cached == 0)
        await generator.removeCache()
        #expect(try await reply(generator, prompts[4], limit: 1).cached == 0)
    }

    @Test("T-40 a window that has turned over: a prompt that shares 15 of 20 tokens equals a cold run", arguments: ["gemma2-f32", "gemma3-f32", "gpt-oss-f32"])
    func window(name: String) async throws {
        // All have a window of 8.
        let generator = try await Generator.fixture(name)
        let first = tokens(20, seed: 11)
        _ = try await reply(generator, first)
        let second = Array(first.prefix(15)) + tokens(4, seed: 12)
        let warm = try await reply(generator, second)
        #expect(warm.cached == 15)
        #expect(warm.evaluated == 4)
        #expect(warm.tokens == (try await reply(Generator.fixture(name), second).tokens))
    }

    // Short convolutions are set aside every 32 positions.

    @Test("T-40 short convolutions go back to where they were set aside, and what follows is evaluated again")
    func convolutionsGoBack() async throws {
        let generator = try await Generator.fixture("lfm2-f32")
        let first = tokens(80, seed: 13)
        _ = try await reply(generator, first)
        for (shared, cached) in [(75, 64), (64, 64), (63, 32), (40, 32), (20, 0)] {
            let prompt = Array(first.prefix(shared)) + tokens(4, seed: 14 + shared)
            let warm = try await reply(generator, prompt)
            #expect((warm.cached, warm.evaluated) == (cached, prompt.count - cached), "\(shared) shared")
            #expect(warm.tokens == (try await reply(Generator.fixture("lfm2-f32"), prompt).tokens), "\(shared) shared")
            _ = try await reply(generator, first)
        }
    }

    @Test("a conversation that goes on from its end evaluates what is new only, with short convolutions too")
    func convolutionsGoOn() async throws {
        let generator = try await Generator.fixture("lfm2-f32")
        let first = tokens(37, seed: 15)
        let one = try await reply(generator, first, limit: 5)
        let next = first + one.tokens.dropLast() + tokens(6, seed: 16)
        let two = try await reply(generator, next)
        #expect((two.cached, two.evaluated) == (41, 6))
        #expect(two.tokens == (try await reply(Generator.fixture("lfm2-f32"), next).tokens))
    }

    @Test("a copied start takes the short convolutions' state along, and leaves the other conversation its own")
    func convolutionsCopied() async throws {
        let generator = try await Generator.fixture("lfm2-f32")
        let shared = tokens(70, seed: 17)
        let long = shared + tokens(90, seed: 18)
        _ = try await reply(generator, long, limit: 1)
        let other = shared + tokens(4, seed: 19)
        let branched = try await reply(generator, other)
        #expect(branched.cached == 64)
        #expect(branched.tokens == (try await reply(Generator.fixture("lfm2-f32"), other).tokens))
        let longer = long + tokens(3, seed: 20)
        let back = try await reply(generator, longer)
        #expect(back.cached == long.count)
        #expect(back.tokens == (try await reply(Generator.fixture("lfm2-f32"), longer).tokens))
    }
}
