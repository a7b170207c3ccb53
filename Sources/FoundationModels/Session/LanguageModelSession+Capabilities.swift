extension LanguageModelSession {
    /// Refuses what the model cannot do, before its executor runs.
    func checkCapabilities(_ request: LanguageModelExecutorGenerationRequest, _ model: any LanguageModel) async throws {
        let capabilities = model.capabilities
        func require(_ capability: LanguageModelCapabilities.Capability, _ cause: RefusedRequest) throws {
            guard !capabilities.contains(capability) else { return }
            throw LanguageModelError.unsupportedCapability(.init(capability: capability, cause: cause))
        }
        let tools = request.enabledToolDefinitions
        if !tools.isEmpty { try require(.toolCalling, .tools(tools.map(\.name))) }
        if request.generationOptions.toolCallingMode == .required, tools.isEmpty {
            throw LanguageModelError.unsupportedCapability(
                .init(capability: .toolCalling, cause: .requiredWithoutTools))
        }
        if let schema = request.schema {
            try require(.guidedGeneration, .schema(schema.name))
            if let problem = schema.written.problems.first { throw problem.error(schema: schema.name) }
        }
        for definition in tools {
            if let problem = definition.parameters.written.problems.first {
                throw problem.error(schema: definition.parameters.name)
            }
        }
        if request.contextOptions.reasoningLevel != nil { try require(.reasoning, .reasoningLevel) }
        try await checkAttachments(request.transcript, model) { try require(.vision, .image($0)) }
    }

    /// Looks at everything that is sent to the model: images need vision, data needs a type that the model takes.
    /// What a model itself generated is not asked about.
    private func checkAttachments<Model: LanguageModel>(
        _ transcript: Transcript, _ model: Model, requireVision: (String?) throws -> Void
    ) async throws {
        for entry in transcript {
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
