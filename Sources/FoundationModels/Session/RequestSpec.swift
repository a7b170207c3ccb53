/// What one call of `respond` or `streamResponse` asks for.
struct RequestSpec: Sendable {
    let prompt: Prompt
    let schema: GenerationSchema?
    let options: GenerationOptions
    let contextOptions: ContextOptions
    let metadata: [String: GeneratedContent]
    /// Reads the answer as the type that was asked for, to see that it can be read.
    let check: @Sendable (GeneratedContent) throws -> Void

    init<Content: Generable>(
        _ prompt: Prompt, as type: Content.Type, schema: GenerationSchema?, options: GenerationOptions,
        contextOptions: ContextOptions, metadata: [String: any ConvertibleToGeneratedContent] = [:]
    ) {
        self.prompt = prompt
        self.schema = schema
        self.options = options
        self.contextOptions = contextOptions
        self.metadata = metadata.lowered
        check = { _ = try Content($0) }
    }

    /// The prompt as it stands in the transcript.
    var entry: Transcript.Prompt {
        var entry = Transcript.Prompt(
            segments: prompt.parts.segments, options: options,
            responseFormat: schema.map(Transcript.ResponseFormat.init(schema:)))
        entry.contextOptions = contextOptions
        entry.metadata = metadata
        return entry
    }
}
