package import HearthJSON

/// Builds the variables of a chat template: the names, and the order of keys, that templates are written for
/// (transformers' `apply_chat_template`).
///
///     var chat = ChatContext(messages: [ChatMessage(role: "user", "Hi")])
///     chat.bosToken = "<s>"
///     let prompt = try template.render(chat.json(arguments: template.capabilities().toolArguments))
package struct ChatContext: Sendable, Hashable {
    /// How a template wants the arguments of past tool calls.
    package enum ToolArguments: Sendable, Hashable {
        /// As a mapping, the usual way.
        case mapping
        /// As compact JSON: the template pastes them into text.
        case text
    }

    package var messages: [ChatMessage]
    /// Tool definitions, `{"type": "function", "function": {...}}`, with their keys in the order sent.
    package var tools: [JSON] = []
    /// Ends the prompt where the assistant's answer begins.
    package var addGenerationPrompt = true
    package var bosToken: String?
    package var eosToken: String?
    /// Further variables, such as `enable_thinking`; they replace those above of the same name.
    package var variables = JSONObject()

    package init(messages: [ChatMessage]) { self.messages = messages }

    package func json(arguments: ToolArguments = .mapping) -> JSON {
        var object = JSONObject()
        object["messages"] = .array(messages.map { Self.json($0, arguments) })
        // Defined and none when there are none, as transformers gives them.
        object["tools"] = tools.isEmpty ? .null : .array(tools)
        object["documents"] = .null
        object["add_generation_prompt"] = .bool(addGenerationPrompt)
        if let bosToken { object["bos_token"] = .string(bosToken) }
        if let eosToken { object["eos_token"] = .string(eosToken) }
        for member in variables { object[member.key] = member.value }
        return .object(object)
    }

    private static func json(_ message: ChatMessage, _ arguments: ToolArguments) -> JSON {
        var object = JSONObject()
        object["role"] = .string(message.role)
        switch message.content {
        case .text(let text)?: object["content"] = .string(text)
        case .parts(let parts)?: object["content"] = .array(parts)
        // Templates test whether content is none more often than whether it is defined.
        case nil: object["content"] = .null
        }
        if let reasoning = message.reasoning {
            // The standard name, and the one that gpt-oss reads.
            object["reasoning_content"] = .string(reasoning)
            object["thinking"] = .string(reasoning)
        }
        if !message.toolCalls.isEmpty {
            object["tool_calls"] = .array(message.toolCalls.map { json($0, arguments) })
        }
        if let id = message.toolCallID { object["tool_call_id"] = .string(id) }
        if let name = message.name { object["name"] = .string(name) }
        return .object(object)
    }

    private static func json(_ call: ChatMessage.ToolCall, _ form: ToolArguments) -> JSON {
        var object = JSONObject()
        if let id = call.id { object["id"] = .string(id) }
        object["type"] = "function"
        object["function"] = ["name": .string(call.name), "arguments": arguments(call.arguments, as: form)]
        return .object(object)
    }

    /// One form for arguments however they arrived. A text that holds no JSON object stays the text it is: a model may
    /// have written anything.
    package static func arguments(_ arguments: JSON, as form: ToolArguments) -> JSON {
        var value = arguments
        if case .string(let text) = arguments {
            guard let parsed = object(in: text) else { return arguments }
            value = parsed
        }
        // As Python's `json.dumps` would have written them; a number that is not finite becomes a word there too.
        return form == .text ? .string(value.description) : value
    }

    private static func object(in text: String) -> JSON? {
        do throws(JSONError) {
            let value = try JSON.parse(text)
            if case .object = value { return value }
        } catch {
            // Not JSON: no error of ours, see above.
        }
        return nil
    }
}
