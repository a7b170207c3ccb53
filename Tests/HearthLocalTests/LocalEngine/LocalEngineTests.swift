import Foundation
import HearthInference
import HearthJSON
import HearthLocal
import HearthTestSupport
import HearthTokenizers
import HearthTokens
import HearthWeights
import Testing

@Suite("LocalEngine")
struct LocalEngineTests {
    @Test("Messages become a reply: started, one piece a token, finished, with honest counts")
    func reply() async throws {
        let engine = try await TinyEngine.cold()
        let prompt = TinyEngine.messages(("user", "Hello there"))
        let reply = try await engine.reply(LocalRequest(prompt: prompt, sampling: .greedy, limit: 12))
        #expect(reply.reason == .length && reply.tokens.count == 12)
        #expect(reply.input == (try await engine.tokens(of: prompt).count) && reply.cached == 0)
        #expect(reply.usage.input == reply.input && reply.usage.evaluated == reply.input && reply.usage.output == 12)
        let tokenizer = try await engine.tokenizer()
        #expect(reply.text == String(decoding: tokenizer.decode(reply.tokens, skippingControl: true), as: UTF8.self))
        #expect(engine.counters.requests == 1 && engine.counters.evaluated == reply.input)
    }

    @Test("The template's markers are read as tokens, the same words in a message are not")
    func origins() async throws {
        let engine = try await TinyEngine.cold()
        let tokenizer = try await engine.tokenizer()
        let marker = try #require(tokenizer.vocabulary.token(of: "<|im_end|>".utf8))
        let tokens = try await engine.tokens(of: TinyEngine.messages(("user", "a<|im_end|>b")))
        #expect(tokens.filter { $0 == marker }.count == 1)
        #expect(tokens.filter { $0 == tokenizer.special.bos }.count == 1)
        let raw = try await engine.tokens(of: .raw(Array("a<|im_end|>b".utf8)))
        #expect(raw.filter { $0 == marker }.count == 1 && raw.first == tokenizer.special.bos)
    }

    @Test("The same prompt as text and as tokens gives the same reply, and the second time it is cached")
    func prompts() async throws {
        let engine = try await TinyEngine.cold()
        let raw = LocalRequest.Prompt.raw(Array("The sky is".utf8))
        let first = try await engine.reply(LocalRequest(prompt: raw, sampling: .greedy, limit: 8))
        let tokens = try await engine.tokens(of: raw)
        let second = try await engine.reply(LocalRequest(prompt: .tokens(tokens), sampling: .greedy, limit: 8))
        #expect(first == second)
        // The last token is always evaluated, for its logits.
        #expect(second.cached == tokens.count - 1 && second.usage.evaluated == 1)
    }

    @Test("A seed gives the same reply again and is reported; a drawn one reproduces its reply")
    func seeds() async throws {
        let engine = try await TinyEngine.cold()
        func reply(_ seed: UInt64?) async throws -> Reply {
            try await engine.reply(
                LocalRequest(
                    prompt: .raw(Array("Once".utf8)), sampling: SamplingOptions(temperature: 1, seed: seed), limit: 20))
        }
        let first = try await reply(7)
        #expect(first.seed == 7)
        #expect(try await reply(7) == first)
        let drawn = try await reply(nil)
        #expect(try await reply(drawn.seed) == drawn)
    }

    @Test("T-49 a prompt longer than the context is refused with both numbers")
    func tooLong() async throws {
        let engine = try await TinyEngine.cold(context: 32)
        do {
            _ = try await engine.reply(LocalRequest(prompt: .tokens(Array(repeating: 65, count: 40))))
            Issue.record("it was taken")
        } catch InferenceError.promptTooLong(let tokens, let context) {
            #expect(tokens == 40 && context == 32)
        }
    }

    @Test("T-50 the limit ends a reply with length, an end token with stop and is no part of it")
    func limits() async throws {
        let engine = try await TinyEngine.cold()
        let tokenizer = try await engine.tokenizer()
        let letters = try "abcd".utf8.map { try #require(tokenizer.vocabulary.token(of: [$0])) }
        let prompt = LocalRequest.Prompt.raw(Array("x".utf8))
        let cut = try await engine.scripted(letters, after: prompt, limit: 3)
        #expect(cut.text == "abc" && cut.reason == .length && cut.usage.output == 3)
        let end = try #require(tokenizer.special.eos)
        let ended = try await engine.scripted(Array(letters.prefix(2)) + [end], after: prompt, limit: 3)
        #expect(ended.text == "ab" && ended.reason == .stop && ended.tokens == Array(letters.prefix(2)))
    }

    @Test("A context that is full ends the reply, and programs read length")
    func fullContext() async throws {
        let engine = try await TinyEngine.cold(context: 16)
        let reply = try await engine.reply(LocalRequest(prompt: .tokens([1, 2, 3, 4]), sampling: .greedy))
        #expect(reply.reason == .contextFull && reply.tokens.count == 12)
        #expect(reply.reason?.word == "length")
    }

    @Test("T-47 a stop sequence over three pieces is cut out of the stream")
    func stopOverPieces() async throws {
        let engine = try await TinyEngine.cold()
        let tokenizer = try await engine.tokenizer()
        let script = try ["Hi", "\nUser", ":", " more"].flatMap { try tokenizer.encode($0.utf8, control: .asText) }
        let reply = try await engine.scripted(script, after: .raw([0x78]), stops: ["\nUser:"])
        #expect(reply.text == "Hi" && reply.reason == .stop)
        #expect(!reply.texts.contains { $0.utf8.contains(0x0A) })
        #expect(reply.tokens.count < script.count)
    }

    @Test("T-48 text that was held back is released when the reply ends otherwise")
    func heldText() async throws {
        let engine = try await TinyEngine.cold()
        let tokenizer = try await engine.tokenizer()
        let script =
            try ["ple", "as"].flatMap { try tokenizer.encode($0.utf8, control: .asText) } + [
                #require(tokenizer.special.eos)
            ]
        let reply = try await engine.scripted(script, after: .raw([0x78]), stops: ["assistant"])
        #expect(reply.text == "pleas" && reply.rest == "as" && reply.reason == .stop)
    }

    @Test("An empty stop sequence, an empty prompt and messages without a template are refused")
    func refusals() async throws {
        let engine = try await TinyEngine.cold()
        await #expect(throws: LocalEngineError.emptyStop) {
            try await engine.reply(LocalRequest(prompt: .tokens([1]), stops: ["a", ""]))
        }
        await #expect(throws: LocalEngineError.emptyPrompt) {
            try await engine.reply(LocalRequest(prompt: .tokens([])))
        }

        // The same file with another name for the key of its template.
        var bytes = [UInt8](try Data(contentsOf: TinyEngine.file))
        let key = Array("tokenizer.chat_template".utf8)
        let place = try #require(bytes.indices.first { bytes[$0...].starts(with: key) })
        bytes[place] = UInt8(ascii: "x")
        let file = FileManager.default.temporaryDirectory.appending(path: "hearth-base-\(UUID().uuidString).gguf")
        try Data(bytes).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let base = try await TinyEngine.cold(file: file)
        await #expect(throws: LocalEngineError.noTemplate(model: base.facts.modelID)) {
            try await base.reply(LocalRequest(prompt: TinyEngine.messages(("user", "Hi"))))
        }
        #expect(try await base.reply(LocalRequest(prompt: .raw([0x78]), limit: 2)).tokens.count == 2)
    }

    @Test("Weights load and are scored without a tokenizer; one that cannot be made is an error of what needs it")
    func weightsOnly() async throws {
        // The same file with a kind of tokenizer that does not exist.
        var bytes = [UInt8](try Data(contentsOf: TinyEngine.file))
        let value = Array("gpt2".utf8)
        let place = try #require(bytes.indices.first { bytes[$0...].starts(with: value) })
        bytes.replaceSubrange(place..<place + 4, with: "none".utf8)
        let file = FileManager.default.temporaryDirectory.appending(path: "hearth-none-\(UUID().uuidString).gguf")
        try Data(bytes).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let engine = try await LocalEngine.load(file: file, readiness: .tokens, table: EngineTable())
        let report = try await engine.score([1, 2, 3])
        #expect(report.positions.count == 3 && engine.counters.evaluated == 3)
        await #expect(throws: TokenizerError.self) { try await engine.tokenizer() }
        await #expect(throws: TokenizerError.self) { try await LocalEngine.load(file: file, table: EngineTable()) }
    }

    @Test("Facts are read from the header alone")
    func facts() throws {
        let facts = try EngineFacts.read(TinyEngine.file)
        #expect(facts.modelID == "llama-f32" && facts.name == "Tiny random llama" && facts.architecture == "llama")
        #expect(facts.trainedContext == 512 && facts.template != nil && facts.hasTokenizer && facts.parameters > 50_000)
        #expect(throws: CheckpointError.self) { try EngineFacts.read(Fixtures.url("missing.gguf")) }
    }

    @Test(
        "Each message of the engine says what to do",
        arguments: [
            (
                LocalEngineError.noTemplate(model: "m"),
                "The model `m` has no chat template (`tokenizer.chat_template`): it continues text and does not answer messages. Give it raw text, or use an instruction-tuned model."
            ),
            (.emptyStop, "A stop sequence is empty; it would end every reply at once. Leave it out."),
            (.emptyPrompt, "The prompt has no tokens: there is nothing to go on from. Give it some text."),
        ])
    func words(error: LocalEngineError, text: String) {
        #expect(error.description == text && error.errorDescription == text)
    }
}
