import FoundationModels
import Testing

@Suite struct GenerableTests {
    @Test("a struct keeps its memberwise initializer and round-trips through generated content")
    func structRoundTrip() throws {
        let city = City(name: "Köln", population: 1_087_863, nickname: nil, sights: ["Dom"])
        #expect(city.generatedContent.jsonString == #"{"name":"Köln","population":1087863,"sights":["Dom"]}"#)
        let again = try City(GeneratedContent(json: city.generatedContent.jsonString))
        #expect(again.name == city.name && again.population == city.population && again.sights == city.sights)
        #expect(again.nickname == nil)
    }

    @Test("nil is written as null only where the macro is told so")
    func explicitNil() throws {
        let named = Named(default: nil, plate: "ABC-1234", first: true, second: false)
        #expect(named.generatedContent.jsonString == #"{"default":null,"plate":"ABC-1234","first":true,"second":false}"#)
        #expect(Named.generationSchema.name == "Renamed")
    }

    @Test("an empty struct has an empty object, and is read from nothing else")
    func empty() throws {
        #expect(Empty().generatedContent.jsonString == "{}")
        _ = try Empty(GeneratedContent(json: "{}"))
        for other in ["[]", "null", "3", "\"text\""] {
            #expect(throws: GeneratedContent.ParsingError.self) { _ = try Empty(GeneratedContent(json: other)) }
        }
    }

    @Test("a property of type GenerationID is filled by the framework and is in every snapshot")
    func generationID() throws {
        let content = try GeneratedContent(json: #"{"name":"Ada","children":[],"pets":[{"kind":"default"}]}"#)
        let person = try Person(content)
        #expect(person.pets.map(\.kind) == [.default])
        #expect(!person.generatedContent.jsonString.contains("\"id\""))
        #expect(person.generatedContent.id == person.id)
        let partial = try Person.PartiallyGenerated(GeneratedContent(json: #"{"name": "A"#))
        #expect(partial.name == "A" && partial.children == nil && partial.home == nil)
    }

    @Test("a property that the model left out is named in the error")
    func missing() throws {
        #expect {
            _ = try City(GeneratedContent(json: #"{"name":"Köln"}"#))
        } throws: { error in
            String(describing: error).contains("population")
        }
    }

    @Test("an enum is read and written by its texts, and an unknown one is refused with the known ones")
    func texts() throws {
        #expect(try Mood(GeneratedContent(json: "\"so-so\"")) == .bad)
        #expect(Mood.none.generatedContent.jsonString == "\"none\"")
        #expect {
            _ = try Mood(GeneratedContent(json: "\"awful\""))
        } throws: { error in
            "\(error)".contains(#""awful" is no case of Mood, which has "very good", "so-so", "none"."#)
        }
    }

    @Test("an enum with associated values is written as Codable writes it")
    func associatedValues() throws {
        let steps: [(Step, String)] = [
            (.search(query: "a", limit: 3), #"{"search":{"query":"a","limit":3}}"#),
            (.search(query: "a", limit: nil), #"{"search":{"query":"a"}}"#),
            (.open("b"), #"{"open":{"_0":"b"}}"#),
            (.stop, #"{"stop":{}}"#),
        ]
        for (step, json) in steps {
            #expect(step.generatedContent.jsonString == json)
            #expect(try Step(GeneratedContent(json: json)) == step)
        }
        #expect(throws: GeneratedContent.ParsingError.self) { _ = try Step(GeneratedContent(json: #"{"leap":{}}"#)) }
    }

    @Test("private and nested types expand where they stand")
    func access() throws {
        #expect(try Reach.hidden(#"{"text":"x"}"#) == "x")
        #expect(try Reach.inner(#"{"value":0.5}"#) == 0.5)
    }
}
