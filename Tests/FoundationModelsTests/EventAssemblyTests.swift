import Foundation
import FoundationModels
import Testing

/// What a session makes of events that an executor sends.
@Suite("Events to entries")
struct EventAssemblyTests {
    private func session(
        _ events: [LanguageModelExecutorGenerationChannel.Event]
    ) async throws -> LanguageModelSession {
        let model = ScriptedModel { _, channel in
            for event in events { await channel.send(event) }
        }
        let session = LanguageModelSession(model: model)
        try await session.respond(to: "a")
        return session
    }

    private func responses(_ session: LanguageModelSession) -> [Transcript.Response] {
        session.transcript.compactMap { if case .response(let response) = $0 { response } else { nil } }
    }

    private func reasonings(_ session: LanguageModelSession) -> [Transcript.Reasoning] {
        session.transcript.compactMap { if case .reasoning(let reasoning) = $0 { reasoning } else { nil } }
    }

    @Test("E-02 Two ids make two entries, and an id that comes again is appended to, with others between")
    func entryIDs() async throws {
        let session = try await session([
            .response(entryID: "1", action: .appendText("a", tokenCount: 1)),
            .reasoning(entryID: "r", action: .appendText("t", tokenCount: 1)),
            .response(entryID: "2", action: .appendText("b", tokenCount: 1)),
            .response(entryID: "1", action: .appendText("c", tokenCount: 1)),
            .reasoning(entryID: "r", action: .appendText("u", tokenCount: 1)),
        ])
        #expect(session.transcript.kinds == ["prompt", "response", "reasoning", "response"])
        #expect(responses(session).map(\.id) == ["1", "2"])
        #expect(responses(session).map { $0.segments.map(\.description).joined() } == ["ac", "b"])
        #expect(reasonings(session).map { $0.segments.map(\.description) } == [["tu"]])
    }

    @Test("E-01 E-03 Without ids each kind goes to an entry of its own")
    func withoutIDs() async throws {
        let session = try await session([
            .response(action: .appendText("a")), .response(action: .appendText("b")),
        ])
        #expect(responses(session).map { $0.segments.map(\.description) } == [["ab"]])
    }

    @Test("E-14 Z-09 Without an id reasoning goes on in the entry before it, and begins anew after another kind")
    func coalescing() async throws {
        let session = try await session([
            .reasoning(action: .appendText("a", tokenCount: 1)), .reasoning(action: .appendText("b", tokenCount: 1)),
            .response(action: .appendText("x", tokenCount: 1)), .reasoning(action: .appendText("c", tokenCount: 1)),
        ])
        #expect(session.transcript.kinds == ["prompt", "reasoning", "response", "reasoning"])
        #expect(reasonings(session).map { $0.segments.map(\.description) } == [["ab"], ["c"]])
    }

    @Test("E-04 E-05 Z-07 Segment ids split text, and replacing changes that segment only")
    func segments() async throws {
        let session = try await session([
            .response(action: .appendText("one", segmentID: "1", tokenCount: 2)),
            .response(action: .appendText("two", segmentID: "2", tokenCount: 3)),
            .response(action: .appendText("!", segmentID: "1", tokenCount: 1)),
            .response(action: .replaceTextSegment("TWO", segmentID: "2", tokenCount: 0)),
            .response(action: .appendText("?", tokenCount: 1)),
        ])
        #expect(responses(session).first?.segments.map(\.description) == ["one!", "TWO?"])
        #expect(session.usage.output.totalTokenCount == 7)
    }

    @Test("E-06 TR-08 A custom segment comes back with the response; its id says whether it is new")
    func customSegments() async throws {
        struct Audio: Transcript.CustomSegment {
            var id: String
            var content: URL
        }
        let first = Audio(id: "a", content: URL(filePath: "/1"))
        let second = Audio(id: "a", content: URL(filePath: "/2"))
        let session = try await session([
            .response(action: .updateCustomSegment(first)), .response(action: .appendText("x", tokenCount: 1)),
            .response(action: .updateCustomSegment(second)),
        ])
        #expect(responses(session).first?.segments.first == .custom(second))
        #expect(responses(session).first?.segments.count == 2)
    }

    @Test("E-07 E-08 Z-06 Attachments are added, also with the same id, and removed by id")
    func attachments() async throws {
        func image(_ id: String) -> Transcript.AttachmentSegment {
            .init(id: id, content: .image(.init(imageURL: URL(filePath: "/x.png"))))
        }
        let session = try await session([
            .response(action: .addAttachmentSegment(image("a"))), .response(action: .addAttachmentSegment(image("a"))),
            .response(action: .addAttachmentSegment(image("b"))), .response(action: .removeAttachmentSegment(id: "c")),
            .response(action: .removeAttachmentSegment(image("b"))),
        ])
        #expect(responses(session).first?.segments.map(\.id) == ["a", "a"])
    }

    @Test("E-09 Z-02 Metadata is a whole snapshot: a key that is left out is gone")
    func metadata() async throws {
        let session = try await session([
            .response(action: .updateMetadata(["modelID": "m", "n": 1])),
            .response(action: .updateMetadata(["modelID": "m2"])),
        ])
        let metadata = try #require(responses(session).first?.metadata)
        #expect(metadata.keys.sorted() == ["modelID"])
        #expect(try metadata["modelID"]?.value(String.self) == "m2")
    }

    @Test("E-10 Z-01 Usage replaces: 10 and then 25 is 25; deltas after it count on top")
    func usage() async throws {
        func usage(_ count: Int) -> LanguageModelExecutorGenerationChannel.Event {
            .response(
                action: .updateUsage(
                    input: .init(totalTokenCount: 5, cachedTokenCount: 2),
                    output: .init(totalTokenCount: count, reasoningTokenCount: 1)))
        }
        let session = try await session([
            .response(action: .appendText("a", tokenCount: 3)), usage(10), usage(25),
            .response(action: .appendText("b", tokenCount: 2)),
        ])
        #expect(session.usage.output.totalTokenCount == 27)
        #expect(session.usage.input.cachedTokenCount == 2)
    }

    @Test("E-15 Without a usage event, reasoning tokens are the counts of the deltas")
    func reasoningTokens() async throws {
        let session = try await session([
            .reasoning(action: .appendText("a", tokenCount: 3)), .reasoning(action: .appendText("b", tokenCount: 4)),
            .response(action: .appendText("x", tokenCount: 1)),
        ])
        #expect(session.usage.output.reasoningTokenCount == 7)
        #expect(session.usage.output.totalTokenCount == 8)
    }

    @Test("E-12 E-13 Z-08 A signature is bytes, makes its entry, and leaves earlier metadata alone")
    func signature() async throws {
        let bytes = Data([0xFF, 0x00, 0xFE])
        let session = try await session([
            .reasoning(entryID: "r", action: .updateMetadata(["k": true])),
            .reasoning(entryID: "r", action: .updateSignature(Data([1]), tokenCount: 0)),
            .reasoning(entryID: "r", action: .updateSignature(bytes, tokenCount: 0)),
        ])
        let reasoning = try #require(reasonings(session).first)
        #expect(reasoning.signature == bytes)
        #expect(reasoning.segments.isEmpty)
        #expect(try reasoning.metadata["k"]?.value(Bool.self) == true)
    }

    @Test("E-20 Metadata and usage of a tool-calls entry replace what was said before")
    func toolCallsEntry() async throws {
        @Sendable func usage(_ count: Int) -> LanguageModelExecutorGenerationChannel.Event {
            .toolCalls(
                entryID: "c",
                action: .updateUsage(
                    input: .init(totalTokenCount: 5, cachedTokenCount: 2),
                    output: .init(totalTokenCount: count, reasoningTokenCount: 0)))
        }
        let model = ScriptedModel([.toolCalling]) { round, channel in
            guard round.number == 1 else { return }
            for event: LanguageModelExecutorGenerationChannel.Event in [
                .toolCalls(entryID: "c", action: .updateMetadata(["modelID": "m", "n": 1])),
                .toolCalls(
                    entryID: "c", action: .toolCall(id: "1", name: "Clock", action: .appendArguments(#"{"zone":1}"#, tokenCount: 4))),
                usage(10), usage(25), .toolCalls(entryID: "c", action: .updateMetadata(["modelID": "m2"])),
            ] { await channel.send(event) }
        }
        let session = LanguageModelSession(model: model, tools: [RequestTests.Clock()])
        try await session.respond(to: "a")
        #expect(session.usage.output.totalTokenCount == 25)
        #expect(session.usage.input.cachedTokenCount == 2)
        #expect(session.transcript.kinds == ["instructions", "prompt", "toolCalls", "toolOutput"])
    }

    @Generable
    struct Citation: Equatable {
        var url: String
        var start: Int
        var end: Int
    }

    @Test("TR-13 What is said of a text segment stands in its entry's metadata under the segment's id, and is saved")
    func segmentMetadata() async throws {
        let session = try await session([
            .response(entryID: "r", action: .appendText("It rains", segmentID: "s1", tokenCount: 2)),
            .response(entryID: "r", action: .updateMetadata(["s1": Citation(url: "https://a.b", start: 3, end: 8)])),
            .response(entryID: "r", action: .appendText(" in Delft.", segmentID: "s2", tokenCount: 2)),
        ])
        let saved = try JSONEncoder().encode(session.transcript)
        for transcript in [session.transcript, try JSONDecoder().decode(Transcript.self, from: saved)] {
            guard case .response(let response)? = transcript.last, case .text(let segment)? = response.segments.first else {
                Issue.record("\(transcript)")
                continue
            }
            #expect(response.segments.map(\.id) == ["s1", "s2"])
            let citation = try #require(response.metadata[segment.id]).value(Citation.self)
            #expect(citation == Citation(url: "https://a.b", start: 3, end: 8))
            let text = Array(segment.content)
            #expect(String(text[citation.start..<citation.end]) == "rains")
        }
    }

    @Test("The same id under two kinds names two entries")
    func sharedID() async throws {
        let session = try await session([
            .reasoning(entryID: "x", action: .appendText("t", tokenCount: 1)),
            .response(entryID: "x", action: .appendText("a", tokenCount: 1)),
        ])
        #expect(session.transcript.kinds == ["prompt", "reasoning", "response"])
    }

    @Test("A data entry is replaced by its id, and refused when the model does not support its type")
    func data() async throws {
        let session = try await session([
            .data(entryID: "d", action: .update(contentType: .json, content: Data("1".utf8))),
            .data(entryID: "d", action: .update(contentType: .json, content: Data("2".utf8))),
            .data(action: .update(contentType: .json, content: Data("3".utf8))),
        ])
        let contents = session.transcript.compactMap { entry -> String? in
            if case .data(let data) = entry { String(decoding: data.content, as: UTF8.self) } else { nil }
        }
        #expect(contents == ["2", "3"])
        await #expect(throws: LanguageModelError.self) {
            try await self.session([.data(action: .update(contentType: .pdf, content: Data()))])
        }
    }

    @Test("An executor that sends nothing gives an empty text")
    func nothing() async throws {
        let session = LanguageModelSession(model: ScriptedModel(texts: []))
        #expect(try await session.respond(to: "a").content == "")
    }
}
