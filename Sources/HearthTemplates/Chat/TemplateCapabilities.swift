import HearthJSON

/// What a template can do with a conversation. Found by reading its tree and, where only that tells, by rendering small
/// conversations; never from the model's name.
package struct TemplateCapabilities: Sendable, Hashable {
    /// It shows tool definitions to the model.
    package let takesTools: Bool
    /// It shows past tool calls.
    package let takesToolCalls: Bool
    /// A system message's text reaches the prompt.
    package let takesSystem: Bool
    /// It shows the reasoning of past answers, or switches it.
    package let takesReasoning: Bool
    /// Variables that switch reasoning on, off or to a degree, most usual first.
    package let reasoningSwitches: [String]
    package let toolArguments: ChatContext.ToolArguments
    /// What `add_generation_prompt` adds at the end; nil where it adds nothing there.
    package let generationPrompt: String?

    fileprivate static let switches = [
        "enable_thinking", "thinking", "reasoning_effort", "thinking_budget", "thinking_mode", "reasoning_mode",
        "reasoning", "thinking_effort",
    ]
}

extension Template {
    /// Renders a handful of small conversations: some milliseconds. Keep the result with the template.
    package func capabilities() -> TemplateCapabilities {
        let switches = TemplateCapabilities.switches.filter(mentions.variables.contains)
        let readsReasoning = ["reasoning_content", "reasoning", "thinking"].contains(
            where: mentions.attributes.contains)
        return TemplateCapabilities(
            takesTools: mentions.variables.contains("tools"),
            takesToolCalls: mentions.attributes.contains("tool_calls"),
            takesSystem: takesSystem,
            takesReasoning: readsReasoning || !switches.isEmpty,
            reasoningSwitches: switches, toolArguments: probedToolArguments(),
            generationPrompt: probedGenerationPrompt())
    }

    /// Whether a system message's text reaches the prompt. Some templates refuse such a message, others drop it in silence;
    /// `SystemFold` is for both. One small conversation is rendered: keep the result.
    package var takesSystem: Bool {
        probe([ChatMessage(role: "system", "qzsystem"), ChatMessage(role: "user", "qzuser")])
            .map { $0.contains("qzsystem") && $0.contains("qzuser") } ?? false
    }

    /// The prompt of a conversation; nil where the template refuses it.
    private func probe(
        _ messages: [ChatMessage], adding: Bool = false, as form: ChatContext.ToolArguments = .mapping
    ) -> String? {
        var context = ChatContext(messages: messages)
        context.addGenerationPrompt = adding
        (context.bosToken, context.eosToken) = ("", "")
        do throws(TemplateError) { return try render(context.json(arguments: form)).text } catch { return nil }
    }

    /// A mapping, unless the template shows a mapping wrongly (not at all, or as Python writes it) and a text rightly.
    private func probedToolArguments() -> ChatContext.ToolArguments {
        guard mentions.attributes.contains("tool_calls") else { return .mapping }
        let call = ChatMessage.ToolCall(id: "call00001", name: "qztool", arguments: ["qzkey": "qzvalue"])
        // Some templates show calls only of an answer without content, others concatenate the content whatever it is.
        for content in [nil, ChatMessage.Content.text("")] {
            let messages = [
                ChatMessage(role: "user", "qzuser"),
                ChatMessage(role: "assistant", content: content, toolCalls: [call]),
                ChatMessage(role: "tool", content: .text("qzresult"), toolCallID: "call00001", name: "qztool"),
            ]
            if let prompt = probe(messages), prompt.contains("qzvalue"), !prompt.contains("{'qzkey'") { return .mapping }
            if let prompt = probe(messages, as: .text), prompt.contains(#""qzkey": "qzvalue""#) { return .text }
        }
        return .mapping
    }

    private func probedGenerationPrompt() -> String? {
        let messages = [ChatMessage(role: "user", "qzuser")]
        guard let with = probe(messages, adding: true), let without = probe(messages), with != without,
            with.utf8.starts(with: without.utf8)
        else { return nil }
        return String(decoding: with.utf8.dropFirst(without.utf8.count), as: UTF8.self)
    }
}
