import Foundation
import HearthJSON
import HearthTemplates
import HearthTestSupport
import Testing

/// Every chat template of llama-cpp-vocabs over sixteen conversations, against jinja2 with transformers' settings
/// (Tests/Fixtures/make-template-references.py).
@Suite struct AllTemplatesTests {
    struct References: Sendable {
        let lines: [JSON]
        let conversations: JSONObject
        let templates: [JSON]
    }

    static let references: References? = {
        guard let bytes = try? Fixtures.bytes("references/all-templates.json"),
            let json = try? JSON.parse(Array(bytes)),
            let lines = json["lines"]?.arrayValue, let conversations = json["conversations"]?.objectValue,
            let templates = json["templates"]?.arrayValue
        else { return nil }
        return References(lines: lines, conversations: conversations, templates: templates)
    }()

    @Test("the references hold 71 templates and 16 conversations") func complete() {
        #expect(Self.references?.templates.count == 71)
        #expect(Self.references?.conversations.count == 16)
    }

    @Test(
        "each template gives jinja2's bytes, or refuses where that does",
        .enabled(if: Store.has(Store.vocabularies), "run make test to fetch llama-cpp-vocabs"),
        arguments: (references?.templates ?? []).compactMap { $0["template"]?.stringValue })
    func bytes(_ name: String) throws {
        let references = try #require(Self.references)
        let reference = try #require(references.templates.first { $0["template"]?.stringValue == name })
        let file = Store.vocabularies.appending(path: "templates/\(name)")
        let template = try Template(source: String(decoding: Data(contentsOf: file), as: UTF8.self))
        let date = TemplateDate(year: 2025, month: 1, day: 15, hour: 12)
        for conversation in references.conversations {
            let expected = try #require(reference["cases"]?[conversation.key])
            var context: JSONObject = try #require(
                (["tools": nil, "documents": nil, "bos_token": "<BOS>", "eos_token": "<EOS>"] as JSON).objectValue)
            for member in try #require(conversation.value.objectValue) { context[member.key] = member.value }
            do throws(TemplateError) {
                let prompt = try template.render(.object(context), now: date)
                let lines = (expected.arrayValue ?? []).compactMap {
                    $0.intValue.flatMap { references.lines[$0].stringValue }
                }
                #expect(expected.arrayValue != nil, "\(conversation.key): jinja2 refuses: \(expected)")
                #expect(prompt.text == lines.joined(separator: "\n"), "\(conversation.key)")
            } catch {
                #expect(expected.objectValue != nil, "\(conversation.key): \(error)")
                if let raised = expected["raised"] {
                    #expect(error.raisedText == raised.stringValue, "\(conversation.key)")
                }
            }
        }
    }

    @Test(
        "what a template can do is read from it",
        .enabled(if: Store.has(Store.vocabularies), "run make test to fetch llama-cpp-vocabs"))
    func capabilities() throws {
        func capabilities(_ name: String) throws -> TemplateCapabilities {
            let file = Store.vocabularies.appending(path: "templates/\(name).jinja")
            return try Template(source: String(decoding: Data(contentsOf: file), as: UTF8.self)).capabilities()
        }
        let qwen = try capabilities("Qwen-Qwen3-0.6B")
        #expect(qwen.takesTools && qwen.takesToolCalls && qwen.takesSystem && qwen.takesReasoning)
        #expect(qwen.reasoningSwitches == ["enable_thinking"])
        #expect(qwen.toolArguments == .mapping)
        #expect(qwen.generationPrompt == "<|im_start|>assistant\n")
        let gemma = try capabilities("google-gemma-2-2b-it")
        #expect(!gemma.takesTools && !gemma.takesSystem && !gemma.takesReasoning)
        // One of DeepSeek's templates adds the arguments to a text, the other writes them as JSON.
        #expect(try capabilities("deepseek-ai-DeepSeek-R1-Distill-Llama-8B").toolArguments == .text)
        #expect(try capabilities("deepseek-ai-DeepSeek-R1-Distill-Qwen-32B").toolArguments == .mapping)
    }
}
