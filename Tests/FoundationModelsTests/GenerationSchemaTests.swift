import Foundation
import FoundationModels
import Testing

@Suite("GenerationSchema")
struct GenerationSchemaTests {
    enum Mood: String, Generable {
        case good, bad
        static var generationSchema: GenerationSchema { GenerationSchema(type: Mood.self, anyOf: ["good", "bad"]) }
        init(_ content: GeneratedContent) throws { self = Mood(rawValue: try content.value()) ?? .bad }
        var generatedContent: GeneratedContent { GeneratedContent(rawValue) }
    }

    struct Day: Generable {
        static var generationSchema: GenerationSchema {
            GenerationSchema(
                type: Day.self, representNilExplicitlyInGeneratedContent: true,
                properties: [
                    .init(name: "mood", description: "How it was", type: Mood.self),
                    .init(name: "next", type: Day?.self),
                    .init(name: "who", type: [Person].self, guides: [.count(2)]),
                    .init(name: "one", type: String.self, guides: [.anyOf(["a", "b"])]),
                    .init(name: "tags", type: [String].self, guides: [.element(.constant("x"))]),
                    .init(name: "share", type: Double.self, guides: [.minimum(0.5)]),
                ])
        }
        init(_ content: GeneratedContent) throws {}
        var generatedContent: GeneratedContent { GeneratedContent(properties: [:]) }
    }

    private func json(_ schema: GenerationSchema) throws -> NSDictionary {
        let object = try JSONSerialization.jsonObject(with: JSONEncoder().encode(schema))
        return try #require(object as? NSDictionary)
    }

    private func expect(_ schema: GenerationSchema, _ text: String) throws {
        let expected = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary
        let found = try json(schema)
        #expect(found == expected, "\(schema.debugDescription)")
    }

    @Test("An object has title, x-order, required and closed properties; it refers to itself as #")
    func object() throws {
        try expect(
            Person.generationSchema,
            #"""
            {"title":"Person","description":"A person","type":"object","properties":{
              "name":{"type":"string","pattern":"[A-Z][a-z]+","description":"Full name"},
              "age":{"type":"integer","minimum":0,"maximum":120},
              "children":{"type":"array","items":{"$ref":"#"},"maxItems":3}},
             "required":["name","children"],"additionalProperties":false,"x-order":["name","age","children"]}
            """#)
    }

    @Test("Nested types go to $defs, and guides to where they limit")
    func nested() throws {
        let person = try json(Person.generationSchema)
        let day = try json(Day.generationSchema)
        let properties = try #require(day["properties"] as? NSDictionary)
        #expect(properties["mood"] as? NSDictionary == ["$ref": "#/$defs/Mood", "description": "How it was"])
        #expect(properties["next"] as? NSDictionary == ["anyOf": [["$ref": "#"], ["type": "null"]]])
        #expect(
            properties["who"] as? NSDictionary
                == ["type": "array", "items": ["$ref": "#/$defs/Person"], "minItems": 2, "maxItems": 2])
        #expect(properties["one"] as? NSDictionary == ["type": "string", "enum": ["a", "b"]])
        #expect(
            properties["tags"] as? NSDictionary == ["type": "array", "items": ["type": "string", "const": "x"]])
        #expect(properties["share"] as? NSDictionary == ["type": "number", "minimum": 0.5])
        let definitions = try #require(day["$defs"] as? NSDictionary)
        #expect(definitions["Mood"] as? NSDictionary == ["title": "Mood", "type": "string", "enum": ["good", "bad"]])
        let inner = try #require((definitions["Person"] as? NSDictionary)?["properties"] as? NSDictionary)
        #expect((inner["children"] as? NSDictionary)?["items"] as? NSDictionary == ["$ref": "#/$defs/Person"])
        #expect(person["$defs"] == nil)
    }

    @Test("Roots of every kind are encoded")
    func roots() throws {
        try expect(Int.generationSchema, #"{"type":"integer"}"#)
        try expect(String.generationSchema, #"{"type":"string"}"#)
        try expect(Bool.generationSchema, #"{"type":"boolean"}"#)
        try expect(Decimal.generationSchema, #"{"type":"number"}"#)
        try expect(GeneratedContent.generationSchema, "{}")
        try expect(
            GenerationSchema(type: Person.self, properties: []),
            #"{"title":"Person","type":"object","properties":{},"required":[],"additionalProperties":false,"x-order":[]}"#
        )
        #expect(try (json([Person].generationSchema)["items"] as? NSDictionary) == ["$ref": "#/$defs/Person"])
        let union = try json(GenerationSchema(type: Day.self, anyOf: [Mood.self, Person.self]))
        #expect(union["anyOf"] as? NSArray == [["$ref": "#/$defs/Mood"], ["$ref": "#/$defs/Person"]])
    }

    @Test("R-12 What was encoded is decoded to the same")
    func roundTrip() throws {
        let schemas = [
            Person.generationSchema, Day.generationSchema, [Person].generationSchema, Int.generationSchema,
            Mood.generationSchema, GeneratedContent.generationSchema,
            GenerationSchema(type: Day.self, anyOf: [Mood.self, Person.self]),
        ]
        for schema in schemas {
            let back = try JSONDecoder().decode(GenerationSchema.self, from: JSONEncoder().encode(schema))
            #expect(try json(back) == json(schema))
            #expect(back.debugDescription == schema.debugDescription)
        }
    }

    @Test("A keyword that cannot be kept is refused with its place, not dropped")
    func unknownKeyword() throws {
        let text = #"{"type":"object","properties":{"a":{"type":"string","format":"date"}}}"#
        do {
            _ = try JSONDecoder().decode(GenerationSchema.self, from: Data(text.utf8))
            Issue.record("read")
        } catch DecodingError.dataCorrupted(let context) {
            #expect(
                context.debugDescription == "The schema at /properties/a has the key 'format', which is not supported.")
        }
    }

    @Test("Two types of one name stay two")
    func sameName() throws {
        enum First {
            struct Item: Generable {
                static var generationSchema: GenerationSchema { .init(type: Item.self, properties: []) }
                init(_ content: GeneratedContent) throws {}
                var generatedContent: GeneratedContent { .init(properties: [:]) }
            }
        }
        enum Second {
            struct Item: Generable {
                static var generationSchema: GenerationSchema { .init(type: Item.self, anyOf: ["x"]) }
                init(_ content: GeneratedContent) throws {}
                var generatedContent: GeneratedContent { .init(properties: [:]) }
            }
        }
        let schema = GenerationSchema(
            type: Person.self,
            properties: [.init(name: "a", type: First.Item.self), .init(name: "b", type: Second.Item.self)])
        let properties = try #require(try json(schema)["properties"] as? NSDictionary)
        #expect(properties["a"] as? NSDictionary == ["$ref": "#/$defs/Item"])
        #expect(properties["b"] as? NSDictionary == ["$ref": "#/$defs/Item-2"])
    }

    @Test("A guide without a text is refused when the schema is used")
    func unusableGuide() async throws {
        let schema = GenerationSchema(
            type: Person.self,
            properties: [.init(name: "a", type: String.self, guides: [.anyOf([])])])
        #expect(throws: LanguageModelError.self) { try JSONEncoder().encode(schema) }
        let model = ScriptedModel([.guidedGeneration], texts: ["{}"])
        let error = try await #require(throws: LanguageModelError.self) {
            try await LanguageModelSession(model: model).respond(to: "a", schema: schema)
        }
        guard case .unsupportedGenerationGuide(let payload) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(payload.schemaName == "Person")
        #expect(model.log.requests.isEmpty)
    }

    @Test("Dynamic schemas resolve their references, or say what is wrong")
    func dynamic() throws {
        let item = DynamicGenerationSchema(
            name: "Item",
            properties: [
                .init(name: "next", schema: .init(referenceTo: "Item"), isOptional: true),
                .init(name: "kind", schema: .init(name: "Kind", anyOf: ["a"])),
            ])
        let root = DynamicGenerationSchema(
            name: "List", properties: [.init(name: "items", schema: .init(arrayOf: .init(referenceTo: "Item")))])
        let schema = try GenerationSchema(root: root, dependencies: [item])
        #expect(schema.name == "List")
        let definitions = try #require(try json(schema)["$defs"] as? NSDictionary)
        #expect(Set(definitions.allKeys.compactMap { $0 as? String }) == ["Item", "Kind"])

        func failure(_ root: DynamicGenerationSchema, _ others: [DynamicGenerationSchema] = []) throws -> String? {
            try #require(throws: GenerationSchema.SchemaError.self) {
                try GenerationSchema(root: root, dependencies: others)
            }.errorDescription
        }
        #expect(try failure(root) == "Nothing defines 'Item' in schema 'List'.")
        #expect(try failure(root, [item, item]) == "The name 'Item' is defined twice in schema 'List'.")
        #expect(try failure(.init(name: "E", anyOf: [String]())) == "Schema 'E' offers a choice of nothing.")
        let twice = DynamicGenerationSchema.Property(name: "a", schema: .null)
        #expect(
            try failure(.init(name: "D", properties: [twice, twice])) == "Schema 'D' has two properties named 'a'.")
    }
}
