/// Answers, whole. The forms of the 26 SDK.
extension LanguageModelSession {
    @discardableResult
    public nonisolated(nonsending) func respond(
        to prompt: Prompt, options: GenerationOptions = GenerationOptions()
    ) async throws -> LanguageModelSession.Response<String> {
        try await answer(
            RequestSpec(
                prompt, as: String.self, schema: nil, options: options,
                contextOptions: ContextOptions()))
    }

    @discardableResult
    @_disfavoredOverload
    public nonisolated(nonsending) func respond(
        to prompt: String, options: GenerationOptions = GenerationOptions()
    ) async throws -> LanguageModelSession.Response<String> {
        try await answer(
            RequestSpec(
                Prompt(prompt), as: String.self, schema: nil, options: options,
                contextOptions: ContextOptions()))
    }

    @discardableResult
    public nonisolated(nonsending) func respond(
        options: GenerationOptions = GenerationOptions(), @PromptBuilder prompt: () throws -> Prompt
    ) async throws -> LanguageModelSession.Response<String> {
        let prompt = try prompt()
        return try await answer(
            RequestSpec(
                prompt, as: String.self, schema: nil, options: options,
                contextOptions: ContextOptions()))
    }

    @discardableResult
    public nonisolated(nonsending) func respond(
        to prompt: Prompt, schema: GenerationSchema, includeSchemaInPrompt: Bool = true,
        options: GenerationOptions = GenerationOptions()
    ) async throws -> LanguageModelSession.Response<GeneratedContent> {
        try await answer(
            RequestSpec(
                prompt, as: GeneratedContent.self, schema: schema, options: options,
                contextOptions: ContextOptions(includeSchemaInPrompt: includeSchemaInPrompt)))
    }

    @discardableResult
    @_disfavoredOverload
    public nonisolated(nonsending) func respond(
        to prompt: String, schema: GenerationSchema, includeSchemaInPrompt: Bool = true,
        options: GenerationOptions = GenerationOptions()
    ) async throws -> LanguageModelSession.Response<GeneratedContent> {
        try await answer(
            RequestSpec(
                Prompt(prompt), as: GeneratedContent.self, schema: schema, options: options,
                contextOptions: ContextOptions(includeSchemaInPrompt: includeSchemaInPrompt)))
    }

    @discardableResult
    public nonisolated(nonsending) func respond(
        schema: GenerationSchema, includeSchemaInPrompt: Bool = true, options: GenerationOptions = GenerationOptions(),
        @PromptBuilder prompt: () throws -> Prompt
    ) async throws -> LanguageModelSession.Response<GeneratedContent> {
        let prompt = try prompt()
        return try await answer(
            RequestSpec(
                prompt, as: GeneratedContent.self, schema: schema, options: options,
                contextOptions: ContextOptions(includeSchemaInPrompt: includeSchemaInPrompt)))
    }

    @discardableResult
    public nonisolated(nonsending) func respond<Content>(
        to prompt: Prompt, generating type: Content.Type = Content.self, includeSchemaInPrompt: Bool = true,
        options: GenerationOptions = GenerationOptions()
    ) async throws -> LanguageModelSession.Response<Content> where Content: Generable {
        try await answer(
            RequestSpec(
                prompt, as: Content.self, schema: Content.generationSchema, options: options,
                contextOptions: ContextOptions(includeSchemaInPrompt: includeSchemaInPrompt)))
    }

    @discardableResult
    @_disfavoredOverload
    public nonisolated(nonsending) func respond<Content>(
        to prompt: String, generating type: Content.Type = Content.self, includeSchemaInPrompt: Bool = true,
        options: GenerationOptions = GenerationOptions()
    ) async throws -> LanguageModelSession.Response<Content> where Content: Generable {
        try await answer(
            RequestSpec(
                Prompt(prompt), as: Content.self, schema: Content.generationSchema, options: options,
                contextOptions: ContextOptions(includeSchemaInPrompt: includeSchemaInPrompt)))
    }

    @discardableResult
    public nonisolated(nonsending) func respond<Content>(
        generating type: Content.Type = Content.self, includeSchemaInPrompt: Bool = true,
        options: GenerationOptions = GenerationOptions(), @PromptBuilder prompt: () throws -> Prompt
    ) async throws -> LanguageModelSession.Response<Content> where Content: Generable {
        let prompt = try prompt()
        return try await answer(
            RequestSpec(
                prompt, as: Content.self, schema: Content.generationSchema, options: options,
                contextOptions: ContextOptions(includeSchemaInPrompt: includeSchemaInPrompt)))
    }
}

extension LanguageModelSession {
    nonisolated(nonsending) func answer<Content: Generable>(_ spec: RequestSpec) async throws -> Response<Content> {
        try await begin(spec, wantsSnapshots: false).result().response()
    }

    func stream<Content: Generable>(_ spec: RequestSpec) -> sending ResponseStream<Content> {
        ResponseStream(begin(spec, wantsSnapshots: true))
    }
}
