/// A model that goes on with a conversation: the small chat-style API, beside the framework's.
///
/// Its name is also that of the framework's protocol. Where both modules are imported, write `HearthChat.LanguageModel`
/// or ``ChatModel``. ``FrameworkChatModel`` makes one of any framework model, ``ChatLanguageModel`` goes the other way.
public protocol LanguageModel: Sendable {
    /// The model's name, for logs and pickers.
    var modelIdentifier: String { get }

    /// The whole answer to the last message.
    func generateResponse(
        for messages: [ChatMessage], configuration: LanguageModelConfiguration
    ) async throws -> ChatMessage

    /// The answer in pieces, as they are generated. The model stops when the stream is no longer read.
    func streamResponse(
        for messages: [ChatMessage], configuration: LanguageModelConfiguration
    ) -> AsyncThrowingStream<String, any Error>
}

/// The protocol under a name that nothing else has.
public typealias ChatModel = LanguageModel

extension LanguageModel {
    /// The answer in pieces, as a type with a name.
    public func tokens(
        for messages: [ChatMessage], configuration: LanguageModelConfiguration = LanguageModelConfiguration()
    ) -> TokenStream {
        TokenStream(streamResponse(for: messages, configuration: configuration))
    }

    /// A conversation that is put together in a builder.
    public func generateResponse(
        configuration: LanguageModelConfiguration = LanguageModelConfiguration(),
        @ConversationBuilder _ messages: () -> [ChatMessage]
    ) async throws -> ChatMessage {
        try await generateResponse(for: messages(), configuration: configuration)
    }
}
