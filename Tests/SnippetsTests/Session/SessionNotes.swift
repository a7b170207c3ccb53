// The notes of session 339, "Bring an LLM provider to the Foundation Models framework". The number of each snippet is its
// place in the notes; what could not stay as it is stands in Tests/SNIPPETS.md.
import Foundation
import FoundationModels

// 1: models are swapped behind a session. Without the import of the MLX package.
func swapModels() async throws -> String {
    let model = SystemLanguageModel()

    // let model = PrivateCloudComputeLanguageModel()

    let session = LanguageModelSession(model: model)
    let response = try await session.respond(to: "...")
    return response.content
}

// 4: a conformance, with an executor outside of its model.
public struct SketchedLanguageModel: LanguageModel {
    public typealias Executor = SketchedLanguageModelExecutor

    public var capabilities: LanguageModelCapabilities {
        LanguageModelCapabilities(capabilities: [
            .toolCalling, .guidedGeneration, .reasoning,
        ])
    }

    public var executorConfiguration: Executor.Configuration {
        Executor.Configuration( /* ... */)
    }
}

public struct SketchedLanguageModelExecutor: LanguageModelExecutor {
    public typealias Model = SketchedLanguageModel

    public struct Configuration: Hashable, Sendable { /* ... */  }

    public init(configuration: Configuration) throws { /* ... */  }

    public func respond(
        to request: LanguageModelExecutorGenerationRequest,
        model: SketchedLanguageModel,
        streamingInto channel: LanguageModelExecutorGenerationChannel
    ) async throws {
        // 5: options are read.
        let reasoningLevel = request.contextOptions.reasoningLevel
        let temperature = request.generationOptions.temperature
        let maxTokens = request.generationOptions.maximumResponseTokens

        let promptTokens = request.transcript.count
        let cachedTokens = 0
        let tokens = AsyncStream<String> { continuation in
            continuation.yield("\(String(describing: reasoningLevel)) ")
            continuation.yield("\(temperature ?? 1) ")
            continuation.yield("\(maxTokens ?? 0)")
            continuation.finish()
        }

        // 6: metadata, usage, text.
        await channel.send(
            .response(
                action: .updateMetadata([
                    "modelID": "my-model-2026-06-08",
                    "requestID": request.id.uuidString,
                ])))

        await channel.send(
            .response(
                action: .updateUsage(
                    input: .init(totalTokenCount: promptTokens, cachedTokenCount: cachedTokens),
                    output: .init(totalTokenCount: 0, reasoningTokenCount: 0)
                )))

        for try await token in tokens {
            await channel.send(.response(action: .appendText(token)))
        }
    }
}

// 7: approximate or throw. The article has the same.
func approximate(
    _ request: LanguageModelExecutorGenerationRequest, _ serviceRequest: inout ServiceRequest
) throws {
    if request.generationOptions.sampling?.kind == .greedy {
        serviceRequest.temperature = 0
    }

    if let schema = request.schema,
        let budget = request.generationOptions.maximumResponseTokens,
        budget < minimumTokens(for: schema)
    {
        throw LanguageModelError.unsupportedCapability(
            .init(
                capability: .guidedGeneration,
                debugDescription: "Token budget too small to satisfy this schema."
            )
        )
    }
}

// 8: a custom segment, in a prompt and in an answer. The article has the same.
public struct AudioSegment: Transcript.CustomSegment {
    public var id: String
    public var content: URL
}

func askByVoice(_ session: LanguageModelSession) async throws -> String {
    let recording = AudioSegment(
        id: UUID().uuidString,
        content: URL(filePath: "/path/to/recording.m4a")
    )

    let response = try await session.respond {
        "Where was Frank Lloyd Wright's original architecture school located?"
        recording
    }
    return response.content
}

func answerByVoice(
    _ stream: AsyncThrowingStream<AudioEvent, any Error>, _ channel: LanguageModelExecutorGenerationChannel
) async throws {
    for try await event in stream {
        switch event {
        case .audioFileGenerated(let file):
            await channel.send(
                .response(
                    action: .updateCustomSegment(
                        AudioSegment(id: file.id, content: file.url)
                    )))
        }
    }
}

// 9: tools that run on the server, as options of the model. The article has the same.
public struct ServedLanguageModel: LanguageModel {
    public struct ServerTool: Sendable, Hashable {
        let name: String
        public static let webSearch: ServerTool = ServerTool(name: "webSearch")
    }

    let serverTools: [ServerTool]

    public init(serverTools: [ServerTool] = []) { self.serverTools = serverTools }

    public var capabilities: LanguageModelCapabilities { LanguageModelCapabilities([]) }
    public var executorConfiguration: Executor.Configuration { Executor.Configuration(serverTools: serverTools) }

    public struct Executor: LanguageModelExecutor {
        public struct Configuration: Hashable, Sendable {
            let serverTools: [ServerTool]
        }

        public init(configuration: Configuration) throws {}

        public func respond(
            to request: LanguageModelExecutorGenerationRequest, model: ServedLanguageModel,
            streamingInto channel: LanguageModelExecutorGenerationChannel
        ) async throws {
            let client = MyServerClient(serverTools: model.serverTools)
            let response = try await client.send(prompt: .init(request))

            for try await chunk in response {
                switch chunk {
                case .webSearch(let webSearch):
                    await channel.send(
                        .response(
                            action: .updateCustomSegment(
                                WebSearchSegment(url: webSearch.url, content: webSearch.html)
                            )))
                case .textDelta(let textDelta):
                    await channel.send(
                        .response(
                            action: .appendText(
                                textDelta.text,
                                tokenCount: textDelta.tokenCount
                            )))
                }
            }
        }
    }
}
