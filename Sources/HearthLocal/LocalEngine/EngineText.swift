import HearthLocks
import HearthTemplates
import HearthTokenizers
import HearthWeights

/// The parts of a model that know text: its tokenizer and its chat template.
struct EngineText: Sendable {
    let tokenizer: Tokenizer
    /// A template that cannot be used is an error of those requests that need it, and of no other.
    let template: Result<Template, TemplateError>?
    private let system = Locked<Bool?>(nil)

    init(_ metadata: Metadata) throws {
        tokenizer = try Tokenizer(TokenizerFacts(metadata: metadata))
        template = try metadata.text(ifPresent: "tokenizer.chat_template").map { source in
            Result { () throws(TemplateError) in try Template(source: source) }
        }
    }

    /// Whether the model's template, given here, shows system messages: found out once, for the first who asks.
    func takesSystem(_ template: Template) -> Bool {
        system.withLock { known in
            let found = known ?? template.takesSystem
            known = found
            return found
        }
    }
}
