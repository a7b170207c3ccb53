extension SystemLanguageModel: LanguageModel {
    /// What Apple's model declares, so that a request gets as far as saying that the model is not there.
    public var capabilities: LanguageModelCapabilities {
        LanguageModelCapabilities([.vision, .toolCalling, .guidedGeneration])
    }

    public var executorConfiguration: SystemLanguageModel.Executor.Configuration { Executor.Configuration() }

    public struct Executor: LanguageModelExecutor {
        public typealias Model = SystemLanguageModel

        public struct Configuration: Hashable, Sendable {}

        public init(configuration: SystemLanguageModel.Executor.Configuration) {}

        public func prewarm(model: SystemLanguageModel.Executor.Model, transcript: Transcript) {}

        public nonisolated(nonsending) func respond(
            to request: LanguageModelExecutorGenerationRequest, model: SystemLanguageModel,
            streamingInto channel: LanguageModelExecutorGenerationChannel
        ) async throws {
            throw SystemLanguageModel.Error.notOnThisPlatform
        }
    }
}

extension SystemLanguageModel {
    /// Counting needs the model's tokenizer, which is not here: all forms throw.
    public nonisolated(nonsending) func tokenCount(for prompt: some PromptRepresentable) async throws -> Int {
        throw Error.notOnThisPlatform
    }

    public nonisolated(nonsending) func tokenCount(for instructions: Instructions) async throws -> Int {
        throw Error.notOnThisPlatform
    }

    public nonisolated(nonsending) func tokenCount(for tools: [any Tool]) async throws -> Int {
        throw Error.notOnThisPlatform
    }

    public nonisolated(nonsending) func tokenCount(for schema: GenerationSchema) async throws -> Int {
        throw Error.notOnThisPlatform
    }

    public nonisolated(nonsending) func tokenCount(
        for transcriptEntries: some Collection<Transcript.Entry>
    ) async throws -> Int {
        throw Error.notOnThisPlatform
    }
}
