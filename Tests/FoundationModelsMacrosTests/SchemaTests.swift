import Foundation
import FoundationModels
import HearthJSON
import Testing

@Suite struct GenerableSchemaTests {
    private func schema(_ type: any Generable.Type) throws -> JSON {
        try JSON.parse(Array(JSONEncoder().encode(type.generationSchema)))
    }

    @Test("guides, descriptions and optional properties stand in the schema")
    func guides() throws {
        let json = try schema(City.self)
        #expect(json["title"] == "City" && json["description"] == "A city")
        #expect(json["x-order"] == ["name", "population", "nickname", "sights"])
        #expect(json["required"] == ["name", "population", "sights"])
        #expect(json["properties"]?["population"]?["minimum"] == 1)
        #expect(json["properties"]?["population"]?["description"] == "Number of people")
        #expect(json["properties"]?["sights"]?["maxItems"] == 2)
        #expect(json["properties"]?["sights"]?["description"] == "Well-known places")
    }

    @Test("a regular expression becomes a pattern, a keyword a plain name, and a fixed constant nothing")
    func named() throws {
        let json = try schema(Named.self)
        #expect(json["title"] == "Renamed")
        #expect(json["x-order"] == ["default", "plate", "first", "second"])
        #expect(json["properties"]?["plate"]?["pattern"] != nil)
    }

    @Test("a type that refers to itself is written once")
    func recursive() throws {
        let json = try schema(Person.self)
        #expect(json["x-order"] == ["name", "children", "home", "pets"])
        #expect(json["properties"]?["children"]?["items"]?["$ref"] == "#")
    }

    @Test("an enum lists its texts")
    func texts() throws {
        #expect(try schema(Mood.self)["enum"] == ["very good", "so-so", "none"])
    }

    @Test("an enum with associated values is a union of objects")
    func union() throws {
        let json = try schema(Step.self)
        #expect(json["anyOf"]?[2] != nil && json["anyOf"]?[3] == nil)
    }
}
