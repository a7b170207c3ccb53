import Foundation
import FoundationModels
import HearthInference
import HearthLocal
import Testing

@Suite("Requests in the engine's words")
struct RequestBuildingTests {
    private func request(
        _ options: GenerationOptions = GenerationOptions(), tools: [Transcript.ToolDefinition] = [],
        schema: GenerationSchema? = nil, context: ContextOptions = ContextOptions(),
        entries: [Transcript.Entry] = [.prompt(.init(segments: []))]
    ) -> LanguageModelExecutorGenerationRequest {
        .init(
            id: UUID(), transcript: Transcript(entries: entries), enabledTools: tools, schema: schema,
            generationOptions: options, contextOptions: context, metadata: [:])
    }

    @Test("R-08 R-09 Every sampling option arrives: mode, temperature, seed, and the model's own options beside them")
    func sampling() throws {
        let local = LocalLanguageModel.Options(topK: 30, topP: 0.8, minP: 0.1, repetitionPenalty: 1.1, seed: 7)
        func built(_ request: GenerationOptions, _ options: LocalLanguageModel.Options = .init()) throws
            -> SamplingOptions
        {
            try SamplingOptions(request, options)
        }
        #expect(try built(.init()) == SamplingOptions())
        #expect(try built(.init(temperature: 0.5)) == SamplingOptions(temperature: 0.5))
        #expect(try built(.init(sampling: .greedy, temperature: 0.9)) == SamplingOptions(temperature: 0))
        #expect(try built(.init(samplingMode: .random(top: 5, seed: 3))) == SamplingOptions(topK: 5, topP: 1, seed: 3))
        #expect(
            try built(.init(samplingMode: .random(probabilityThreshold: 0.5, seed: 3)))
                == SamplingOptions(topK: 0, topP: 0.5, seed: 3))
        #expect(
            try built(.init(samplingMode: .random(top: 5)), local)
                == SamplingOptions(topK: 5, topP: 0.8, minP: 0.1, repetitionPenalty: 1.1, seed: 7))
        #expect(
            try built(.init(samplingMode: .random(probabilityThreshold: 0.5, seed: 9)), local)
                == SamplingOptions(topK: 30, topP: 0.5, minP: 0.1, repetitionPenalty: 1.1, seed: 9))
    }

    @Test("Limits and stop sequences arrive")
    func limits() throws {
        let built = try LocalRequest(
            request(GenerationOptions(maximumResponseTokens: 9)), options: .init(stopSequences: ["a", "b"]))
        #expect(built.limit == 9)
        #expect(built.stops == ["a", "b"])
    }

    @Test("R-14 What cannot be honoured is refused by name, with the framework's error")
    func refusals() throws {
        func capability(_ request: LanguageModelExecutorGenerationRequest) -> LanguageModelCapabilities.Capability? {
            do {
                _ = try LocalRequest(request, options: .init())
                return nil
            } catch {
                guard case LanguageModelError.unsupportedCapability(let payload) = ErrorMapper.error(for: error) else {
                    return nil
                }
                return payload.capability
            }
        }
        let tool = Transcript.ToolDefinition(name: "t", description: "d", parameters: String.generationSchema)
        #expect(capability(request(tools: [tool])) == .toolCalling)
        #expect(capability(request(schema: Int.generationSchema)) == .guidedGeneration)
        #expect(capability(request(context: ContextOptions(reasoningLevel: .deep))) == .reasoning)
        let cases: [(LanguageModelExecutorGenerationRequest, String)] = [
            (
                request(GenerationOptions(maximumResponseTokens: 0)),
                "The option maximumResponseTokens is 0; allowed: 1 or more."
            ),
            (
                request(GenerationOptions(samplingMode: .random(top: 0))),
                "The sampling mode keeps 0 tokens; allowed: 1 or more."
            ),
            (
                request(GenerationOptions(temperature: .nan)),
                "The option temperature is nan; a finite number is needed."
            ),
        ]
        for (request, words) in cases {
            let error = try #require(throws: RefusedLocalRequest.self) { try LocalRequest(request, options: .init()) }
            guard case LocalLanguageModelError.invalidOption(let context) = ErrorMapper.error(for: error) else {
                Issue.record("\(error)")
                continue
            }
            #expect(context.debugDescription == words)
        }
        #expect(throws: RefusedLocalRequest.self) {
            try LocalRequest(request(entries: [.response(.init(segments: []))]), options: .init())
        }
    }

    @Test("P-06 What needs no reload is no part of the executor's configuration")
    func configuration() {
        let url = URL(filePath: "/m.gguf")
        func configuration(_ options: LocalLanguageModel.Options) -> LocalLanguageModel.Executor.Configuration {
            LocalLanguageModel(at: url, options: options).executorConfiguration
        }
        #expect(configuration(.init(topK: 3, stopSequences: ["x"], seed: 2)) == configuration(.init()))
        for options: LocalLanguageModel.Options in [
            .init(contextLength: 64), .init(cacheType: .q8), .init(threads: 1), .init(kernels: .reference),
            .init(backend: .native), .init(quantization: .q8),
        ] {
            #expect(configuration(options) != configuration(.init()))
        }
        #expect(
            LocalLanguageModel(named: "smollm2").executorConfiguration
                != LocalLanguageModel(named: "other").executorConfiguration)
    }
}
