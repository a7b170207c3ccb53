import HearthJSON
import Testing

@Suite struct PartialJSONTests {
    static let cases: [(String, JSON?, Int)] = [
        ("", nil, 0),
        ("{", [:], 1),
        (#"{"a"#, [:], 1),
        (#"{"a""#, [:], 1),
        (#"{"a":"#, [:], 1),
        (#"{"a": "x"#, ["a": "x"], 2),
        (#"{"a": "x","#, ["a": "x"], 1),
        (#"{"a": ["x"#, ["a": ["x"]], 3),
        (#"{"a": 1"#, [:], 1),
        (#"{"a": 1 "#, ["a": 1], 1),
        (#"{"a": 1, "b": tr"#, ["a": 1], 1),
        (#"[1, 2"#, [1], 1),
        (#"[-"#, [], 1),
        (#""ab\"#, "ab", 1),
        (#""ab\u00"#, "ab", 1),
        (#""ab\ud83d"#, "ab", 1),
        (#""ab\ud83d\"#, "ab", 1),
        (#""ab\ud83d\ude0"#, "ab", 1),
        (#""ab\ud83d\ude00"#, "ab😀", 1),
        ("nul", nil, 0),
        ("-", nil, 0),
    ]

    @Test("a document that is cut gives what is certain so far", arguments: cases)
    func cut(_ text: String, _ value: JSON?, _ levels: Int) throws {
        let partial = try JSON.parsePartial(text)
        #expect(partial.value == value)
        #expect(!partial.isComplete)
        #expect(partial.openLevels == levels)
    }

    @Test("a whole document is complete", arguments: ["18", "null", #"{"a": [1, 2]} "#, #""x""#])
    func whole(_ text: String) throws {
        let partial = try JSON.parsePartial(text)
        #expect(partial.isComplete)
        #expect(partial.openLevels == 0)
        #expect(try partial.value == JSON.parse(text))
    }

    @Test("every cut of a document reads, and texts only grow") func everyCut() throws {
        let bytes = Array(
            #"{"name": "Zü\u00e9\ud83d\ude00😀\n", "list": [1, 2.5e3, true, {"x": null}], "end": false}"#.utf8)
        var longest = 0
        for count in 0..<bytes.count {
            let partial = try JSON.parsePartial(Array(bytes[..<count]))
            #expect(!partial.isComplete)
            let name = partial.value?["name"]?.stringValue ?? ""
            #expect(!name.unicodeScalars.contains("\u{FFFD}"))
            #expect("Züé😀😀\n".hasPrefix(name))
            #expect(name.unicodeScalars.count >= longest)
            longest = name.unicodeScalars.count
        }
        #expect(longest == 6)
    }

    @Test(
        "what no continuation could make valid is an error",
        arguments: ["[1,,", "{1", "tx", #"{"a":1,"a"#, #""\q"#, "1 2", "01", #""\ud83dx"#])
    func wrong(_ text: String) {
        #expect(throws: JSONError.self) { try JSON.parsePartial(text + (text.hasSuffix("a") ? "\"" : "")) }
    }
}
