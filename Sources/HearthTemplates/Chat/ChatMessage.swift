package import HearthJSON

/// One message as templates know them.
package struct ChatMessage: Sendable, Hashable {
    package enum Content: Sendable, Hashable {
        case text(String)
        /// Parts such as `{"type": "image"}` and `{"type": "text", "text": ...}`.
        case parts([JSON])
    }

    package struct ToolCall: Sendable, Hashable {
        package var id: String?
        package var name: String
        /// A mapping as a rule; a text of JSON is read when the context is built (`ChatContext`).
        package var arguments: JSON

        package init(id: String? = nil, name: String, arguments: JSON) {
            (self.id, self.name, self.arguments) = (id, name, arguments)
        }
    }

    package var role: String
    package var content: Content?
    package var reasoning: String?
    package var toolCalls: [ToolCall]
    /// Of a tool's message: the call it answers, and the tool's name.
    package var toolCallID: String?
    package var name: String?

    package init(
        role: String, content: Content?, reasoning: String? = nil, toolCalls: [ToolCall] = [],
        toolCallID: String? = nil, name: String? = nil
    ) {
        (self.role, self.content, self.reasoning) = (role, content, reasoning)
        (self.toolCalls, self.toolCallID, self.name) = (toolCalls, toolCallID, name)
    }

    package init(role: String, _ text: String) { self.init(role: role, content: .text(text)) }
}
