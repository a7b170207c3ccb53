import Foundation
import FoundationModels
import HearthJSON
import HearthLocal
import HearthTestSupport
import Testing

/// Two turns with real weights beside what llama.cpp says at temperature 0 (`references/real/sessions.json`).
@Suite("Sessions with real models", .serialized)
struct RealModelSessionTests {
    private struct Turn {
        let user: String
        let text: String
        /// The reply before the first step whose margin is below 0.5: rounded activations move a logit by some tenths.
        let certain: String
        let count: Int
        let input: Int
    }

    private static let isAsked = ProcessInfo.processInfo.environment["HEARTH_ALL_MODELS"] == "1"

    private static func isHere(_ name: String) -> Bool {
        isAsked && Store.has(Store.folder.appending(path: "\(name).gguf"))
    }

    private func turns(_ name: String) throws -> [Turn] {
        let json = try JSON.parse([UInt8](Fixtures.bytes("references/real/sessions.json")))
        let entry = try #require(json["models"]?.arrayValue?.first { $0["model"]?.stringValue == name })
        return try #require(entry["turns"]?.arrayValue).map { turn in
            Turn(
                user: try #require(turn["user"]?.stringValue), text: try #require(turn["text"]?.stringValue),
                certain: try #require(turn["certain_text"]?.stringValue),
                count: try #require(turn["greedy"]?.arrayValue).count,
                input: try #require(turn["tokens"]?.arrayValue).count)
        }
    }

    private func converse(_ name: String) async throws {
        let turns = try turns(name)
        let model = LocalLanguageModel(
            at: Store.folder.appending(path: "\(name).gguf"), options: .init(contextLength: 2_048))
        let loaded = try await model.load()
        var session = LanguageModelSession(model: model)
        var history: [Transcript.Entry] = []
        for (index, turn) in turns.enumerated() {
            let options = GenerationOptions(samplingMode: .greedy, maximumResponseTokens: turn.count)
            let response = try await session.respond(to: turn.user, options: options)
            #expect(response.content.hasPrefix(turn.certain), "turn \(index + 1): \(response.content)")
            #expect(response.usage.input.totalTokenCount == turn.input)
            if index > 0 { #expect(response.usage.input.cachedTokenCount > 0) }
            // Behind a tie the two go their own ways: the next turn then goes on from the reference's reply.
            history += [
                .prompt(.init(segments: [.text(.init(content: turn.user))])),
                .response(.init(segments: [.text(.init(content: turn.text))])),
            ]
            if response.content != turn.text {
                session = LanguageModelSession(model: model, transcript: Transcript(entries: history))
            }
        }
        withExtendedLifetime(loaded) {}
    }

    @Test(
        "Qwen 2.5 Coder 0.5B answers two turns as the reference does, up to ties",
        .enabled(if: isHere("qwen2.5-coder-0.5b-instruct-q4_k_m"), "make test-models fetches the model and runs this"))
    func smallQwen() async throws { try await converse("qwen2.5-coder-0.5b-instruct-q4_k_m") }

    @Test(
        "Qwen 2.5 Coder 1.5B answers two turns as the reference does, up to ties",
        .enabled(if: isHere("qwen2.5-coder-1.5b-instruct-q4_k_m"), "make test-models fetches the model and runs this"))
    func largeQwen() async throws { try await converse("qwen2.5-coder-1.5b-instruct-q4_k_m") }

    @Test(
        "Gemma 3 270M, a base model without a template, is refused in a session with the reason",
        .enabled(if: isHere("gemma-3-270m-q4_k_m"), "make test-models fetches the model and runs this"))
    func gemma() async throws {
        let model = LocalLanguageModel(at: Store.folder.appending(path: "gemma-3-270m-q4_k_m.gguf"))
        let error = await #expect(throws: (any Error).self) {
            try await LanguageModelSession(model: model).respond(to: "Hello")
        }
        #expect("\(String(describing: error))".contains("template"))
    }
}
