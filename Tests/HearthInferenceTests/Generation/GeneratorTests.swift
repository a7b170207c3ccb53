import HearthInference
import HearthTestSupport
import HearthTokens
import Testing

@Suite struct GeneratorTests {
    @Test(
        "T-37 cancelled at any step, later replies equal a cold run's, and the counts hold",
        arguments: ["llama-f32", "qwen3moe-f32", "lfm2-f32"])
    func cancelled(name: String) async throws {
        let prompt = tokens(12, seed: 30)
        let longer = prompt + tokens(3, seed: 31)
        let expected = try await Generator.fixture(name).greedy(prompt, limit: 20)
        let expectedLonger = try await Generator.fixture(name).greedy(longer, limit: 20)
        let generator = try await Generator.fixture(name)
        for round in 0..<100 {
            let stop = Int(Philox.uniform(seed: 37, index: UInt64(round)) * 20)
            let told = Notes<Token>()
            let task = Task {
                try await generator.generate(GenerationRequest(prompt: prompt, sampling: .greedy, limit: 20)) { step in
                    if case .token(let token, _) = step { told.add(token) }
                    if told.all.count == stop { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
                    return .goOn
                }
            }
            let report = try await task.value
            #expect(report.finishReason == .cancelled)
            #expect(report.tokens == told.all)
            #expect(report.tokens == Array(expected.prefix(report.tokens.count)))
            let other = round % 2 == 0 ? prompt : longer
            let next = try await generator.generate(GenerationRequest(prompt: other, sampling: .greedy, limit: 20))
            #expect(next.tokens == (round % 2 == 0 ? expected : expectedLonger))
            #expect(next.evaluated == next.input - next.cached)
        }
    }

    @Test("T-37 cancelled from outside, in whatever layer or turn it lands, the cache stays sound")
    func cancelledFromOutside() async throws {
        // Two passes of the prompt and some steps, so that cancels land in all of them.
        let prompt = tokens(90, seed: 32)
        let expected = try await Generator.fixture("quant-q4_1").greedy(prompt, limit: 12)
        let generator = try await Generator.fixture("quant-q4_1", .plain.with { $0.threads = 2 })
        // How long a request takes here, cold and warm, so that cancels land inside it on any machine.
        let clock = ContinuousClock()
        var lengths: [Duration] = []
        for _ in 0..<2 {
            let begun = clock.now
            _ = try await generator.generate(GenerationRequest(prompt: prompt, sampling: .greedy, limit: 12))
            lengths.append(clock.now - begun)
        }
        var reasons: Set<FinishReason> = []
        for round in 0..<40 {
            if round % 4 == 0 { await generator.removeCache() }
            let task = Task {
                try await generator.generate(GenerationRequest(prompt: prompt, sampling: .greedy, limit: 12))
            }
            let share = Double(Philox.uniform(seed: 38, index: UInt64(round)))
            try await Task.sleep(for: lengths[round % 4 == 0 ? 0 : 1] * share)
            task.cancel()
            let report = try await task.value
            reasons.insert(report.finishReason)
            #expect(report.tokens == Array(expected.prefix(report.tokens.count)))
            #expect(report.finishReason == .cancelled || report.tokens == expected)
            let next = try await generator.generate(GenerationRequest(prompt: prompt, sampling: .greedy, limit: 12))
            #expect(next.tokens == expected)
            // What a cancelled pass did not finish is not counted as cached.
            #expect(next.cached == min(report.cached + report.evaluated, prompt.count - 1))
        }
        #expect(reasons.contains(.cancelled))
    }

    @Test("T-38 sixteen prompts at once give what each gives alone")
    func concurrent() async throws {
        let prompts = (0..<16).map { tokens(10 + 5 * $0, seed: 40 + $0) }
        let alone = try await Generator.fixture("llama-f32")
        var expected: [[Token]] = []
        for prompt in prompts {
            await alone.removeCache()
            expected.append(try await alone.greedy(prompt, limit: 20))
        }
        let generator = try await Generator.fixture("llama-f32")
        let together = try await withThrowingTaskGroup(of: (Int, [Token]).self) { group in
            for (index, prompt) in prompts.enumerated() {
                group.addTask { (index, try await generator.greedy(prompt, limit: 20)) }
            }
            var replies = Array(repeating: [Token](), count: prompts.count)
            for try await (index, reply) in group { replies[index] = reply }
            return replies
        }
        #expect(together == expected)
    }

    @Test("two long requests take turns step by step")
    func turns() async throws {
        let generator = try await Generator.fixture("llama-f32")
        let order = Notes<Int>()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for caller in 0..<2 {
                group.addTask {
                    let request = GenerationRequest(prompt: tokens(5, seed: 60 + caller), sampling: .greedy, limit: 100)
                    _ = try await generator.generate(request) { step in
                        if case .token = step { order.add(caller) }
                        return .goOn
                    }
                }
            }
            try await group.waitForAll()
        }
        let callers = order.all
        #expect(callers.count == 200)
        // From the second's first token on they alternate, until one of them is done.
        let start = callers.firstIndex(of: 1 - callers[0])!
        let both = callers[start..<min(start + 2 * (100 - start), 200)]
        #expect(zip(both, both.dropFirst()).allSatisfy { $0 != $1 }, "\(callers)")
    }

    @Test("T-49 a prompt longer than the context is refused with both numbers")
    func promptTooLong() async throws {
        let generator = try await Generator.fixture("llama-f32", .plain.with { $0.context = 32 })
        let error = await #expect(throws: InferenceError.self) {
            try await generator.generate(GenerationRequest(prompt: tokens(40, seed: 80)))
        }
        #expect(
            error.map { "\($0)" } == """
                The prompt has 40 tokens; the context holds 32. Shorten the prompt, or ask for a longer context (`--context`, `contextLength`) if the model was trained for one.
                """)
    }

    @Test("a full context ends the reply and is told from the limit asked for; prompt and reply fill it exactly")
    func fullContext() async throws {
        let generator = try await Generator.fixture("llama-f32", .plain.with { $0.context = 32 })
        let report = try await generator.generate(GenerationRequest(prompt: tokens(20, seed: 81), sampling: .greedy))
        #expect(report.finishReason == .contextFull)
        #expect(report.output == 12)
        for (limit, output, reason) in [(13, 12, FinishReason.contextFull), (12, 12, .length), (11, 11, .length)] {
            let cut = try await generator.generate(
                GenerationRequest(prompt: tokens(20, seed: 81), sampling: .greedy, limit: limit))
            #expect((cut.output, cut.finishReason) == (output, reason), "a limit of \(limit)")
        }
        let full = try await generator.generate(GenerationRequest(prompt: tokens(32, seed: 81), sampling: .greedy))
        #expect(full.finishReason == .contextFull)
        #expect(full.output == 0)
        #expect(full.evaluated == 32 - full.cached)
    }

    @Test("T-50 the limit counts tokens of the reply, and an end token is none of them")
    func limits() async throws {
        let generator = try await Generator.fixture("llama-f32")
        let prompt = try Reference.named("llama-f32").tokens
        let reply = try await generator.greedy(prompt, limit: 10)
        var request = GenerationRequest(prompt: prompt, sampling: .greedy, limit: 3)
        let cut = try await generator.generate(request)
        #expect((cut.tokens, cut.finishReason) == (Array(reply.prefix(3)), .length))
        let end = reply.first { token in reply.firstIndex(of: token)! >= 2 }!
        request.ends = [end]
        request.limit = 10
        let ended = try await generator.generate(request)
        #expect((ended.tokens, ended.finishReason) == (Array(reply.prefix { $0 != end }), .stop))
        request.limit = 0
        let nothing = try await generator.generate(request)
        #expect((nothing.tokens, nothing.finishReason) == ([], .length))
    }

    @Test("the listener may end a reply, and hears the counts first")
    func listener() async throws {
        let generator = try await Generator.fixture("llama-f32")
        let steps = Notes<String>()
        let report = try await generator.generate(
            GenerationRequest(prompt: tokens(6, seed: 82), sampling: .greedy, limit: 9)
        ) { step in
            switch step {
            case .started(let input, let cached): steps.add("started \(input) \(cached)")
            case .token: steps.add("token")
            }
            return steps.all.count == 4 ? .stop : .goOn
        }
        #expect(steps.all == ["started 6 0", "token", "token", "token"])
        #expect(report.finishReason == .stop)
        #expect(report.output == 3)
        // The prompt in one pass, and the first two tokens: the third is followed by none.
        #expect(report.forwardPasses == 3)
    }

    @Test("the same seed gives the same reply, cached or not, and the report names the seed")
    func seeds() async throws {
        let generator = try await Generator.fixture("llama-f32")
        let prompt = tokens(9, seed: 83)
        func reply(_ seed: UInt64?) async throws -> GenerationReport {
            try await generator.generate(
                GenerationRequest(prompt: prompt, sampling: SamplingOptions(temperature: 1.2, seed: seed), limit: 30))
        }
        let drawn = try await reply(nil)
        let again = try await reply(drawn.seed)
        #expect(again.tokens == drawn.tokens)
        #expect(again.cached == 8)
        #expect(try await reply(drawn.seed &+ 1).tokens != drawn.tokens)
    }

    @Test("a constraint narrows each choice and ends the reply where it is finished")
    func constraint() async throws {
        /// Even tokens only, five of them.
        struct FiveEvens: TokenConstraint {
            var left = 5
            var isFinished: Bool { left == 0 }
            mutating func allow(into mask: inout TokenSet) {
                mask.allowNone()
                for token in stride(from: 0, to: mask.count, by: 2) { mask.insert(Token(token)) }
            }
            mutating func accept(_ token: Token) { left -= 1 }
        }
        let generator = try await Generator.fixture("llama-f32")
        let report = try await generator.generate(
            GenerationRequest(
                prompt: tokens(9, seed: 84), sampling: SamplingOptions(temperature: 2, topP: 1), limit: 30,
                constraint: FiveEvens()))
        #expect(report.output == 5)
        #expect(report.tokens.allSatisfy { $0 % 2 == 0 })
        #expect(report.finishReason == .stop)
    }

    @Test("an empty prompt and a token of another model are refused")
    func badPrompts() async throws {
        let generator = try await Generator.fixture("llama-f32")
        for prompt in [[], [5, 320], [-1]] as [[Token]] {
            await #expect(throws: InferenceError.self) {
                try await generator.generate(GenerationRequest(prompt: prompt))
            }
        }
        await #expect(throws: InferenceError.self) {
            try await generator.generate(GenerationRequest(prompt: [1], limit: -1))
        }
    }
}
