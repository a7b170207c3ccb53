import Foundation
import HearthJSON
import Testing

@Suite struct JSONReaderTests {
    @Test("every kind of value is read") func kinds() throws {
        let text = #" {"a": [1, -2.5, 1e3, true, false, null], "b": {"c": "x"}, "": ""} "#
        let expected: JSON = [
            "a": [1, -2.5, .number(1000), true, false, nil], "b": ["c": "x"], "": "",
        ]
        let value = try JSON.parse(text)
        #expect(value == expected)
        #expect(value.objectValue?.keys == ["a", "b", ""])
        #expect(value["b"]?["c"]?.stringValue == "x")
        #expect(value["a"]?[0]?.intValue == 1)
        #expect(value["a"]?[9] == nil)
    }

    @Test("scalars stand alone", arguments: ["18", "\"x\"", "true", "null", "-0.5", "[]", "{}"])
    func scalars(_ text: String) throws {
        #expect(try JSON.parse(text).text() == text)
    }

    @Test("integers of 64 bits are exact, others become floating point") func integers() throws {
        #expect(try JSON.parse("9223372036854775807") == .integer(.max))
        #expect(try JSON.parse("-9223372036854775808") == .integer(.min))
        #expect(try JSON.parse("9223372036854775808") == .number(9_223_372_036_854_775_808))
        #expect(try JSON.parse("1.0") == .number(1))
        #expect(try JSON.parse("-0") == .integer(0))
        #expect(try JSON.parse("1e-999") == .number(0))
    }

    @Test("escapes and surrogate pairs become characters") func escapes() throws {
        #expect(try JSON.parse(#""\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00""#) == .string("\"\\/\u{8}\u{c}\n\r\té😀"))
    }

    @Test("keys that Unicode calls equal are different keys") func bytesOfKeys() throws {
        let value = try JSON.parse("{\"é\": 1, \"e\u{301}\": 2}")
        #expect(value["é"] == 1)
        #expect(value["e\u{301}"] == 2)
        #expect(JSON.string("é") != JSON.string("e\u{301}"))
    }

    @Test("members of large objects are found, replaced and removed") func largeObjects() throws {
        var object = JSONObject()
        for index in 0..<100 { object["k\(index)"] = .integer(Int64(index)) }
        object["k50"] = "fifty"
        object["k10"] = nil
        #expect(object.count == 99)
        #expect(object["k50"] == "fifty")
        #expect(object["k10"] == nil)
        #expect(object["k99"] == 99)
        #expect(object.keys[10] == "k11")
        let added = object.append("k99", 1)
        #expect(!added)
    }

    static let refused: [(String, JSONError.Cause, Int)] = [
        ("", .empty, 0),
        (" \n", .empty, 2),
        ("[1,", .endsEarly(.value), 3),
        ("{", .endsEarly(.key), 1),
        ("{\"a\"", .endsEarly(.colon), 4),
        ("[1", .endsEarly(.commaOrBracket), 2),
        ("{\"a\":1", .endsEarly(.commaOrBrace), 6),
        ("\"ab", .endsEarly(.quote), 3),
        ("tru", .endsEarly(.literal("true")), 3),
        ("-", .endsEarly(.digit), 1),
        ("1.", .endsEarly(.digit), 2),
        ("[1,]", .unexpected(0x5D, .value), 3),
        ("{\"a\":1,}", .unexpected(0x7D, .key), 7),
        ("{a:1}", .unexpected(0x61, .key), 1),
        ("{\"a\" 1}", .unexpected(0x31, .colon), 5),
        ("[1}", .unexpected(0x7D, .commaOrBracket), 2),
        ("{\"a\":1]", .unexpected(0x5D, .commaOrBrace), 6),
        ("nul!", .unexpected(0x21, .literal("null")), 3),
        ("1.e", .unexpected(0x65, .digit), 2),
        ("+1", .unexpected(0x2B, .value), 0),
        ("NaN", .unexpected(0x4E, .value), 0),
        ("\u{FEFF}1", .unexpected(0xEF, .value), 0),
        ("// x", .unexpected(0x2F, .value), 0),
        ("1 2", .trailing(0x32), 2),
        ("{\"a\":1,\n \"a\":2}", .duplicateKey("a"), 9),
        ("\"a\nb\"", .controlCharacter(0x0A), 2),
        (#""\x""#, .unknownEscape(0x78), 1),
        (#""\u12g4""#, .badUnicodeEscape, 1),
        (#""\u12"#, .badUnicodeEscape, 1),
        (#""\ud800""#, .loneSurrogate(0xD800), 1),
        (#""\ude00x""#, .loneSurrogate(0xDE00), 1),
        (#""\ud83d\u0041""#, .loneSurrogate(0xD83D), 1),
        ("01", .leadingZero, 0),
        ("-00", .leadingZero, 1),
        ("1e999", .numberTooLarge("1e999"), 0),
    ]

    @Test("what is no JSON is refused with the cause and the place", arguments: refused)
    func refusals(_ text: String, _ cause: JSONError.Cause, _ offset: Int) {
        let error = #expect(throws: JSONError.self) { try JSON.parse(text) }
        #expect(error?.cause == cause)
        #expect(error?.place?.offset == offset)
    }

    @Test(
        "bytes that are no UTF-8 are refused",
        arguments: [[0x80], [0xC0, 0x80], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xC3]]
            as [[UInt8]])
    func invalidUTF8(_ bytes: [UInt8]) {
        let error = #expect(throws: JSONError.self) { try JSON.parse([0x22] + bytes + [0x22]) }
        #expect(error?.cause == .invalidUTF8(bytes[0]))
        #expect(error?.place == JSONError.Place(offset: 1, line: 1, column: 2))
    }

    @Test("the place counts lines, and characters within the line") func places() {
        let error = #expect(throws: JSONError.self) { try JSON.parse("{\n \"é\": x}") }
        #expect(error?.place == JSONError.Place(offset: 9, line: 2, column: 7))
    }

    @Test("nesting is read to the limit and refused beyond it, on a stack of 512 KB") func depth() async {
        let outcome: [String] = await withCheckedContinuation { continuation in
            let thread = Thread {
                func read(_ levels: Int) -> String {
                    let text = String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
                    do throws(JSONError) { return try JSON.parse(text).arrayValue == nil ? "?" : "read" } catch {
                        return "\(error.cause)"
                    }
                }
                continuation.resume(returning: [read(128), read(129), read(100_000)])
            }
            thread.stackSize = 512 << 10
            thread.start()
        }
        #expect(outcome == ["read", "tooDeep(limit: 128)", "tooDeep(limit: 128)"])
    }

    @Test("time grows in step with the length") func linear() throws {
        func seconds(_ count: Int) throws -> Double {
            let items = (0..<count).map { #"{"key\#($0)": "Zürich \u00e9 and more", "n": [\#($0), 0.5]}"# }
            let bytes = Array("[\(items.joined(separator: ","))]".utf8)
            var best = Double.infinity
            for _ in 0..<3 {
                let start = ContinuousClock.now
                #expect(try JSON.parse(bytes).arrayValue?.count == count)
                best = min(best, (ContinuousClock.now - start) / .seconds(1))
            }
            return best
        }
        // Ten times the text takes ten times as long; 40 leaves room for a busy machine, and a quadratic reader takes 100.
        #expect(try seconds(10_000) < 40 * seconds(1_000) + 0.01)
    }
}
