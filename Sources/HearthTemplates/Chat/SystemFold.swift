package import HearthJSON

/// Conversations for templates that have no place for a system message: its text goes before the next user message, as
/// transformers' documentation and the makers of such models (Gemma 2, the first Mistral) advise.
///
///     system: Be brief.   user: Hi        becomes        user: Be brief.\n\nHi
///
/// Nothing is dropped: without a user message behind it, a system message becomes one.
package enum SystemFold {
    /// Between the system message's text and the user's: an empty line, as instruction data has it.
    private static let separator = "\n\n"

    /// Messages as templates read them; those that are no objects with a role, and contents that are neither text nor a
    /// list of parts, are left for the template to refuse.
    package static func folded(_ messages: [JSON]) -> [JSON] {
        var result: [JSON] = []
        var held = ""
        for message in messages {
            switch (message["role"]?.stringValue, message["content"]) {
            case ("system"?, .string(let text)?):
                held = joined(held, text)
            case ("user"?, .string(let text)?) where !held.isEmpty:
                result.append(message.with("content", .string(joined(held, text))))
                held = ""
            case ("user"?, .array(let parts)?) where !held.isEmpty:
                let first: JSON = ["type": "text", "text": .string(held + separator)]
                result.append(message.with("content", .array([first] + parts)))
                held = ""
            default:
                // An answer goes on from what stands before it: the text is a message of its own then.
                if !held.isEmpty, message["role"]?.stringValue == "assistant" {
                    result.append(user(held))
                    held = ""
                }
                result.append(message)
            }
        }
        if !held.isEmpty { result.append(user(held)) }
        return result
    }

    private static func joined(_ first: String, _ second: String) -> String {
        if first.isEmpty || second.isEmpty { return first + second }
        return first + separator + second
    }

    private static func user(_ text: String) -> JSON { ["role": "user", "content": .string(text)] }
}

extension JSON {
    /// The object with another value under a key; anything else as it is.
    fileprivate func with(_ key: String, _ value: JSON) -> JSON {
        guard case .object(var object) = self else { return self }
        object[key] = value
        return .object(object)
    }
}
