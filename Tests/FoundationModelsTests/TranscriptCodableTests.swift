import Foundation
import FoundationModels
import Testing

@Suite("Transcript, saved and read")
struct TranscriptCodableTests {
    struct Note: Transcript.CustomSegment {
        struct Content: Codable, Equatable, Sendable { var b: Int, a: [String] }
        var id: String
        var content: Content
    }

    private func roundTrip(_ transcript: Transcript) throws -> Transcript {
        try JSONDecoder().decode(Transcript.self, from: JSONEncoder().encode(transcript))
    }

    @Test("Every entry and segment comes back equal, orders of properties included")
    func everything() throws {
        let value = try GeneratedContent(
            json: #"{"z":1,"a":{"y":[1.5,2,{"q":null,"p":true}],"x":"é"},"n":9007199254740993}"#)
        let options: [GenerationOptions] = [
            GenerationOptions(
                samplingMode: .greedy, temperature: 0.1, maximumResponseTokens: 3, toolCallingMode: .required),
            GenerationOptions(samplingMode: .random(top: 40, seed: .max)),
            GenerationOptions(samplingMode: .random(probabilityThreshold: 0.9), toolCallingMode: .disallowed),
        ]
        let image = Transcript.ImageAttachment(data: Data([0xFF, 0xD8, 0xFF, 0xE0]), mimeType: nil, orientation: .left)
        var entries: [Transcript.Entry] = [
            .instructions(
                .init(
                    segments: [.text(.init(content: "Be \u{0}\n brief"))],
                    toolDefinitions: [.init(name: "t", description: "d", parameters: ImageReference.generationSchema)])),
            .prompt(
                .init(
                    metadata: ["k": value, "f": 2.0], segments: [.structure(.init(schemaName: "S", content: value))],
                    options: options[0], responseFormat: .init(type: [Int].self),
                    contextOptions: ContextOptions(includeSchemaInPrompt: false, reasoningLevel: .custom("xhigh")))),
            .prompt(.init(segments: [.attachment(.init(content: .image(image), label: "l"))], options: options[1])),
            .prompt(
                .init(
                    segments: [.attachment(.init(content: .image(.init(imageURL: URL(string: "https://a/b.png")!))))],
                    options: options[2])),
            .prompt(
                .init(segments: [
                    .attachment(
                        .init(content: .data(.init(contentType: .json, content: Data("1".utf8), metadata: value))))
                ])),
            .reasoning(
                .init(
                    metadata: ["k": true], segments: [.text(.init(content: "t"))], signature: Data([0xFF, 0x00, 0xFE]))),
            .toolCalls(
                .init(id: "tc", [.init(id: "c", metadata: ["m": value], toolName: "t", arguments: value)])),
            .toolOutput(.init(id: "c", toolName: "t", segments: [.text(.init(content: "out"))])),
            .response(.init(assetIDs: ["a"], segments: [.text(.init(content: "r"))])),
            .response(.init(metadata: ["modelID": "m"], segments: [])),
            .data(.init(contentType: .init(exportedAs: "x.y"), content: Data([1, 2]), metadata: value)),
        ]
        entries.append(
            .response(.init(segments: [.structure(.init(schemaName: "P", content: try .init(json: #"{"a":["x"#)))])))
        let transcript = Transcript(entries: entries)
        let back = try roundTrip(transcript)
        for (index, (one, other)) in zip(transcript, back).enumerated() { #expect(one == other, "entry \(index)") }
        #expect(try roundTrip(back) == back)
        guard case .structure(let partial)? = back.last?.responseSegments.first else {
            Issue.record("no structure")
            return
        }
        #expect(!partial.content.isComplete)
    }

    @Test("A custom segment of an unknown type keeps its id, content and text")
    func custom() throws {
        let note = Note(id: "n", content: .init(b: 1, a: ["x"]))
        let back = try roundTrip(Transcript(entries: [.prompt(.init(segments: [.custom(note)]))]))
        guard case .prompt(let prompt)? = back.first else { return }
        #expect(prompt.segments.first?.id == "n")
        #expect(prompt.segments.first?.description == #"{"a":["x"],"b":1}"#)
        #expect(try roundTrip(back) == back)
    }

    @Test("The form of the 26 SDK is read")
    func older() throws {
        let json = #"""
            {"type":"FoundationModels.Transcript","version":1,"transcript":{"entries":[
            {"role":"instructions","id":"i","contents":[{"type":"text","id":"t","text":"Be brief."}],"tools":[
              {"type":"function","function":{"name":"w","description":"d","parameters":{"type":"object","title":"A",
               "properties":{"city":{"type":"string"}},"required":["city"],"additionalProperties":false,"x-order":["city"]}}}]},
            {"role":"user","id":"p","contents":[],"options":{},"responseFormat":{"type":"jsonSchema","jsonSchema":
              {"name":"N","schema":{"type":"integer"}}}},
            {"role":"response","id":"c","toolCalls":[{"id":"1","name":"w","arguments":"{\"city\":\"Rome\"}"}]},
            {"role":"tool","id":"o","toolCallID":"1","toolName":"w","contents":[]},
            {"role":"response","id":"r","assets":["x"],"contents":[{"type":"structure","id":"s","structure":
              {"source":"N","content":7}}]}]}}
            """#
        let transcript = try JSONDecoder().decode(Transcript.self, from: Data(json.utf8))
        #expect(transcript.kinds == ["instructions", "prompt", "toolCalls", "toolOutput", "response"])
        #expect(transcript[3].id == "1")
        guard case .prompt(let prompt) = transcript[1] else { return }
        #expect(prompt.responseFormat?.name == "N")
    }

    @Test("A broken document is refused with the place and the reason")
    func broken() throws {
        let cases = [
            (#"{"type":"x","version":1}"#, "Transcript, top: the type is 'x', not a transcript's."),
            (
                #"{"type":"FoundationModels.Transcript","version":3}"#,
                "Transcript, top: version 3 is not known; 1 and 1.1 are."
            ),
            (
                #"{"type":"FoundationModels.Transcript","version":1,"transcript":{"entries":[{"role":"x","id":"i"}]}}"#,
                "Transcript, entries[0]: the role 'x' is not known."
            ),
            (
                #"{"type":"FoundationModels.Transcript","version":1,"transcript":{"entries":[{"role":"user","id":"i","contents":[{"type":"text","id":"t"}]}]}}"#,
                "Transcript, entries[0].contents[0]: 'text' is missing or is not a string."
            ),
        ]
        for (json, words) in cases {
            do {
                _ = try JSONDecoder().decode(Transcript.self, from: Data(json.utf8))
                Issue.record("read \(json)")
            } catch DecodingError.dataCorrupted(let context) {
                #expect(context.debugDescription == words)
            }
        }
    }

    @Test("History leaves out the leading instructions, and setting it keeps them")
    func history() {
        var transcript = Transcript(entries: [
            .instructions(.init(segments: [], toolDefinitions: [])), .prompt(.init(id: "1", segments: [])),
            .prompt(.init(id: "2", segments: [])),
        ])
        #expect(transcript.history.map(\.id) == ["1", "2"])
        transcript.history.append(.prompt(.init(id: "3", segments: [])))
        transcript.history.removeFirst()
        #expect(transcript.kinds == ["instructions", "prompt", "prompt"])
        #expect(transcript.history.map(\.id) == ["2", "3"])
        transcript.history = []
        #expect(transcript.kinds == ["instructions"])
        transcript.append(.prompt(.init(id: "4", segments: [])))
        transcript.removeAll { if case .instructions = $0 { true } else { false } }
        #expect(transcript.history.count == 1)
    }
}

extension Transcript.Entry {
    var responseSegments: [Transcript.Segment] {
        if case .response(let response) = self { response.segments } else { [] }
    }
}
