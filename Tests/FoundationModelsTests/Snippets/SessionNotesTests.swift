public import Foundation
public import FoundationModels
import Testing

// The code of the session notes. What cannot compile as it is printed there: `typealias Executor` of a public type needs
// `public`; `prewarm(transcript:)` is no requirement; `Package.swift` has no `.v27`.

public struct NotesLanguageModel: LanguageModel {
    public typealias Executor = NotesLanguageModelExecutor

    public struct ServerTool: Sendable {
        public static let webSearch: ServerTool = ServerTool()
    }

    let serverTools: [ServerTool]

    public init(serverTools: [ServerTool] = []) { self.serverTools = serverTools }

    public var capabilities: LanguageModelCapabilities {
        LanguageModelCapabilities(capabilities: [
            .toolCalling, .guidedGeneration, .reasoning,
        ])
    }

    public var executorConfiguration: Executor.Configuration {
        Executor.Configuration()
    }
}

public struct NotesLanguageModelExecutor: LanguageModelExecutor {
    public typealias Model = NotesLanguageModel

    public struct Configuration: Hashable, Sendable {}

    public init(configuration: Configuration) throws {}

    public func respond(
        to request: LanguageModelExecutorGenerationRequest,
        model: NotesLanguageModel,
        streamingInto channel: LanguageModelExecutorGenerationChannel
    ) async throws {
        let promptTokens = 12
        let cachedTokens = 4
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

        var temperature = request.generationOptions.temperature
        if request.generationOptions.sampling?.kind == .greedy {
            temperature = 0
        }
        if request.schema != nil, let budget = request.generationOptions.maximumResponseTokens, budget < 5 {
            throw LanguageModelError.unsupportedCapability(
                .init(
                    capability: .guidedGeneration,
                    debugDescription: "Token budget too small to satisfy this schema."
                )
            )
        }

        for prompt in request.transcript {
            guard case .prompt(let prompt) = prompt else { continue }
            for case .custom(let segment) in prompt.segments {
                await channel.send(
                    .response(
                        action: .updateCustomSegment(
                            AudioSegment(id: segment.id, content: URL(filePath: "/answer.m4a")))))
            }
        }
        for token in ["In ", "Wisconsin ", "\(temperature ?? -1)"] {
            await channel.send(.response(action: .appendText(token)))
        }
    }
}

public struct AudioSegment: Transcript.CustomSegment {
    public var id: String
    public var content: URL
}

@Suite("The code of the session notes")
struct SessionNotesTests {
    @Test("P-05 An executor outside of its model, metadata and usage first, then tokens without counts")
    func order() async throws {
        let session = LanguageModelSession(model: NotesLanguageModel(serverTools: [.webSearch]))
        var seen: [Int] = []
        for try await snapshot in session.streamResponse(to: "...", options: GenerationOptions(sampling: .greedy)) {
            seen.append(snapshot.usage.input.cachedTokenCount)
        }
        #expect(seen == [4, 4, 4])
        guard case .response(let response)? = session.transcript.last else { return }
        #expect(try response.metadata["modelID"]?.value(String.self) == "my-model-2026-06-08")
        #expect(response.segments.map(\.description) == ["In Wisconsin 0.0"])
    }

    @Test("TR-07 TR-08 An audio segment goes in beside text, and one comes back")
    func audio() async throws {
        let session = LanguageModelSession(model: NotesLanguageModel())
        let recording = AudioSegment(
            id: UUID().uuidString,
            content: URL(filePath: "/path/to/recording.m4a")
        )
        let response = try await session.respond {
            "Where was Frank Lloyd Wright's original architecture school located?"
            recording
        }
        #expect(response.content == "In Wisconsin -1.0")
        guard case .response(let entry)? = session.transcript.last else { return }
        #expect(entry.segments.first == .custom(AudioSegment(id: recording.id, content: URL(filePath: "/answer.m4a"))))
    }

    @Test("P-18 P-19 Models are swapped without touching the code around them")
    func swapping() async throws {
        func ask(_ model: some LanguageModel) async throws -> String {
            let session = LanguageModelSession(model: model)
            let response = try await session.respond(to: "...")
            return response.content
        }
        #expect(try await ask(ScriptedModel(texts: ["x"])) == "x")
        #expect(try await ask(NotesLanguageModel()) == "In Wisconsin -1.0")
        await #expect(throws: SystemLanguageModel.Error.self) { try await ask(SystemLanguageModel()) }
        await #expect(throws: PrivateCloudComputeLanguageModel.Error.self) {
            try await ask(PrivateCloudComputeLanguageModel())
        }
    }
}
