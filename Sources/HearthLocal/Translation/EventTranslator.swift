package import Foundation
package import FoundationModels
import HearthInference

/// The engine's events as the framework's, for one response.
///
/// | engine | framework, in this order |
/// |---|---|
/// | `started` | metadata (`modelID`, `requestID`), usage with prompt and cached tokens |
/// | `piece` | a text delta that counts one token, also when its text is still held back |
/// | `rest` | a text delta that counts none |
/// | `finished` | usage, metadata with all keys |
package struct EventTranslator: Sendable {
    package typealias Event = LanguageModelExecutorGenerationChannel.Event

    private let modelID: String
    private let requestID: UUID
    /// The response entry that all events go to.
    package let entryID = UUID().uuidString

    package init(modelID: String, requestID: UUID) {
        self.modelID = modelID
        self.requestID = requestID
    }

    package mutating func events(for event: GenerationEvent) -> [Event] {
        switch event {
        case .started(let input, let cached):
            [
                .response(entryID: entryID, action: .updateMetadata(identity)),
                usage(input: input, cached: cached, output: 0),
            ]
        case .piece(_, _, let text, _, .response):
            [.response(entryID: entryID, action: .appendText(text, tokenCount: 1))]
        case .rest(let text, .response):
            [.response(entryID: entryID, action: .appendText(text, tokenCount: 0))]
        case .finished(let reason, let seed, let usage, let timing):
            [
                self.usage(input: usage.input, cached: usage.cached, output: usage.output),
                .response(
                    entryID: entryID, action: .updateMetadata(metadata(reason, seed: seed, usage, timing))),
            ]
        }
    }

    private func usage(input: Int, cached: Int, output: Int) -> Event {
        .response(
            entryID: entryID,
            action: .updateUsage(
                input: .init(totalTokenCount: input, cachedTokenCount: cached),
                output: .init(totalTokenCount: output, reasoningTokenCount: 0)))
    }

    private var identity: [String: any ConvertibleToGeneratedContent] {
        ["modelID": modelID, "requestID": requestID.uuidString]
    }

    /// A snapshot replaces the one before, so that every key stands in it. The seed is text: half of all seeds are
    /// larger than an `Int`.
    private func metadata(
        _ reason: FinishReason, seed: UInt64, _ usage: TokenUsage, _ timing: GenerationTiming
    ) -> [String: any ConvertibleToGeneratedContent] {
        var metadata = identity
        metadata["finishReason"] = reason.word
        metadata.updateValue(reason.cut, forKey: "cutBy")
        metadata["seed"] = String(seed)
        // Null where there is nothing to measure: a rate needs two tokens, the first token needs one.
        let first: Double? = usage.output > 0 ? timing.timeToFirstToken / .seconds(1) : nil
        metadata.updateValue(timing.decodeTokensPerSecond(usage), forKey: "tokensPerSecond")
        metadata.updateValue(first, forKey: "timeToFirstToken")
        return metadata
    }
}
