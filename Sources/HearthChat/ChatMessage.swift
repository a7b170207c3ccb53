public import Foundation

/// Who says a message.
public enum ChatRole: String, Codable, Sendable {
    case system
    case user
    case assistant
}

/// One message of a conversation.
public struct ChatMessage: Codable, Identifiable, Sendable, Hashable {
    public var id: UUID
    public let role: ChatRole
    public let content: String

    public init(id: UUID = UUID(), role: ChatRole, content: String) {
        self.id = id
        self.role = role
        self.content = content
    }

    public static func system(_ content: String) -> ChatMessage { ChatMessage(role: .system, content: content) }
    public static func user(_ content: String) -> ChatMessage { ChatMessage(role: .user, content: content) }
    public static func assistant(_ content: String) -> ChatMessage { ChatMessage(role: .assistant, content: content) }
}
