/// Answers as they grow, with context options and metadata. The forms that 27 added.
extension LanguageModelSession {
    public func streamResponse(
        to prompt: Prompt, options: GenerationOptions = GenerationOptions(),
        contextOptions: ContextOptions = ContextOptions(), metadata: [String: any ConvertibleToGeneratedContent] = [:]
    ) -> sending LanguageModelSession.ResponseStream<String> {
        stream(
            RequestSpec(
                prompt, as: String.self, schema: nil, options: options,
                contextOptions: contextOptions, metadata: metadata))
    }

    @_disfavoredOverload
    public func streamResponse(
        to prompt: String, options: GenerationOptions = GenerationOptions(),
        contextOptions: ContextOptions = ContextOptions(), metadata: [String: any ConvertibleToGeneratedContent] = [:]
    ) -> sending LanguageModelSession.ResponseStream<String> {
        stream(
            RequestSpec(
                Prompt(prompt), as: String.self, schema: nil, options: options,
                contextOptions: contextOptions, metadata: metadata))
    }

    public func streamResponse(
        options: GenerationOptions = GenerationOptions(), contextOptions: ContextOptions = ContextOptions(),
        metadata: [String: any ConvertibleToGeneratedContent] = [:], @PromptBuilder prompt: () throws -> Prompt
    ) rethrows -> sending LanguageModelSession.ResponseStream<String> {
        let prompt = try prompt()
        return stream(
            RequestSpec(
                prompt, as: String.self, schema: nil, options: options,
                contextOptions: contextOptions, metadata: metadata))
    }

    @_disfavoredOverload
    public func streamResponse(
        to prompt: Prompt, schema: GenerationSchema, options: GenerationOptions = GenerationOptions(),
        contextOptions: ContextOptions = ContextOptions(includeSchemaInPrompt: true),
        metadata: [String: any ConvertibleToGeneratedContent] = [:]
    ) -> sending LanguageModelSession.ResponseStream<GeneratedContent> {
        stream(
            RequestSpec(
                prompt, as: GeneratedContent.self, schema: schema, options: options,
                contextOptions: contextOptions, metadata: metadata))
    }

    @_disfavoredOverload
    public func streamResponse(
        to prompt: String, schema: GenerationSchema, options: GenerationOptions = GenerationOptions(),
        contextOptions: ContextOptions = ContextOptions(includeSchemaInPrompt: true),
        metadata: [String: any ConvertibleToGeneratedContent] = [:]
    ) -> sending LanguageModelSession.ResponseStream<GeneratedContent> {
        stream(
            RequestSpec(
                Prompt(prompt), as: GeneratedContent.self, schema: schema, options: options,
                contextOptions: contextOptions, metadata: metadata))
    }

    @_disfavoredOverload
    public func streamResponse(
        schema: GenerationSchema, options: GenerationOptions = GenerationOptions(),
        contextOptions: ContextOptions = ContextOptions(includeSchemaInPrompt: true),
        metadata: [String: any ConvertibleToGeneratedContent] = [:], @PromptBuilder prompt: () throws -> Prompt
    ) rethrows -> sending LanguageModelSession.ResponseStream<GeneratedContent> {
        let prompt = try prompt()
        return stream(
            RequestSpec(
                prompt, as: GeneratedContent.self, schema: schema, options: options,
                contextOptions: contextOptions, metadata: metadata))
    }

    public func streamResponse<Content>(
        to prompt: Prompt, generating type: Content.Type = Content.self,
        options: GenerationOptions = GenerationOptions(),
        contextOptions: ContextOptions = ContextOptions(includeSchemaInPrompt: true),
        metadata: [String: any ConvertibleToGeneratedContent] = [:]
    ) -> sending LanguageModelSession.ResponseStream<Content> where Content: Generable {
        stream(
            RequestSpec(
                prompt, as: Content.self, schema: Content.generationSchema, options: options,
                contextOptions: contextOptions, metadata: metadata))
    }

    @_disfavoredOverload
    public func streamResponse<Content>(
        to prompt: String, generating type: Content.Type = Content.self,
        options: GenerationOptions = GenerationOptions(),
        contextOptions: ContextOptions = ContextOptions(includeSchemaInPrompt: true),
        metadata: [String: any ConvertibleToGeneratedContent] = [:]
    ) -> sending LanguageModelSession.ResponseStream<Content> where Content: Generable {
        stream(
            RequestSpec(
                Prompt(prompt), as: Content.self, schema: Content.generationSchema, options: options,
                contextOptions: contextOptions, metadata: metadata))
    }

    public func streamResponse<Content>(
        generating type: Content.Type = Content.self, options: GenerationOptions = GenerationOptions(),
        contextOptions: ContextOptions = ContextOptions(includeSchemaInPrompt: true),
        metadata: [String: any ConvertibleToGeneratedContent] = [:], @PromptBuilder prompt: () throws -> Prompt
    ) rethrows -> sending LanguageModelSession.ResponseStream<Content> where Content: Generable {
        let prompt = try prompt()
        return stream(
            RequestSpec(
                prompt, as: Content.self, schema: Content.generationSchema, options: options,
                contextOptions: contextOptions, metadata: metadata))
    }
}
