import Foundation
import FoundationModels
import HearthJSON
import HearthLocal
import Testing

@Suite("PromptBuilder")
struct PromptBuilderTests {
    struct Note: Transcript.CustomSegment {
        var id: String
        var content: [String]
    }

    struct Results: Transcript.CustomSegment {
        var id: String
        var content: [String]
        var description: String { "results" }
        var promptRepresentation: Prompt { Prompt(content.joined(separator: ", ")) }
    }

    private func text(_ text: String) -> Transcript.Segment { .text(.init(content: text)) }

    @Test("TR-02 Instructions, prompts and responses become system, user and assistant messages")
    func roles() throws {
        let transcript = Transcript(entries: [
            .instructions(.init(segments: [text("Be brief."), text("Be kind.")], toolDefinitions: [])),
            .prompt(
                .init(segments: [text("one"), .structure(.init(schemaName: "S", content: .init(properties: ["a": 1])))])
            ),
            .reasoning(.init(segments: [text("hm")])),
            .response(.init(segments: [text("two"), text("three")])),
            .response(.init(segments: [text("four")])),
            .prompt(
                .init(segments: [
                    .custom(Note(id: "n", content: ["x"])), .custom(Results(id: "r", content: ["y", "z"])),
                ])),
        ])
        let messages = try PromptBuilder.messages(of: transcript)
        #expect(
            messages == [
                ["role": "system", "content": "Be brief.\nBe kind."],
                ["role": "user", "content": "one\n{\"a\":1}"],
                ["role": "assistant", "content": "twothreefour"],
                ["role": "user", "content": "[\"x\"]\ny, z"],
            ])
    }

    @Test("Empty instructions are left out, an empty answer is kept")
    func empties() throws {
        let transcript = Transcript(entries: [
            .instructions(.init(segments: [], toolDefinitions: [])), .prompt(.init(segments: [text("a")])),
            .response(.init(segments: [])), .prompt(.init(segments: [text("b")])),
        ])
        let roles = try PromptBuilder.messages(of: transcript).map { $0["role"]?.stringValue }
        #expect(roles == ["user", "assistant", "user"])
    }

    @Test("X-06 TR-11 What a local model cannot read is refused with its entry")
    func refusals() throws {
        let image = Transcript.Segment.attachment(
            .init(content: .image(.init(imageURL: URL(filePath: "/x.png"))), label: "car"))
        let cases: [(Transcript.Entry, String)] = [
            (
                .prompt(.init(segments: [image])),
                "The transcript holds an image ('car'); local models see no images. Remove it."
            ),
            (
                .prompt(
                    .init(segments: [.attachment(.init(content: .data(.init(contentType: .pdf, content: Data()))))])),
                "The transcript holds data of type com.adobe.pdf; local models read text only. Remove it, or give its text."
            ),
            (
                .data(.init(contentType: .json, content: Data())),
                "The transcript holds data of type public.json; local models read text only. Remove it, or give its text."
            ),
            (
                .toolCalls(.init(id: "t", [])),
                "The transcript holds an entry of a tool ('t'); local models do not read these yet. "
                    + "Leave tool calls and their outputs out of the transcript."
            ),
        ]
        for (entry, words) in cases {
            let error = try #require(throws: RefusedLocalRequest.self) {
                try PromptBuilder.messages(of: Transcript(entries: [entry]))
            }
            #expect(error.description == words)
            switch ErrorMapper.error(for: error) {
            case LanguageModelError.unsupportedCapability(let payload): #expect(payload.capability == .vision)
            case LanguageModelError.unsupportedTranscriptContent(let payload):
                #expect(payload.unsupportedContent == [entry])
            case let other: Issue.record("\(other)")
            }
        }
    }
}
