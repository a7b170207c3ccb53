import Foundation
import FoundationModels

@Generable(description: "A city")
struct City {
    var name: String
    @Guide(description: "Number of people", .minimum(1)) var population: Int
    var nickname: String?
    @Guide(.maximumCount(2)) var sights: [String]
    @Guide(.range(-90...90)) var latitude: Double?
}

@Generable struct Empty {}

@Generable(name: "Renamed", representNilExplicitlyInGeneratedContent: true)
struct Plate {
    var note: String?
    @Guide(/[A-Z]{3}-[0-9]{4}/) var text: String
    @Guide(.anyOf(["red", "blue"])) var colour: String
    @Guide(.constant("NL")) var country: String
    @Guide(.count(2)) var letters: [String]
    @Guide(.element(.range(1...6))) var dice: [Int]
    var isValid: Bool
}

/// Refers to itself, to a type beside it and to types inside it.
@Generable
struct Person {
    var name: String
    var children: [Person]
    var home: City?
    var pets: [Pet]

    @Generable struct Pet {
        var kind: Kind
        var owner: Person?
    }
    @Generable enum Kind { case cat, dog }
}

@Generable enum Mood: String { case good = "very good", bad = "so-so" }

@Generable
enum Step {
    case search(query: String, limit: Int?)
    case open(String)
    case stop
}

/// Says that it is a choice of other types, as a hand-written type may.
struct Place: Generable {
    let content: GeneratedContent
    static var generationSchema: GenerationSchema {
        GenerationSchema(type: Place.self, description: "Somewhere", anyOf: [City.self, Mood.self, Int.self])
    }
    init(_ content: GeneratedContent) throws { self.content = content }
    var generatedContent: GeneratedContent { content }
}

extension SchemaSpecimen {
    /// Every form that a schema has.
    static func all() throws -> [SchemaSpecimen] {
        let city = #"{"name":"Oslo","population":7,"sights":[]}"#
        return try [
            SchemaSpecimen(
                City.self,
                right: [city, #"{"name":"Oslo","population":7,"nickname":"O","sights":["a","b"],"latitude":59.9}"#],
                wrong: [
                    "{}", "[]", "1", #"{"name":1,"population":7,"sights":[]}"#,
                    #"{"name":"Oslo","population":"7","sights":[]}"#, #"{"name":"Oslo","population":7.5,"sights":[]}"#,
                    #"{"name":"Oslo","population":7,"sights":"a"}"#, #"{"name":"Oslo","population":7,"sights":[1]}"#,
                ],
                outside: [
                    #"{"name":"Oslo","population":0,"sights":[]}"#,
                    #"{"name":"Oslo","population":7,"sights":["a","b","c"]}"#,
                    #"{"name":"Oslo","population":7,"sights":[],"latitude":90.5}"#,
                    #"{"name":"Oslo","population":7,"sights":[],"other":1}"#,
                    // Nil is left out; reading is generous with null.
                    #"{"name":"Oslo","population":7,"nickname":null,"sights":[]}"#,
                ]),
            SchemaSpecimen(Empty.self, right: ["{}"], wrong: [], outside: ["[]", "null", "0", #"{"a":1}"#]),
            SchemaSpecimen(
                Plate.self,
                right: [
                    #"{"note":null,"text":"ABC-1234","colour":"red","country":"NL","letters":["a","b"],"dice":[1,6],"isValid":true}"#
                ],
                wrong: [
                    #"{"note":null,"text":"ABC-1234","colour":"red","country":"NL","letters":["a","b"],"dice":[1,6],"isValid":"yes"}"#,
                    #"{"note":3,"text":"ABC-1234","colour":"red","country":"NL","letters":["a","b"],"dice":[1,6],"isValid":true}"#,
                ],
                outside: [
                    #"{"note":null,"text":"abc","colour":"red","country":"NL","letters":["a","b"],"dice":[1],"isValid":true}"#,
                    #"{"note":null,"text":"ABC-1234","colour":"green","country":"NL","letters":["a","b"],"dice":[1],"isValid":true}"#,
                    #"{"note":null,"text":"ABC-1234","colour":"red","country":"BE","letters":["a","b"],"dice":[1],"isValid":true}"#,
                    #"{"note":null,"text":"ABC-1234","colour":"red","country":"NL","letters":["a"],"dice":[1],"isValid":true}"#,
                    #"{"note":null,"text":"ABC-1234","colour":"red","country":"NL","letters":["a","b"],"dice":[7],"isValid":true}"#,
                ]),
            SchemaSpecimen(
                Person.self,
                right: [
                    #"{"name":"Ada","children":[],"pets":[]}"#,
                    #"{"name":"Ada","children":[{"name":"Bo","children":[],"pets":[]}],"home":\#(city),"pets":[{"kind":"cat","owner":{"name":"Cy","children":[],"pets":[]}}]}"#,
                ],
                wrong: [
                    #"{"name":"Ada","children":[{"name":"Bo"}],"pets":[]}"#,
                    #"{"name":"Ada","children":[],"pets":[{"kind":"cow"}]}"#,
                    #"{"name":"Ada","children":[],"pets":[{"kind":"cat","owner":{"name":"Cy","children":[7],"pets":[]}}]}"#,
                    #"{"name":"Ada","children":[],"home":{"name":"Oslo"},"pets":[]}"#,
                ]),
            SchemaSpecimen(Mood.self, right: [#""very good""#, #""so-so""#], wrong: [#""good""#, #""""#, "1", "null"]),
            SchemaSpecimen(
                Step.self,
                right: [
                    #"{"search":{"query":"a","limit":3}}"#, #"{"search":{"query":"a"}}"#, #"{"open":{"_0":"b"}}"#,
                    #"{"stop":{}}"#,
                ],
                wrong: [
                    #"{"leap":{}}"#, "{}", #"{"open":{}}"#, #"{"open":{"_0":1}}"#, #"{"search":{"limit":3}}"#, #""stop""#,
                ]),
            SchemaSpecimen([Person].self, right: ["[]", #"[{"name":"Ada","children":[],"pets":[]}]"#], wrong: ["{}", "[1]"]),
            SchemaSpecimen([[Int]].self, right: ["[]", "[[1],[]]"], wrong: ["[1]", "[[true]]", #"[["1"]]"#]),
            SchemaSpecimen(Int.self, right: ["0", "-7", "9007199254740993"], wrong: ["1.5", #""1""#, "true", "null"]),
            SchemaSpecimen(Double.self, right: ["0", "1.5", "-1e-3"], wrong: [#""1""#, "false", "[]"]),
            SchemaSpecimen(Decimal.self, right: ["0.1"], wrong: [#""0.1""#]),
            SchemaSpecimen(Float.self, right: ["0.1"], wrong: ["{}"]),
            SchemaSpecimen(Bool.self, right: ["true", "false"], wrong: ["0", #""true""#, "null"]),
            SchemaSpecimen(String.self, right: [#""""#, #""é\u0000""#], wrong: ["1", "{}"]),
            SchemaSpecimen(GeneratedContent.self, right: ["1", "null", #"{"a":[{}]}"#], wrong: []),
            SchemaSpecimen("Never", Never.generationSchema, right: [], wrong: ["1", "null", "{}"]),
            SchemaSpecimen(
                "a choice of types", Place.generationSchema, right: [city, #""so-so""#, "5"],
                wrong: [#""Oslo""#, "5.5", "{}", "[]"]),
        ] + dynamic()
    }

    /// Schemas put together at run time, with names that no Swift type has.
    private static func dynamic() throws -> [SchemaSpecimen] {
        let names = ["Item", "a b", "a/b", "a~b", "a%20b", "100%", "x<y, z>", "\"q\"", "Größe", "#", "?", "$defs"]
        let named = try names.map { name in
            let item = DynamicGenerationSchema(
                name: name,
                properties: [
                    .init(name: "next", schema: .init(referenceTo: name), isOptional: true),
                    .init(name: "kind", schema: .init(name: "Kind of \(name)", anyOf: ["a", "b"])),
                ])
            let list = DynamicGenerationSchema(
                name: "List",
                properties: [
                    .init(
                        name: "items",
                        schema: .init(arrayOf: .init(referenceTo: name), minimumElements: 1, maximumElements: 2))
                ])
            return SchemaSpecimen(
                "a list of '\(name)'", try GenerationSchema(root: list, dependencies: [item]),
                right: [#"{"items":[{"kind":"a"}]}"#, #"{"items":[{"kind":"a","next":{"kind":"b"}},{"kind":"b"}]}"#],
                wrong: [
                    #"{"items":[]}"#, #"{"items":[{"kind":"c"}]}"#, #"{"items":[{"kind":"a","next":{"kind":"c"}}]}"#,
                    #"{"items":[{"kind":"a"},{"kind":"a"},{"kind":"a"}]}"#,
                ])
        }
        let tree = DynamicGenerationSchema(
            name: "Tree",
            anyOf: [
                .init(type: Int.self, guides: [.minimum(0)]), .null,
                .init(arrayOf: .init(referenceTo: "Tree")), .init(name: "Leaf", anyOf: ["leaf"]),
            ])
        return named + [
            SchemaSpecimen(
                "a recursive choice", try GenerationSchema(root: tree, dependencies: []),
                right: ["1", "null", "[1,[2,[]],null]", #"["leaf"]"#], wrong: ["-1", #""tree""#, "[[[-1]]]", "{}"])
        ]
    }
}
