import Foundation
public import FoundationModels

/// Any chat model as a model of the framework, for plain text.
///
///     let session = LanguageModelSession(model: ChatLanguageModel(myChatModel))
///
/// It declares no capabilities: the chat protocol has no tools, schemas, reasoning or images. Pieces count as a token
/// each, for the protocol does not say more.
public struct ChatLanguageModel: FoundationModels.LanguageModel {
    let chat: any LanguageModel

    public init(_ chat: any LanguageModel) {
        self.chat = chat
    }

    public var capabilities: LanguageModelCapabilities { LanguageModelCapabilities([]) }

    public var executorConfiguration: Executor.Configuration { Executor.Configuration(model: chat.modelIdentifier) }

    public struct Executor: LanguageModelExecutor {
        public typealias Model = ChatLanguageModel

        public struct Configuration: Hashable, Sendable {
            let model: String
        }

        public init(configuration: Configuration) throws {}

        public func respond(
            to request: LanguageModelExecutorGenerationRequest, model: ChatLanguageModel,
            streamingInto channel: LanguageModelExecutorGenerationChannel
        ) async throws {
            let messages = try ChatTranslation.messages(of: request.transcript)
            let configuration = try ChatTranslation.configuration(
                request.generationOptions, model: model.chat.modelIdentifier)
            let entryID = UUID().uuidString
            await channel.send(
                .response(
                    entryID: entryID,
                    action: .updateMetadata([
                        "modelID": model.chat.modelIdentifier, "requestID": request.id.uuidString,
                    ])))
            for try await piece in model.chat.streamResponse(for: messages, configuration: configuration) {
                try Task.checkCancellation()
                await channel.send(.response(entryID: entryID, action: .appendText(piece, tokenCount: 1)))
            }
            try Task.checkCancellation()
        }
    }
}

/// A framework request in chat terms.
enum ChatTranslation {
    /// Reasoning is left out: models are not shown their earlier thoughts again.
    static func messages(of transcript: Transcript) throws -> [ChatMessage] {
        var messages: [ChatMessage] = []
        for entry in transcript {
            switch entry {
            case .instructions(let instructions):
                if !instructions.segments.isEmpty {
                    messages.append(.system(try text(instructions.segments, in: entry)))
                }
            case .prompt(let prompt): messages.append(.user(try text(prompt.segments, in: entry)))
            case .response(let response): messages.append(.assistant(try text(response.segments, in: entry)))
            case .reasoning: continue
            case .toolCalls, .toolOutput, .data: throw unsupported(entry)
            }
        }
        return messages
    }

    private static func text(_ segments: [Transcript.Segment], in entry: Transcript.Entry) throws -> String {
        let texts = try segments.map { segment in
            switch segment {
            case .text(let text): text.content
            case .structure(let structure): structure.content.jsonString
            case .custom(let custom): custom.description
            case .attachment: throw unsupported(entry)
            }
        }
        return texts.joined(separator: "\n")
    }

    private static func unsupported(_ entry: Transcript.Entry) -> LanguageModelError {
        .unsupportedTranscriptContent(
            .init(
                unsupportedContent: [entry],
                debugDescription:
                    "A chat model takes texts only, and the transcript holds: \(entry). Leave the entry out."))
    }

    static func configuration(
        _ options: GenerationOptions, model: String
    ) throws(ChatError) -> LanguageModelConfiguration {
        var configuration = LanguageModelConfiguration(maxTokens: options.maximumResponseTokens)
        if let temperature = options.temperature { configuration.temperature = Float(temperature) }
        switch options.samplingMode?.kind {
        case nil: break
        case .greedy: configuration.temperature = 0
        case .randomTopK: throw .unsupportedOption(name: "top-k sampling", model: model)
        case .randomProbabilityThreshold(let threshold, let seed):
            if seed != nil { throw .unsupportedOption(name: "a seed", model: model) }
            configuration.topP = Float(threshold)
        }
        try configuration.check()
        return configuration
    }
}
