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
        var object = context.objectValue ?? JSONObject()
        func addMissing(_ key: String, _ value: JSON?) {
            if let value, !object.contains(key) { object[key] = value }
        }
        addMissing("add_generation_prompt", .bool(true))
        addMissing("bos_token", piece(text.tokenizer.special.bos))
        addMissing("eos_token", piece(text.tokenizer.special.eos))

        let prompt = try template.get().render(.object(object))
        var parts = PromptParts()
        for run in prompt.runs { parts.append(run.bytes, isData: run.origin == .data) }
        return parts
    }

    /// The text of a special token.
    private func piece(_ token: Token?) -> JSON? {
        token.map { .string(String(decoding: text.tokenizer.vocabulary.bytes(of: $0), as: UTF8.self)) }
    }
}
