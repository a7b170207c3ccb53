import Foundation
import FoundationModels
import Testing

/// What `@Generable` writes, by hand.
struct Person: Generable, Equatable {
    var name: String
    var age: Int?
    var children: [Person]

    struct PartiallyGenerated: ConvertibleFromGeneratedContent, Identifiable {
        var id: GenerationID
        var name: String?
        var age: Int?
        var children: [Person.PartiallyGenerated]?

        init(_ content: GeneratedContent) throws {
            id = content.id ?? GenerationID()
            name = try content.value(forProperty: "name")
            age = try content.value(forProperty: "age")
            children = try content.value(forProperty: "children")
        }
    }

    static var generationSchema: GenerationSchema {
        GenerationSchema(
            type: Person.self, description: "A person",
            properties: [
                .init(name: "name", description: "Full name", type: String.self, guides: [.pattern(/[A-Z][a-z]+/)]),
                .init(name: "age", type: Int?.self, guides: [.range(0...120)]),
                .init(name: "children", type: [Person].self, guides: [.maximumCount(3)]),
            ])
    }

    init(name: String, age: Int?, children: [Person]) {
        self.name = name
        self.age = age
        self.children = children
    }

    init(_ content: GeneratedContent) throws {
        name = try content.value(forProperty: "name")
        age = try content.value(forProperty: "age")
        children = try content.value(forProperty: "children")
    }

    var generatedContent: GeneratedContent {
        GeneratedContent(properties: ["name": name, "age": age, "children": children])
    }
}

@Suite("Guided answers")
struct GuidedTests {
    private let pieces = [#"{"na"#, #"me":"A"#, #"nn","age":4"#, #"1,"children":[{"name":"B"#, #"o","children":[]}]}"#]
    private let ann = Person(name: "Ann", age: 41, children: [Person(name: "Bo", age: nil, children: [])])

    @Test("An answer is read as its type, and stands in the transcript as a structure")
    func whole() async throws {
        let model = ScriptedModel([.guidedGeneration], texts: pieces)
        let session = LanguageModelSession(model: model)
        let response = try await session.respond(to: "a", generating: Person.self)
        #expect(response.content == ann)
        #expect(model.log.requests[0].schema?.name == "Person")
        #expect(model.log.requests[0].contextOptions.includeSchemaInPrompt == true)
        guard case .response(let entry)? = session.transcript.last, case .structure(let segment)? = entry.segments.first
        else {
            Issue.record("no structure")
            return
        }
        #expect(segment.schemaName == "Person")
        #expect(segment.content == ann.generatedContent || segment.content.jsonString == pieces.joined())
        #expect(response.transcriptEntries.last == session.transcript.last)
    }

    @Test("Snapshots grow in the order of the properties, and an element keeps its id")
    func snapshots() async throws {
        let session = LanguageModelSession(model: ScriptedModel([.guidedGeneration], texts: pieces))
        let stream = session.streamResponse(to: "a", generating: Person.self)
        var names: [String?] = []
        var ages: [Int?] = []
        var ids: Set<GenerationID> = []
        for try await snapshot in stream {
            names.append(snapshot.content.name)
            ages.append(snapshot.content.age)
            ids.insert(snapshot.content.id)
        }
        #expect(names == [nil, "A", "Ann", "Ann", "Ann", "Ann"] || names == [nil, "A", "Ann", "Ann", "Ann"])
        #expect(ages.prefix(4) == [nil, nil, nil, 41])
        #expect(ids.count == 1)
        #expect(try await stream.collect().content == ann)
    }

    @Test("An object that was cut is a parsing error with what was generated")
    func cut() async throws {
        let session = LanguageModelSession(model: ScriptedModel([.guidedGeneration], texts: [#"{"name":"A"#]))
        let error = try await #require(throws: GeneratedContent.ParsingError.self) {
            try await session.respond(to: "a", generating: Person.self)
        }
        #expect(error.rawContent == #"{"name":"A"#)
        #expect(
            error.errorDescription
                == "The answer ended inside the Person. Raise maximumResponseTokens or simplify the schema.")
        #expect(session.transcript.isEmpty)
    }

    @Test("Values, arrays and dynamic schemas are roots too")
    func roots() async throws {
        func session(_ text: String) -> LanguageModelSession {
            LanguageModelSession(model: ScriptedModel([.guidedGeneration], texts: [text]))
        }
        #expect(try await session("42").respond(to: "a", generating: Int.self).content == 42)
        #expect(try await session(#""x""#).respond(to: "a", generating: String.self).content == "x")
        #expect(try await session("[1, 2]").respond(generating: [Int].self) { "a" }.content == [1, 2])
        let dynamic = try GenerationSchema(root: .init(name: "Dish", anyOf: ["soup", "stew"]), dependencies: [])
        let dish = try await session(#""soup""#).respond(to: "a", schema: dynamic)
        #expect(dish.content == GeneratedContent("soup"))
        for text in ["", "soup"] {
            await #expect(throws: GeneratedContent.ParsingError.self) {
                try await session(text).respond(to: "a", generating: Int.self)
            }
        }
    }
}
