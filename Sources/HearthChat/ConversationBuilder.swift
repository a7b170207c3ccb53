/// Puts a conversation together of system, user and assistant messages and of history.
///
///     let messages = conversation {
///         ChatMessage.system("Be brief.")
///         history
///         if let name { "My name is \(name)." }
///         "Why is the sky blue?"
///     }
///
/// A plain text is the user's.
@resultBuilder
public enum ConversationBuilder {
    public static func buildExpression(_ message: ChatMessage) -> [ChatMessage] { [message] }
    public static func buildExpression(_ messages: [ChatMessage]) -> [ChatMessage] { messages }
    public static func buildExpression(_ text: String) -> [ChatMessage] { [.user(text)] }
    public static func buildBlock(_ parts: [ChatMessage]...) -> [ChatMessage] { parts.flatMap { $0 } }
    public static func buildOptional(_ part: [ChatMessage]?) -> [ChatMessage] { part ?? [] }
    public static func buildEither(first: [ChatMessage]) -> [ChatMessage] { first }
    public static func buildEither(second: [ChatMessage]) -> [ChatMessage] { second }
    public static func buildArray(_ parts: [[ChatMessage]]) -> [ChatMessage] { parts.flatMap { $0 } }
    public static func buildLimitedAvailability(_ part: [ChatMessage]) -> [ChatMessage] { part }
}

/// The messages that the builder puts together.
public func conversation(@ConversationBuilder _ messages: () -> [ChatMessage]) -> [ChatMessage] {
    messages()
}
