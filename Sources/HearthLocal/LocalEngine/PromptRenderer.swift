import HearthJSON
import HearthTemplates
import HearthTokenizers
import HearthTokens

/// Messages to the text of a prompt, by the model's own template.
struct PromptRenderer {
    private let text: EngineText
    private let facts: EngineFacts

    init(_ text: EngineText, _ facts: EngineFacts) {
        self.text = text
        self.facts = facts
    }

    func render(_ context: JSON) throws -> PromptParts {
        guard let template = text.template else { throw LocalEngineError.noTemplate(model: facts.modelID) }
        let known = try template.get()
        let prompt = try known.render(completed(context, for: known))
        var parts = PromptParts()
        for run in prompt.runs { parts.append(run.bytes, isData: run.origin == .data) }
        return parts
    }

    /// With what templates expect of whoever runs them. What is no object is left for the template to refuse. For a template
    /// that has no place for system messages their text goes before the user's (`SystemFold`).
    private func completed(_ context: JSON, for template: Template) -> JSON {
        guard case .object(var object) = context else { return context }
        if let messages = object["messages"]?.arrayValue,
            messages.contains(where: { $0["role"]?.stringValue == "system" }), !text.takesSystem(template)
        {
            object["messages"] = .array(SystemFold.folded(messages))
        }
        let special = text.tokenizer.special
        let expected: [(String, JSON?)] = [
            ("add_generation_prompt", .bool(true)), ("bos_token", piece(special.bos)), ("eos_token", piece(special.eos)),
        ]
        for (key, value) in expected where object[key]?.isNull ?? true { object[key] = value }
        return .object(object)
    }

    /// The text of a special token.
    private func piece(_ token: Token?) -> JSON? {
        token.map { .string(String(decoding: text.tokenizer.vocabulary.bytes(of: $0), as: UTF8.self)) }
    }
}
