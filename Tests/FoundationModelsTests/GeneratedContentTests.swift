import Foundation
import FoundationModels
import Testing

@Suite("GeneratedContent")
struct GeneratedContentTests {
    @Test("Values of every kind are read and written, properties in order")
    func kinds() throws {
        let content = try GeneratedContent(json: #" {"b":[1,2.5,"x",null,true],"a":{"z":1,"y":2}} "#)
        #expect(content.jsonString == #"{"b":[1,2.5,"x",null,true],"a":{"z":1,"y":2}}"#)
        #expect(content.isComplete)
        #expect(try GeneratedContent(json: "18").value(Int.self) == 18)
        #expect(try GeneratedContent(json: #"["Paris","Tokyo"]"#).value([String].self) == ["Paris", "Tokyo"])
        #expect(try GeneratedContent(json: "{}") == GeneratedContent(properties: [:]))
        #expect(GeneratedContent(properties: ["n": 1, "n": 2]).jsonString == #"{"n":2}"#)
        #expect(GeneratedContent(kind: .number(.nan)).jsonString == "null")
        #expect(GeneratedContent(elements: [1, "x", nil as Int?]).jsonString == #"[1,"x",null]"#)
        let pairs: [(String, any ConvertibleToGeneratedContent)] = [("a", 1), ("b", 2), ("a", 3)]
        let merged = try GeneratedContent(properties: pairs) { old, new in
            try old.value(Int.self) * 10 + new.value(Int.self)
        }
        #expect(merged.jsonString == #"{"a":13,"b":2}"#)
    }

    @Test("Numbers are read exactly: whole ones of 64 bits, decimals by their digits")
    func numbers() throws {
        #expect(try GeneratedContent(json: "9007199254740993").value(Int.self) == 9_007_199_254_740_993)
        #expect(try GeneratedContent(json: "3.0").value(Int.self) == 3)
        #expect(throws: GeneratedContent.ParsingError.self) { try GeneratedContent(json: "3.5").value(Int.self) }
        #expect(throws: GeneratedContent.ParsingError.self) { try GeneratedContent(json: "1e30").value(Int.self) }
        #expect(throws: GeneratedContent.ParsingError.self) { try GeneratedContent(json: "1e300").value(Float.self) }
        #expect(Float(0.1).generatedContent.jsonString == "0.1")
        #expect(Decimal(string: "0.1")?.generatedContent.jsonString == "0.1")
        #expect(try GeneratedContent(json: "0.1").value(Decimal.self) == Decimal(string: "0.1"))
        #expect(Int.max.generatedContent.jsonString == "9223372036854775807")
        #expect(try Int.min.generatedContent.value(Int.self) == .min)
    }

    @Test("A text that ends early gives what is there, and says which values may grow")
    func partial() throws {
        let content = try GeneratedContent(json: #"{"name":"Ann","tags":["a","b"#)
        #expect(!content.isComplete)
        guard case .structure(let properties, let keys) = content.kind else { return }
        #expect(keys == ["name", "tags"])
        #expect(properties["name"]?.isComplete == true)
        #expect(properties["tags"]?.isComplete == false)
        guard case .array(let tags)? = properties["tags"]?.kind else { return }
        #expect(tags.map(\.isComplete) == [true, false])
        #expect(try !GeneratedContent(json: "tru").isComplete)
        #expect(try !GeneratedContent(json: "{").isComplete)
    }

    @Test("What cannot be read is a parsing error with its complete text")
    func errors() throws {
        let content = try GeneratedContent(json: #"{"age":"x"}"#)
        let cases: [(() throws -> Void, String)] = [
            ({ _ = try GeneratedContent(json: " ") }, "The text is empty; a JSON value was expected."),
            (
                { _ = try GeneratedContent(json: "{a}") },
                "The text is not JSON: JSON, line 1, column 2 (byte 1): "
            ),
            (
                { _ = try content.value(String.self, forProperty: "summary") },
                "The content does not contain a property 'summary'."
            ),
            (
                { _ = try content.value(Int.self, forProperty: "age") },
                "In property 'age': The content is a string; a whole number was expected."
            ),
            (
                { _ = try GeneratedContent("x").value(Int.self, forProperty: "age") },
                "The content is a string, so it does not contain a property 'age'; an object was expected."
            ),
            (
                { _ = try GeneratedContent(1.5).value(Int.self) },
                "The content is the number 1.5; a whole number was expected."
            ),
            ({ _ = try GeneratedContent(1e30).value(Int.self) }, "The number 1e+30 does not fit Int."),
            ({ _ = try GeneratedContent(1).value(Never.self) }, "Never has no values, so no content can become one."),
        ]
        for (work, words) in cases {
            let error = try #require(throws: GeneratedContent.ParsingError.self) { try work() }
            #expect(error.errorDescription?.hasPrefix(words) == true, "\(error.errorDescription ?? "")")
        }
    }

    @Test("Optional properties are nil when missing or null, and refuse other kinds")
    func optionals() throws {
        let content = try GeneratedContent(json: #"{"a":null,"b":1}"#)
        #expect(try content.value(Int?.self, forProperty: "a") == nil)
        #expect(try content.value(Int?.self, forProperty: "c") == nil)
        #expect(try content.value(Int?.self, forProperty: "b") == 1)
        #expect(throws: GeneratedContent.ParsingError.self) { try content.value(String?.self, forProperty: "b") }
    }

    @Test("Equality looks at values, not at the ids they were generated under")
    func equality() throws {
        #expect(try GeneratedContent(json: "[1]") == GeneratedContent([1]))
        #expect(GeneratedContent(1, id: GenerationID()) == GeneratedContent(1, id: GenerationID()))
        #expect(try GeneratedContent(json: "9007199254740993") != GeneratedContent(json: "9007199254740992"))
        #expect(try GeneratedContent(json: "[1") != GeneratedContent([1]))
    }
}
