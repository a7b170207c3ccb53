package import HearthJSON

/// A chat template: messages in, prompt text with origins out.
///
/// The language is Jinja as Hugging Face's transformers runs it (immutable sandbox, `trim_blocks`, `lstrip_blocks`,
/// loop controls, `generation`). It is loaded once: unknown tags and filters are errors then, with their place.
///
///     let template = try Template(source: text)
///     let prompt = try template.render(context)        // context: {"messages": [...], "add_generation_prompt": true}
///
/// It leaves tokens to the tokenizer, and the choice of messages to its caller (`ChatContext` builds the context).
package struct Template: Sendable {
    /// Longest source that is read. The longest chat template we know has 30 KB.
    package static let longestSource = 1 << 20

    package let source: String
    /// The variables and attributes it reads.
    package let mentions: TemplateMentions
    let tree: TemplateTree

    /// - Throws: `TemplateError` with the place.
    package init(source: String) throws(TemplateError) {
        guard source.utf8.count <= Self.longestSource else {
            throw TemplateError(.sourceTooLong(bytes: source.utf8.count, limit: Self.longestSource), at: nil)
        }
        self.source = source
        tree = try TemplateParser.tree(of: source)
        mentions = TemplateMentions(tree)
    }

    /// - Parameters:
    ///   - context: an object; its members are the template's variables, in whatever order.
    ///   - budget: what the rendering may use; nil allows what suits the size of the context.
    ///   - trust: which texts of the context count as the template's own.
    ///   - now: the date that `strftime_now` gives; nil for the clock's.
    /// - Throws: `TemplateError`: the template refused (`raisedText`), is wrong, or used up its budget.
    package func render(
        _ context: JSON, budget: TemplateBudget? = nil, trust: TemplateTrust = .chat, now: TemplateDate? = nil
    ) throws(TemplateError) -> RenderedPrompt {
        guard case .object(let object) = context else { throw TemplateError(.contextNotObject, at: nil) }
        let budget = budget ?? .standard(contextBytes: context.approximateBytes)
        var result = Result<Text, TemplateError>.success(.empty)
        LargeStack.run { stack in
            do throws(TemplateError) {
                let renderer = Renderer(tree, budget, now: now, stack: stack)
                result = .success(try renderer.render(ContextValues(object, trust)))
            } catch {
                result = .failure(error)
            }
        }
        return RenderedPrompt(try result.get())
    }
}

/// The text that the model reads, in runs of one origin.
package struct RenderedPrompt: Sendable, Hashable {
    package struct Run: Sendable, Hashable {
        package let bytes: [UInt8]
        package let origin: TextOrigin

        package init(bytes: [UInt8], origin: TextOrigin) { (self.bytes, self.origin) = (bytes, origin) }
    }

    /// In order; neighbours differ in origin, none is empty.
    package let runs: [Run]

    package init(runs: [Run]) { self.runs = runs }

    init(_ text: Text) {
        var start = 0
        runs = text.runs.map { run in
            defer { start = run.end }
            return Run(bytes: Array(text.bytes[start..<run.end]), origin: run.origin)
        }
    }

    package var bytes: [UInt8] { Array(runs.map(\.bytes).joined()) }
    package var text: String { String(decoding: bytes, as: UTF8.self) }
}

extension JSON {
    /// About the length of its text.
    var approximateBytes: Int {
        switch self {
        case .null, .bool, .integer, .number: 8
        case .string(let text): text.utf8.count + 2
        case .array(let items): items.reduce(2) { $0 + $1.approximateBytes }
        case .object(let object): object.reduce(2) { $0 + $1.key.utf8.count + 4 + $1.value.approximateBytes }
        }
    }
}
