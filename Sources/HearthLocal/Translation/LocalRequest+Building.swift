package import FoundationModels
package import HearthInference
import HearthJSON

extension LocalRequest {
    /// A framework's request in the engine's words. Every option is honoured or refused.
    ///
    /// A sampling mode says what is kept: with a mode of the request, a top-k or top-p of the model's options narrows it
    /// further, and defaults of the model's file do not.
    package init(
        _ request: LanguageModelExecutorGenerationRequest, options: LocalLanguageModel.Options
    ) throws(RefusedLocalRequest) {
        if !request.enabledToolDefinitions.isEmpty { throw .tools(request.enabledToolDefinitions.map(\.name)) }
        if let schema = request.schema { throw .schema(schema.name) }
        if request.contextOptions.reasoningLevel != nil { throw .reasoningLevel }
        guard case .prompt? = request.transcript.last else { throw .noPrompt }
        let messages = try PromptBuilder.messages(of: request.transcript)
        let limit = request.generationOptions.maximumResponseTokens
        if let limit, limit < 1 { throw .responseTokens(limit) }
        self.init(
            prompt: .messages(["messages": .array(messages)]),
            sampling: try SamplingOptions(request.generationOptions, options), limit: limit,
            stops: options.stopSequences)
        for case .response(let response) in request.transcript { earlierEntries.insert(response.id) }
    }
}

extension SamplingOptions {
    package init(
        _ request: GenerationOptions, _ options: LocalLanguageModel.Options
    ) throws(RefusedLocalRequest) {
        self.init(
            temperature: try Self.number("temperature", request.temperature), topK: options.topK,
            topP: try Self.number("topP", options.topP), minP: try Self.number("minP", options.minP),
            repetitionPenalty: try Self.number("repetitionPenalty", options.repetitionPenalty),
            frequencyPenalty: try Self.number("frequencyPenalty", options.frequencyPenalty),
            presencePenalty: try Self.number("presencePenalty", options.presencePenalty), seed: options.seed)
        switch request.samplingMode?.kind {
        case nil: break
        case .greedy: temperature = 0
        case .randomTopK(let k, let asked):
            if k < 1 { throw .topK(k) }
            topK = k
            topP = topP ?? 1
            seed = asked ?? seed
        case .randomProbabilityThreshold(let threshold, let asked):
            topP = try Self.number("probabilityThreshold", threshold)
            topK = topK ?? 0
            seed = asked ?? seed
        }
    }

    /// Ranges are the sampler's to check; here only what a `Float` cannot hold is refused.
    private static func number(_ option: String, _ value: Double?) throws(RefusedLocalRequest) -> Float? {
        guard let value else { return nil }
        let narrow = Float(value)
        guard narrow.isFinite else { throw .notANumber(option: option, value: value) }
        return narrow
    }
}
