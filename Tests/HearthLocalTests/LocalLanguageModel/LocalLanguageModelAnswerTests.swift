import Foundation
import FoundationModels
import HearthLocal
import HearthTestSupport
import Testing

/// Through the real session, with the default model.
@Suite(
    "LocalLanguageModel with the default model", .serialized,
    .enabled(if: Store.has(Store.defaultModel), "run make test to fetch the default model"))
struct LocalLanguageModelAnswerTests {
    /// A context length that no other suite asks for gives an engine, and so counters, of its own.
    private let model = LocalLanguageModel(at: Store.defaultModel, options: .init(contextLength: 2_048))
    private let greedy = GenerationOptions(samplingMode: .greedy, maximumResponseTokens: 8)

    private func metadata(_ session: LanguageModelSession) -> [String: GeneratedContent] {
        guard case .response(let response)? = session.transcript.last else { return [:] }
        return response.metadata
    }

    @Test("P-01 A session answers, and says where the answer comes from and what it cost")
    func answer() async throws {
        let session = LanguageModelSession(model: model, instructions: "Answer in one sentence.")
        let response = try await session.respond(to: "Why is the sky blue?", options: greedy)
        #expect(!response.content.isEmpty)
        #expect(response.usage.output.totalTokenCount == 8)
        #expect(response.usage.input.totalTokenCount > 10)
        let metadata = metadata(session)
        #expect(try metadata["modelID"]?.value(String.self) == "smollm2-135m-instruct-q4_1")
        #expect(try metadata["finishReason"]?.value(String.self) == "length")
        #expect(try (metadata["tokensPerSecond"]?.value(Double.self) ?? 0) > 0)
        #expect(try (metadata["timeToFirstToken"]?.value(Double.self) ?? 0) > 0)
        #expect(try UInt64(#require(metadata["seed"]).value(String.self)) != nil)
        #expect(try UUID(uuidString: #require(metadata["requestID"]).value(String.self)) != nil)
    }

    @Test("K-01 A second turn reads its new tokens only: what was sampled is remembered as it was")
    func secondTurn() async throws {
        let loaded = try await model.load()
        let session = LanguageModelSession(model: model, instructions: "Answer in one sentence.")
        let first = try await session.respond(to: "Why is the sky blue?", options: greedy)
        let before = loaded.engine.counters
        let second = try await session.respond(to: "And in the evening?", options: greedy)
        let after = loaded.engine.counters
        // The last sampled token was never read, so it is read now.
        let known = first.usage.input.totalTokenCount + first.usage.output.totalTokenCount - 1
        #expect(second.usage.input.cachedTokenCount == known)
        #expect(
            after.evaluated - before.evaluated == second.usage.input.totalTokenCount
                - second.usage.input.cachedTokenCount)
    }

    @Test("E-22 E-23 The same seed gives the same answer, streamed or whole; the seed that was drawn repeats an answer")
    func seeds() async throws {
        let options = GenerationOptions(
            samplingMode: .random(top: 40, seed: 11), temperature: 1, maximumResponseTokens: 12)
        let whole = try await LanguageModelSession(model: model).respond(to: "Tell a story.", options: options)
        var snapshots: [String] = []
        for try await snapshot in LanguageModelSession(model: model).streamResponse(
            to: "Tell a story.", options: options)
        {
            snapshots.append(snapshot.content)
        }
        #expect(snapshots.last == whole.content)
        #expect(snapshots.allSatisfy { whole.content.utf8.starts(with: $0.utf8) && !$0.contains("\u{FFFD}") })
        #expect(snapshots.count >= 12)

        let session = LanguageModelSession(model: model)
        let drawn = GenerationOptions(temperature: 1, maximumResponseTokens: 12)
        let first = try await session.respond(to: "Tell a story.", options: drawn)
        let seed = try UInt64(#require(metadata(session)["seed"]).value(String.self))
        let again = LocalLanguageModel(at: Store.defaultModel, options: .init(seed: seed))
        #expect(
            try await LanguageModelSession(model: again).respond(to: "Tell a story.", options: drawn).content
                == first.content)
    }

    @Test("R-15 A stop sequence ends the answer and is no part of it")
    func stops() async throws {
        let options = GenerationOptions(samplingMode: .greedy, maximumResponseTokens: 16)
        let whole = try await LanguageModelSession(model: model).respond(to: "Count from 1 to 9.", options: options)
            .content
        let middle = whole.index(whole.startIndex, offsetBy: whole.count / 2)
        let stop = String(whole[middle...].prefix(4))
        let model = LocalLanguageModel(at: Store.defaultModel, options: .init(stopSequences: [stop]))
        let session = LanguageModelSession(model: model)
        let short = try await session.respond(to: "Count from 1 to 9.", options: options).content
        let expected = try #require(whole.range(of: stop)).lowerBound
        #expect(short == whole[..<expected])
        #expect(try metadata(session)["finishReason"]?.value(String.self) == "stop")
    }
}
