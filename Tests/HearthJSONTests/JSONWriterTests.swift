import HearthJSON
import Testing

@Suite struct JSONWriterTests {
    @Test("T-80 the same bytes everywhere: no escaped slash, 0.1 as 0.1, 1 is not true") func sameBytes() throws {
        let text = #"{"u":"a/b","n":0.1,"i":1,"t":true,"z":null}"#
        #expect(try JSON.parse(text).text(.compact) == text)
        #expect(try JSON.parse(text).text(.spaced) == #"{"u": "a/b", "n": 0.1, "i": 1, "t": true, "z": null}"#)
    }

    @Test("keys stand in the order given, or sorted by their bytes") func order() throws {
        let value = try JSON.parse(#"{"zeta":1,"alpha":{"b":1,"a":2},"mid":2}"#)
        #expect(try value.text() == #"{"zeta":1,"alpha":{"b":1,"a":2},"mid":2}"#)
        #expect(try value.text(.canonical) == #"{"alpha":{"a":2,"b":1},"mid":2,"zeta":1}"#)
    }

    @Test("texts are escaped as Python's json.dumps does") func escapes() throws {
        let value = JSON.string("\"\\/\u{8}\u{c}\n\r\t\u{1}\u{7f}é😀<&>'")
        #expect(try value.text() == "\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\u{7f}é😀<&>'\"")
        var style = JSONStyle.compact
        style.ensureASCII = true
        #expect(try value.text(style) == "\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\u{7f}\\u00e9\\ud83d\\ude00<&>'\"")
    }

    @Test("indenting puts one member a line") func indent() throws {
        var style = JSONStyle.compact
        style.indent = 2
        style.keySeparator = ": "
        let value: JSON = ["a": [1, 2], "b": [:], "c": []]
        #expect(try value.text(style) == "{\n  \"a\": [\n    1,\n    2\n  ],\n  \"b\": {},\n  \"c\": []\n}")
    }

    static let numbers: [(Double, String)] = [
        (0.1, "0.1"), (1, "1.0"), (-0.0, "-0.0"), (1e15, "1000000000000000.0"),
        (9_999_999_999_999_998, "9999999999999998.0"),
        (1e16, "1e+16"), (1.5e16, "1.5e+16"), (12_345_678_901_234_568, "1.2345678901234568e+16"), (-1.7e16, "-1.7e+16"),
        (1e22, "1e+22"), (0.0001, "0.0001"), (0.00001, "1e-05"), (1.5e-7, "1.5e-07"),
        (Double.leastNonzeroMagnitude, "5e-324"),
        (1.7976931348623157e308, "1.7976931348623157e+308"), (3.14159, "3.14159"), (1e100, "1e+100"),
    ]

    @Test("numbers are written as Python's repr does, and read back as they were", arguments: numbers)
    func repr(_ value: Double, _ text: String) throws {
        #expect(JSON.text(of: value) == text)
        #expect(try JSON.parse(text) == .number(value))
    }

    @Test("a number that is not finite is refused, unless a word was asked for") func notFinite() throws {
        #expect(throws: JSONError(.notFinite(.infinity), at: nil)) { try JSON.array([.number(.infinity)]).text() }
        var style = JSONStyle.compact
        style.nonFinite = .word
        #expect(try JSON.array([.number(.nan), .number(-.infinity)]).text(style) == "[NaN,-Infinity]")
    }

    @Test("seeded random values come back as they were") func roundTrip() throws {
        var state: UInt64 = 7
        func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state >> 33
        }
        func value(_ depth: Int) -> JSON {
            switch next() % (depth > 4 ? 5 : 7) {
            case 0: return .null
            case 1: return .bool(next() % 2 == 0)
            case 2: return .integer(Int64(bitPattern: next() << 32 | next()))
            case 3:
                let number = Double(bitPattern: next() << 33 ^ next() << 8)
                return .number(number.isFinite ? number : 0.5)
            case 4:
                let scalars = (0..<next() % 12).compactMap { _ in Unicode.Scalar(UInt32(next() % 0x11_0000)) }
                return .string(String(String.UnicodeScalarView(scalars)))
            case 5: return .array((0..<next() % 5).map { _ in value(depth + 1) })
            default:
                var object = JSONObject()
                for index in 0..<next() % 5 { object["\(index)\n"] = value(depth + 1) }
                return .object(object)
            }
        }
        for round in 0..<300 {
            let original = value(0)
            var ascii = JSONStyle.spaced
            ascii.ensureASCII = true
            #expect(try JSON.parse(original.text()) == original, "round \(round)")
            #expect(try JSON.parse(original.text(ascii)) == original, "round \(round)")
        }
    }
}
