/// Answers, whole, with context options and metadata. The forms that 27 added.
extension LanguageModelSession {
    @discardableResult
    public nonisolated(nonsending) func respond(
        to prompt: Prompt, options: GenerationOptions = GenerationOptions(),
        contextOptions: ContextOptions = ContextOptions(), metadata: [String: any ConvertibleToGeneratedContent] = [:]
    ) async throws -> LanguageModelSession.Response<String> {
        try await answer(
            RequestSpec(
                prompt, as: String.self, schema: nil, options: options,
                contextOptions: contextOptions, metadata: metadata))
    }

    @discardableResult
    @_disfavoredOverload
    public nonisolated(nonsending) func respond(
        to prompt: String, options: GenerationOptions = GenerationOptions(),
        contextOptions: ContextOptions = ContextOptions(), metadata: [String: any ConvertibleToGeneratedContent] = [:]
    ) async throws -> LanguageModelSession.Response<String> {
        try await answer(
            RequestSpec(
                Prompt(prompt), as: String.self, schema: nil, options: options,
                contextOptions: contextOptions, metadata: metadata))
    }

    @discardableResult
    public nonisolated(nonsending) func respond(
        options: GenerationOptions = GenerationOptions(), contextOptions: ContextOptions = ContextOptions(),
        metadata: [String: any ConvertibleToGeneratedContent] = [:], @PromptBuilder prompt: () throws -> Prompt
    ) async throws -> LanguageModelSession.Response<String> {
        let prompt = try prompt()
        return try await answer(
            RequestSpec(
                prompt, as: String.self, schema: nil, options: options,
                contextOptions: contextOptions, metadata: metadata))
    }

    @discardableResult
    @_disfavoredOverload
    public nonisolated(nonsending) func respond(
        to prompt: Prompt, schema: GenerationSchema, options: GenerationOptions = GenerationOptions(),
        contextOptions: ContextOptions = ContextOptions(includeSchemaInPrompt: true),
        metadata: [String: any ConvertibleToGeneratedContent] = [:]
    ) async throws -> LanguageModelSession.Response<GeneratedContent> {
        try await answer(
            RequestSpec(
                prompt, as: GeneratedContent.self, schema: schema, options: options,
                contextOptions: contextOptions, metadata: metadata))
    }

    @discardableResult
    @_disfavoredOverload
    public nonisolated(nonsending) func respond(
        to prompt: String, schema: GenerationSchema, options: GenerationOptions = GenerationOptions(),
        contextOptions: ContextOptions = ContextOptions(includeSchemaInPrompt: true),
        metadata: [String: any ConvertibleToGeneratedContent] = [:]
    ) async throws -> LanguageModelSession.Response<GeneratedContent> {
        try await answer(
            RequestSpec(
                Prompt(prompt), as: GeneratedContent.self, schema: schema, options: options,
                contextOptions: contextOptions, metadata: metadata))
    }

    @discardableResult
    @_disfavoredOverload
    public nonisolated(nonsending) func respond(
        schema: GenerationSchema, options: GenerationOptions = GenerationOptions(),
        contextOptions: ContextOptions = ContextOptions(includeSchemaInPrompt: true),
        metadata: [String: any ConvertibleToGeneratedContent] = [:], @PromptBuilder prompt: () throws -> Prompt
    ) async throws -> LanguageModelSession.Response<GeneratedContent> {
        let prompt = try prompt()
        return try await answer(
            RequestSpec(
                prompt, as: GeneratedContent.self, schema: schema, options: options,
                contextOptions: contextOptions, metadata: metadata))
    }

    @discardableResult
    public nonisolated(nonsending) func respond<Content>(
        to prompt: Prompt, generating type: Content.Type = Content.self,
        options: GenerationOptions = GenerationOptions(),
        contextOptions: ContextOptions = ContextOptions(includeSchemaInPrompt: true),
        metadata: [String: any ConvertibleToGeneratedContent] = [:]
    ) async throws -> LanguageModelSession.Response<Content> where Content: Generable {
        try await answer(
            RequestSpec(
                prompt, as: Content.self, schema: Content.generationSchema, options: options,
                contextOptions: contextOptions, metadata: metadata))
    }

    @discardableResult
    @_disfavoredOverload
    public nonisolated(nonsending) func respond<Content>(
        to prompt: String, generating type: Content.Type = Content.self,
        options: GenerationOptions = GenerationOptions(),
        contextOptions: ContextOptions = ContextOptions(includeSchemaInPrompt: true),
        metadata: [String: any ConvertibleToGeneratedContent] = [:]
    ) async throws -> LanguageModelSession.Response<Content> where Content: Generable {
        try await answer(
            RequestSpec(
                Prompt(prompt), as: Content.self, schema: Content.generationSchema, options: options,
                contextOptions: contextOptions, metadata: metadata))
    }

    @discardableResult
    public nonisolated(nonsending) func respond<Content>(
        generating type: Content.Type = Content.self, options: GenerationOptions = GenerationOptions(),
        contextOptions: ContextOptions = ContextOptions(includeSchemaInPrompt: true),
        metadata: [String: any ConvertibleToGeneratedContent] = [:], @PromptBuilder prompt: () throws -> Prompt
    ) async throws -> LanguageModelSession.Response<Content> where Content: Generable {
        let prompt = try prompt()
        return try await answer(
            RequestSpec(
                prompt, as: Content.self, schema: Content.generationSchema, options: options,
                contextOptions: contextOptions, metadata: metadata))
    }
}
