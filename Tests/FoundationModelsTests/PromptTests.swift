import Foundation
import FoundationModels
import Testing

@Suite("Prompts")
struct PromptTests {
    private func segments(@PromptBuilder _ prompt: () throws -> Prompt) async throws -> [Transcript.Segment] {
        let model = ScriptedModel([.vision], texts: ["x"])
        try await LanguageModelSession(model: model).respond(prompt: prompt)
        guard case .prompt(let entry)? = model.log.requests.first?.transcript.last else { return [] }
        return entry.segments
    }

    @Test("Texts of a builder are lines of one segment; conditions and loops work")
    func text() async throws {
        let isPolite = true
        let found = try await segments {
            "one"
            if isPolite { "two" }
            if !isPolite { "never" } else { "three" }
            for number in 4...5 { "\(number)" }
            ["six", "seven"]
            Prompt("eight")
            9
            nil as Int?
        }
        #expect(found.map(\.description) == ["one\ntwo\nthree\n4\n5\nsix\nseven\neight\n9\nnull"])
    }

    @Test("An empty prompt is legal")
    func empty() async throws {
        #expect(try await segments {}.isEmpty)
    }

    @Test("An instance of a generable type stands as a structure under its schema's name")
    func instance() async throws {
        let found = try await segments {
            "Like this:"
            Person(name: "Ann", age: 3, children: [])
            GeneratedContent(properties: ["a": 1])
        }
        guard case .structure(let person) = found[1] else {
            Issue.record("\(found)")
            return
        }
        #expect(person.schemaName == "Person")
        #expect(found.count == 3)
    }

    @Test("TR-06 TR-07 A custom segment stands where it was put, beside text and images")
    func custom() async throws {
        struct Audio: Transcript.CustomSegment {
            var id: String
            var content: URL
        }
        let recording = Audio(id: "a", content: URL(filePath: "/x.m4a"))
        let found = try await segments {
            "What is said here?"
            recording
            Attachment(imageURL: URL(filePath: "/x.png")).label("speaker")
        }
        #expect(found.map(\.id)[1] == "a")
        #expect(found[1] == .custom(recording))
        guard case .attachment(let image) = found[2] else { return }
        #expect(image.label == "speaker")
    }

    @Test("TR-09 Images come from addresses and from bytes, whose type is read")
    func images() {
        let png = Transcript.ImageAttachment(
            data: Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]), mimeType: nil)
        #expect(png.mimeType == "image/png")
        #expect(png.orientation == .up)
        #expect(Transcript.ImageAttachment(data: Data([1]), mimeType: nil).mimeType == nil)
        let url = URL(string: "https://example.com/a.JPG")!
        #expect(Transcript.ImageAttachment(imageURL: url).mimeType == "image/jpeg")
        #expect(Transcript.ImageAttachment(imageURL: url).url == url)
        let transcript = Transcript(entries: [
            .prompt(.init(segments: [.attachment(.init(content: .image(png), label: "p"))]))
        ])
        #expect(ImageReference(attachmentLabel: "p").resolved(in: transcript) == png)
        #expect(ImageReference(attachmentLabel: "q").resolve(in: transcript) == nil)
    }
}
