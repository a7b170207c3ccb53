public import FoundationModels

/// Any framework model as a chat model.
///
///     let chat = FrameworkChatModel(LocalLanguageModel(named: "smollm2"), identifier: "smollm2")
///     let answer = try await chat.generateResponse(for: [.user("Why is the sky blue?")], configuration: .init())
///
/// System messages become instructions where they stand. Each call is a session of its own, so the conversation is what
/// the caller passes; a local model still remembers the beginning that it has read before.
public struct FrameworkChatModel<Model: FoundationModels.LanguageModel>: LanguageModel {
    public let modelIdentifier: String
    let model: Model
    let tools: [any Tool]

    /// - Parameter tools: what the model may call while it answers.
    public init(_ model: Model, identifier: String = "\(Model.self)", tools: [any Tool] = []) {
        self.model = model
        modelIdentifier = identifier
        self.tools = tools
    }

    public func generateResponse(
        for messages: [ChatMessage], configuration: LanguageModelConfiguration
    ) async throws -> ChatMessage {
        var text = ""
        if configuration.stopSequences.isEmpty {
            let request = try ChatRequest(messages, configuration)
            text = try await session(request).respond(to: request.prompt, options: request.options).content
        } else {
            // A stop sequence ends the generation, which only a reader can do.
            for try await piece in streamResponse(for: messages, configuration: configuration) { text += piece }
        }
        return .assistant(text)
    }

    /// An answer of a type: a structure, or an enumeration to classify with.
    public func generateResponse<Content: Generable & Sendable>(
        for messages: [ChatMessage], generating type: Content.Type,
        configuration: LanguageModelConfiguration = LanguageModelConfiguration()
    ) async throws -> Content {
        let request = try ChatRequest(messages, configuration)
        guard configuration.stopSequences.isEmpty else {
            throw ChatError.unsupportedOption(name: "stop sequences in a structured answer", model: modelIdentifier)
        }
        return try await session(request).respond(to: request.prompt, generating: type, options: request.options)
            .content
    }

    public func streamResponse(
        for messages: [ChatMessage], configuration: LanguageModelConfiguration
    ) -> AsyncThrowingStream<String, any Error> {
        AsyncThrowingStream { continuation in
            let task = Task {
                do {
                    let request = try ChatRequest(messages, configuration)
                    var cutter = StopCutter(configuration.stopSequences)
                    var sent = 0
                    var last = ""
                    for try await snapshot in session(request).streamResponse(
                        to: request.prompt, options: request.options)
                    {
                        let text = snapshot.content
                        guard text.utf8.starts(with: last.utf8) else { throw ChatError.textWasReplaced }
                        let piece = String(decoding: Array(text.utf8.dropFirst(sent)), as: UTF8.self)
                        sent = text.utf8.count
                        last = text
                        let answer = cutter.push(piece)
                        if !answer.isEmpty { continuation.yield(answer) }
                        if cutter.isStopped { break }
                    }
                    let rest = cutter.finish()
                    if !rest.isEmpty { continuation.yield(rest) }
                    try Task.checkCancellation()
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    private func session(_ request: ChatRequest) -> LanguageModelSession {
        LanguageModelSession(model: model, tools: tools, transcript: request.history)
    }
}
