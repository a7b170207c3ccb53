import FoundationModels
import Testing

/// Calls each of the 36 forms with all its arguments, and the short spellings that must find one form without ambiguity.
@Suite("Forms of respond and streamResponse")
struct OverloadTests {
    private let model = ScriptedModel([.guidedGeneration], texts: ["7"])
    private let prompt = Prompt("a")
    private let schema = Int.generationSchema
    private let options = GenerationOptions(temperature: 0.5)
    private let context = ContextOptions(includeSchemaInPrompt: false)

    @Test("The six forms for text without metadata ask alike and answer alike")
    func text() async throws {
        let session = LanguageModelSession(model: model)
        do {
            let response: LanguageModelSession.Response<String> = try await session.respond(
                to: prompt, options: options)
            #expect(response.content == "7")
            let stream: LanguageModelSession.ResponseStream<String> = session.streamResponse(
                to: prompt, options: options)
            #expect(try await stream.collect().content == "7")
        }
        do {
            let response: LanguageModelSession.Response<String> = try await session.respond(to: "a", options: options)
            #expect(response.content == "7")
            let stream: LanguageModelSession.ResponseStream<String> = session.streamResponse(to: "a", options: options)
            #expect(try await stream.collect().content == "7")
        }
        do {
            let response: LanguageModelSession.Response<String> = try await session.respond(options: options) { "a" }
            #expect(response.content == "7")
            let stream: LanguageModelSession.ResponseStream<String> = session.streamResponse(options: options) { "a" }
            #expect(try await stream.collect().content == "7")
        }
        let first = model.log.requests.prefix(6)
        #expect(first.count == 6)
        for request in first {
            #expect(request.transcript.last?.description == "(Prompt) a")
            #expect(request.generationOptions == options)
            #expect((request.schema != nil) == false)
            #expect(request.contextOptions.includeSchemaInPrompt == nil)
            #expect(request.metadata["k"] == nil)
        }
    }

    @Test("The six forms for a schema without metadata ask alike and answer alike")
    func schema() async throws {
        let session = LanguageModelSession(model: model)
        do {
            let response: LanguageModelSession.Response<GeneratedContent> = try await session.respond(
                to: prompt, schema: schema, includeSchemaInPrompt: false, options: options)
            #expect(response.content == GeneratedContent(7))
            let stream: LanguageModelSession.ResponseStream<GeneratedContent> = session.streamResponse(
                to: prompt, schema: schema, includeSchemaInPrompt: false, options: options)
            #expect(try await stream.collect().content == GeneratedContent(7))
        }
        do {
            let response: LanguageModelSession.Response<GeneratedContent> = try await session.respond(
                to: "a", schema: schema, includeSchemaInPrompt: false, options: options)
            #expect(response.content == GeneratedContent(7))
            let stream: LanguageModelSession.ResponseStream<GeneratedContent> = session.streamResponse(
                to: "a", schema: schema, includeSchemaInPrompt: false, options: options)
            #expect(try await stream.collect().content == GeneratedContent(7))
        }
        do {
            let response: LanguageModelSession.Response<GeneratedContent> = try await session.respond(
                schema: schema, includeSchemaInPrompt: false, options: options
            ) { "a" }
            #expect(response.content == GeneratedContent(7))
            let stream: LanguageModelSession.ResponseStream<GeneratedContent> = session.streamResponse(
                schema: schema, includeSchemaInPrompt: false, options: options
            ) { "a" }
            #expect(try await stream.collect().content == GeneratedContent(7))
        }
        let first = model.log.requests.prefix(6)
        #expect(first.count == 6)
        for request in first {
            #expect(request.transcript.last?.description == "(Prompt) a")
            #expect(request.generationOptions == options)
            #expect((request.schema != nil) == true)
            #expect(request.contextOptions.includeSchemaInPrompt == false)
            #expect(request.metadata["k"] == nil)
        }
    }

    @Test("The six forms for a type without metadata ask alike and answer alike")
    func type() async throws {
        let session = LanguageModelSession(model: model)
        do {
            let response: LanguageModelSession.Response<Int> = try await session.respond(
                to: prompt, generating: Int.self, includeSchemaInPrompt: false, options: options)
            #expect(response.content == 7)
            let stream: LanguageModelSession.ResponseStream<Int> = session.streamResponse(
                to: prompt, generating: Int.self, includeSchemaInPrompt: false, options: options)
            #expect(try await stream.collect().content == 7)
        }
        do {
            let response: LanguageModelSession.Response<Int> = try await session.respond(
                to: "a", generating: Int.self, includeSchemaInPrompt: false, options: options)
            #expect(response.content == 7)
            let stream: LanguageModelSession.ResponseStream<Int> = session.streamResponse(
                to: "a", generating: Int.self, includeSchemaInPrompt: false, options: options)
            #expect(try await stream.collect().content == 7)
        }
        do {
            let response: LanguageModelSession.Response<Int> = try await session.respond(
                generating: Int.self, includeSchemaInPrompt: false, options: options
            ) { "a" }
            #expect(response.content == 7)
            let stream: LanguageModelSession.ResponseStream<Int> = session.streamResponse(
                generating: Int.self, includeSchemaInPrompt: false, options: options
            ) { "a" }
            #expect(try await stream.collect().content == 7)
        }
        let first = model.log.requests.prefix(6)
        #expect(first.count == 6)
        for request in first {
            #expect(request.transcript.last?.description == "(Prompt) a")
            #expect(request.generationOptions == options)
            #expect((request.schema != nil) == true)
            #expect(request.contextOptions.includeSchemaInPrompt == false)
            #expect(request.metadata["k"] == nil)
        }
    }

    @Test("The six forms for text with metadata ask alike and answer alike")
    func textWithMetadata() async throws {
        let session = LanguageModelSession(model: model)
        do {
            let response: LanguageModelSession.Response<String> = try await session.respond(
                to: prompt, options: options, contextOptions: context, metadata: ["k": 1])
            #expect(response.content == "7")
            let stream: LanguageModelSession.ResponseStream<String> = session.streamResponse(
                to: prompt, options: options, contextOptions: context, metadata: ["k": 1])
            #expect(try await stream.collect().content == "7")
        }
        do {
            let response: LanguageModelSession.Response<String> = try await session.respond(
                to: "a", options: options, contextOptions: context, metadata: ["k": 1])
            #expect(response.content == "7")
            let stream: LanguageModelSession.ResponseStream<String> = session.streamResponse(
                to: "a", options: options, contextOptions: context, metadata: ["k": 1])
            #expect(try await stream.collect().content == "7")
        }
        do {
            let response: LanguageModelSession.Response<String> = try await session.respond(
                options: options, contextOptions: context, metadata: ["k": 1]
            ) { "a" }
            #expect(response.content == "7")
            let stream: LanguageModelSession.ResponseStream<String> = session.streamResponse(
                options: options, contextOptions: context, metadata: ["k": 1]
            ) { "a" }
            #expect(try await stream.collect().content == "7")
        }
        let first = model.log.requests.prefix(6)
        #expect(first.count == 6)
        for request in first {
            #expect(request.transcript.last?.description == "(Prompt) a")
            #expect(request.generationOptions == options)
            #expect((request.schema != nil) == false)
            #expect(request.contextOptions.includeSchemaInPrompt == false)
            #expect(request.metadata["k"] == GeneratedContent(1))
        }
    }

    @Test("The six forms for a schema with metadata ask alike and answer alike")
    func schemaWithMetadata() async throws {
        let session = LanguageModelSession(model: model)
        do {
            let response: LanguageModelSession.Response<GeneratedContent> = try await session.respond(
                to: prompt, schema: schema, options: options, contextOptions: context, metadata: ["k": 1])
            #expect(response.content == GeneratedContent(7))
            let stream: LanguageModelSession.ResponseStream<GeneratedContent> = session.streamResponse(
                to: prompt, schema: schema, options: options, contextOptions: context, metadata: ["k": 1])
            #expect(try await stream.collect().content == GeneratedContent(7))
        }
        do {
            let response: LanguageModelSession.Response<GeneratedContent> = try await session.respond(
                to: "a", schema: schema, options: options, contextOptions: context, metadata: ["k": 1])
            #expect(response.content == GeneratedContent(7))
            let stream: LanguageModelSession.ResponseStream<GeneratedContent> = session.streamResponse(
                to: "a", schema: schema, options: options, contextOptions: context, metadata: ["k": 1])
            #expect(try await stream.collect().content == GeneratedContent(7))
        }
        do {
            let response: LanguageModelSession.Response<GeneratedContent> = try await session.respond(
                schema: schema, options: options, contextOptions: context, metadata: ["k": 1]
            ) { "a" }
            #expect(response.content == GeneratedContent(7))
            let stream: LanguageModelSession.ResponseStream<GeneratedContent> = session.streamResponse(
                schema: schema, options: options, contextOptions: context, metadata: ["k": 1]
            ) { "a" }
            #expect(try await stream.collect().content == GeneratedContent(7))
        }
        let first = model.log.requests.prefix(6)
        #expect(first.count == 6)
        for request in first {
            #expect(request.transcript.last?.description == "(Prompt) a")
            #expect(request.generationOptions == options)
            #expect((request.schema != nil) == true)
            #expect(request.contextOptions.includeSchemaInPrompt == false)
            #expect(request.metadata["k"] == GeneratedContent(1))
        }
    }

    @Test("The six forms for a type with metadata ask alike and answer alike")
    func typeWithMetadata() async throws {
        let session = LanguageModelSession(model: model)
        do {
            let response: LanguageModelSession.Response<Int> = try await session.respond(
                to: prompt, generating: Int.self, options: options, contextOptions: context, metadata: ["k": 1])
            #expect(response.content == 7)
            let stream: LanguageModelSession.ResponseStream<Int> = session.streamResponse(
                to: prompt, generating: Int.self, options: options, contextOptions: context, metadata: ["k": 1])
            #expect(try await stream.collect().content == 7)
        }
        do {
            let response: LanguageModelSession.Response<Int> = try await session.respond(
                to: "a", generating: Int.self, options: options, contextOptions: context, metadata: ["k": 1])
            #expect(response.content == 7)
            let stream: LanguageModelSession.ResponseStream<Int> = session.streamResponse(
                to: "a", generating: Int.self, options: options, contextOptions: context, metadata: ["k": 1])
            #expect(try await stream.collect().content == 7)
        }
        do {
            let response: LanguageModelSession.Response<Int> = try await session.respond(
                generating: Int.self, options: options, contextOptions: context, metadata: ["k": 1]
            ) { "a" }
            #expect(response.content == 7)
            let stream: LanguageModelSession.ResponseStream<Int> = session.streamResponse(
                generating: Int.self, options: options, contextOptions: context, metadata: ["k": 1]
            ) { "a" }
            #expect(try await stream.collect().content == 7)
        }
        let first = model.log.requests.prefix(6)
        #expect(first.count == 6)
        for request in first {
            #expect(request.transcript.last?.description == "(Prompt) a")
            #expect(request.generationOptions == options)
            #expect((request.schema != nil) == true)
            #expect(request.contextOptions.includeSchemaInPrompt == false)
            #expect(request.metadata["k"] == GeneratedContent(1))
        }
    }

    @Test("Short calls find one form: for guided answers the schema goes into the prompt, for text nothing is said")
    func short() async throws {
        let session = LanguageModelSession(model: model)
        try await session.respond(to: "a")
        try await session.respond(to: prompt)
        try await session.respond { "a" }
        let include = model.log.requests.map(\.contextOptions.includeSchemaInPrompt)
        #expect(include == [nil, nil, nil])
        try await session.respond(to: "a", schema: schema)
        try await session.respond(to: prompt, schema: schema)
        try await session.respond(schema: schema) { "a" }
        try await session.respond(to: "a", generating: Int.self)
        try await session.respond(to: prompt, generating: Int.self)
        try await session.respond(generating: Int.self) { "a" }
        let inferred: Int = try await session.respond(to: "a").content
        #expect(inferred == 7)
        #expect(model.log.requests.dropFirst(3).allSatisfy { $0.contextOptions.includeSchemaInPrompt == true })
        #expect(model.log.requests.count == 10)
        _ = try await session.streamResponse { "a" }.collect()
        _ = try await session.streamResponse(to: "a", schema: schema).collect()
        _ = try await session.streamResponse(generating: [Int].self) { "a" }.rawText()
        let any: any LanguageModel = model
        #expect(try await LanguageModelSession(model: any).respond(to: "a").content == "7")
    }

    @Test("A builder that throws throws before anything is asked")
    func throwing() async {
        struct Broken: Error {}
        let session = LanguageModelSession(model: model)
        func prompt() throws -> Prompt { throw Broken() }
        await #expect(throws: Broken.self) { try await session.respond { try prompt() } }
        #expect(throws: Broken.self) { try session.streamResponse { try prompt() } }
        #expect(session.transcript.isEmpty)
    }
}

extension LanguageModelSession.ResponseStream {
    /// The answer as text, or the error's words: `7` is no array.
    fileprivate func rawText() async throws -> String {
        do { return try await collect().rawContent.jsonString } catch let error as GeneratedContent.ParsingError {
            return error.rawContent
        }
    }
}
