import Foundation
import HearthInference
import HearthLocal
import HearthTestSupport
import HearthTokens
import Testing

@Suite(
    "Default model", .serialized,
    .enabled(if: Store.has(Store.defaultModel), "run make test to fetch the default model"))
struct DefaultModelTests {
    @Test("It answers with its own template, a second turn reads only what is new, and it knows Paris")
    func twoTurns() async throws {
        let engine = try await LocalEngine.load(file: Store.defaultModel, options: ModelOptions(context: 1024))
        #expect(engine.facts.name == "Smollm2 135M 8k Lc100K Mix1 Ep2" && engine.facts.parameters == 134_515_008)
        let ask = ("user", "What is the capital of France?")
        let first = try await engine.reply(
            LocalRequest(prompt: TinyEngine.messages(ask), sampling: .greedy, limit: 24))
        #expect(!first.text.isEmpty)

        let prompt = TinyEngine.messages(ask, ("assistant", first.text), ("user", "And of Italy?"))
        let second = try await engine.reply(LocalRequest(prompt: prompt, sampling: .greedy, limit: 24))
        // All of the first prompt and of its reply but the last token, which nothing was evaluated behind.
        #expect(second.cached >= first.input + first.tokens.count - 1)
        #expect(second.usage.evaluated == second.input - second.cached && second.usage.evaluated < 30)

        // What it says is looked at where it is sure of it: the margin of the next token is 2.4.
        let raw = LocalRequest.Prompt.raw(Array("The capital of France is".utf8))
        #expect(try await engine.reply(LocalRequest(prompt: raw, sampling: .greedy, limit: 1)).text == " Paris")
    }

    @Test("A stop sequence and a limit end a reply of a real model as asked")
    func stops() async throws {
        let engine = try await LocalEngine.load(file: Store.defaultModel, options: ModelOptions(context: 1024))
        let prompt = LocalRequest.Prompt.raw(Array("One, two, three, four,".utf8))
        let whole = try await engine.reply(LocalRequest(prompt: prompt, sampling: .greedy, limit: 8))
        #expect(whole.reason == .length && whole.text.contains("six"), "\(whole.text)")
        let cut = try await engine.reply(LocalRequest(prompt: prompt, sampling: .greedy, limit: 8, stops: [" six"]))
        #expect(cut.reason == .stop && whole.text.hasPrefix(cut.text + " six"), "\(cut.text)")
    }
}
