import Foundation
import HearthInference
import HearthLocal
import HearthTestSupport
import HearthTokenizers
import HearthTokens
import Testing

@Suite("Conversations of an engine")
struct ConversationTests {
    @Test("A second turn evaluates only what is new")
    func secondTurn() async throws {
        let engine = try await TinyEngine.cold()
        let first = try await engine.reply(
            LocalRequest(prompt: TinyEngine.messages(("user", "one")), sampling: .greedy, limit: 6))
        let before = engine.counters
        let prompt = TinyEngine.messages(("user", "one"), ("assistant", first.text), ("user", "two"))
        let second = try await engine.reply(LocalRequest(prompt: prompt, sampling: .greedy, limit: 6))
        #expect(second.cached >= first.input)
        #expect(second.usage.evaluated == second.input - second.cached)
        #expect(engine.counters.evaluated - before.evaluated == second.usage.evaluated)
        let cold = try await TinyEngine.cold()
        #expect(
            try await cold.reply(
                LocalRequest(prompt: .tokens(try await engine.tokens(of: prompt)), sampling: .greedy, limit: 6))
                == second)
    }

    @Test("The tokens of a reply are those of the next turn, also where encoding its text gives others")
    func sampledTokens() async throws {
        let engine = try await TinyEngine.cold()
        let tokenizer = try await engine.tokenizer()
        let letters = try "he".utf8.map { try #require(tokenizer.vocabulary.token(of: [$0])) }
        #expect(try tokenizer.encode("he".utf8, control: .asText) != letters, "the vocabulary has a piece for both")
        let first = try await engine.scripted(letters, after: TinyEngine.messages(("user", "say he")))
        #expect(first.text == "he")
        let start = try await engine.tokens(of: TinyEngine.messages(("user", "say he")))
        let next = TinyEngine.messages(("user", "say he"), ("assistant", "he"), ("user", "again"))
        let tokens = try await engine.tokens(of: next)
        #expect(Array(tokens.prefix(start.count + 2)) == start + letters)
        // An engine that did not make the reply encodes it as any text.
        #expect(try await TinyEngine.cold().tokens(of: next).count == tokens.count - 1)
        let second = try await engine.reply(LocalRequest(prompt: next, sampling: .greedy, limit: 2))
        #expect(
            second.cached == start.count + 1, "all but the reply's last token, which nothing had to be evaluated behind"
        )
    }

    @Test("T-39 thoughts that the template drops are no part of the reused prefix, and the reply equals a cold run")
    func droppedThoughts() async throws {
        let engine = try await TinyEngine.cold()
        let tokenizer = try await engine.tokenizer()
        let ask = ("user", "hello")
        let start = try await engine.tokens(of: TinyEngine.messages(ask))
        let first = try await engine.scripted(
            try tokenizer.encode("<think>x</think>Hi".utf8, control: .asText), after: TinyEngine.messages(ask))
        #expect(first.text == "<think>x</think>Hi")

        let next = TinyEngine.messages(ask, ("assistant", "Hi"), ("user", "more"))
        let tokens = try await engine.tokens(of: next)
        let kept = start + first.tokens
        let shared = zip(tokens, kept).prefix { $0 == $1 }.count
        #expect(shared >= start.count && shared < tokens.count - 1)
        let warm = try await engine.reply(LocalRequest(prompt: next, sampling: .greedy, limit: 10))
        #expect(warm.cached == shared && warm.usage.evaluated == tokens.count - shared)
        let cold = try await TinyEngine.cold().reply(LocalRequest(prompt: next, sampling: .greedy, limit: 10))
        #expect(warm == cold && cold.cached == 0)
    }

    @Test("T-37 a reply cancelled at any step leaves a cache from which every reply equals a cold run")
    func cancelled() async throws {
        let engine = try await TinyEngine.cold()
        let prompt: [Token] = [65, 66, 67, 68, 69]
        let longer = prompt + [70, 71, 72]
        func request(_ tokens: [Token]) -> LocalRequest {
            LocalRequest(prompt: .tokens(tokens), sampling: .greedy, limit: 12)
        }
        let cold = try await TinyEngine.cold().reply(request(prompt))
        let coldLonger = try await TinyEngine.cold().reply(request(longer))
        var random = SplitMix(state: 37)
        var cancelled = 0
        for round in 0..<100 {
            let step = Int(random.next() % 12)
            let cut = try await engine.reply(
                LocalRequest(prompt: .tokens(prompt), sampling: .greedy, limit: 50)
            ) { event, events in
                switch event {
                case .started where step == 0: events.cancel()
                case .piece(let token, _, _, _, _) where token == cold.tokens[step]: events.cancel()
                default: break
                }
            }
            // The tiny model may be done before the reader's cancel arrives: then this round cut nothing.
            if cut.reason == .cancelled {
                cancelled += 1
                #expect(cut.tokens.count < 50, "round \(round), step \(step)")
            }
            #expect(try await engine.reply(request(prompt)) == cold, "round \(round), step \(step)")
            #expect(try await engine.reply(request(longer)) == coldLonger, "round \(round), step \(step)")
        }
        #expect(cancelled > 0)
    }

    @Test("T-38 sixteen prompts at once get the replies they get one after another")
    func sixteen() async throws {
        let requests = (0..<16).map { (index: Int) -> LocalRequest in
            let prompt: [Token] = (0...index + 3).map { (place: Int) -> Token in
                Token(40 + (place * 7 + index * 13) % 200)
            }
            return LocalRequest(
                prompt: .tokens(prompt), sampling: SamplingOptions(temperature: 0.8, seed: UInt64(index)), limit: 10)
        }
        let alone = try await TinyEngine.cold()
        var expected: [Reply] = []
        for request in requests { expected.append(try await alone.reply(request)) }
        let engine = try await TinyEngine.cold()
        let replies = try await withThrowingTaskGroup(of: (Int, Reply).self) { group in
            for (index, request) in requests.enumerated() { group.addTask { (index, try await engine.reply(request)) } }
            var replies: [Int: Reply] = [:]
            for try await (index, reply) in group { replies[index] = reply }
            return replies
        }
        for index in requests.indices { #expect(replies[index] == expected[index], "prompt \(index)") }
        #expect(engine.counters.requests == 16)
    }
}

/// Steele, Lea and Flood's small generator, so that rounds repeat.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
