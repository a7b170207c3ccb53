import Synchronization

extension LanguageModelSession {
    /// The tools that the model may call in this request: none when they are disallowed.
    func enabledTools(_ spec: RequestSpec) -> [Transcript.ToolDefinition] {
        spec.options.toolCallingMode == .disallowed ? [] : plan.definitions
    }

    /// Refuses what the model cannot do, before its executor runs.
    func checkCapabilities(_ spec: RequestSpec) async throws {
        let capabilities = plan.model.capabilities
        func require(_ capability: LanguageModelCapabilities.Capability, _ cause: RefusedRequest) throws {
            guard !capabilities.contains(capability) else { return }
            throw LanguageModelError.unsupportedCapability(.init(capability: capability, cause: cause))
        }
        let tools = enabledTools(spec)
        if !tools.isEmpty { try require(.toolCalling, .tools(tools.map(\.name))) }
        if spec.options.toolCallingMode == .required, tools.isEmpty {
            throw LanguageModelError.unsupportedCapability(.init(capability: .toolCalling, cause: .requiredWithoutTools))
        }
        if let schema = spec.schema {
            try require(.guidedGeneration, .schema(schema.name))
            if let problem = schema.written.problems.first { throw problem.error(schema: schema.name) }
        }
        for definition in tools {
            if let problem = definition.parameters.written.problems.first {
                throw problem.error(schema: definition.parameters.name)
            }
        }
        if spec.contextOptions.reasoningLevel != nil { try require(.reasoning, .reasoningLevel) }
        try await checkAttachments(plan.model) { try require(.vision, .image($0)) }
    }

    /// Looks at everything that is sent to the model: images need vision, data needs a type that the model takes.
    /// What a model itself generated is not asked about.
    private func checkAttachments<Model: LanguageModel>(
        _ model: Model, requireVision: (String?) throws -> Void
    ) async throws {
        for entry in state.withLock({ $0.transcript }) {
            switch entry {
            case .instructions, .prompt, .toolOutput: break
            case .response, .reasoning, .toolCalls, .data: continue
            }
            for case .attachment(let segment) in entry.segments {
                switch segment.content {
                case .image: try requireVision(segment.label)
                case .data(let data):
                    if try await model.supportsDataAttachmentType(data.contentType) { continue }
                    throw LanguageModelError.unsupportedTranscriptContent(
                        .init(unsupportedContent: [entry], cause: .dataAttachment(data.contentType.identifier)))
                }
            }
        }
    }
}
