import Foundation
import HearthBenchKit
import HearthJSON
import Testing

@Suite("BenchRows")
struct BenchRowsTests {
    static func rows() -> [JSON] {
        let samples = Samples(tokens: 128, nanoseconds: [1_000_000_000, 1_000_000_000])
        var first = SamplesTests.result(samples)
        first.subject.file = "/a \"b\", c.gguf"
        return [first.json, SamplesTests.result(Samples(tokens: 1, nanoseconds: [2_500_000]), .firstToken(512)).json]
    }

    @Test("CSV has every field in quotes, quotes inside twice, and nothing for null")
    func csv() throws {
        let lines = try BenchRows.csv(Self.rows()).split(separator: "\n").map(String.init)
        #expect(lines.count == 3)
        let names = lines[0].split(separator: ",")
        #expect(names.first == "build_commit")
        #expect(Set(names).count == names.count)
        #expect(lines[1].hasPrefix("\"abc\",\"0\",\"P\",\"\",\"Hearth native\",\"/a \"\"b\"\", c.gguf\",\"llama Q4_1\",\"98000000\","))
        #expect(lines[1].contains("\"1000000000 1000000000\""))
        #expect(lines[2].contains("\"2500000\""))
        #expect(try BenchRows.csv([]) == "")
    }

    @Test("rows that differ in their names share one head")
    func csvOfTwoKinds() throws {
        #expect(try BenchRows.csv([["a": 1], ["b": true, "a": nil]]) == "a,b\n\"1\",\"\"\n\"\",\"true\"\n")
    }

    @Test("JSON and JSON lines are read back as the same rows")
    func readBack() throws {
        let rows = Self.rows()
        #expect(try BenchRows.read(Array(BenchRows.json(rows).utf8), from: "f") == rows)
        let lines = try BenchRows.jsonl(rows)
        #expect(lines.split(separator: "\n").count == 2)
        #expect(try BenchRows.read(Array(lines.utf8), from: "f") == rows)
    }

    @Test(
        "a file that holds no results says why",
        arguments: [
            ("[]", "there is no row in it"), ("", "there is no row in it"), ("[{}]", "row 1 has no `model_filename`"),
            (
                #"[{"model_filename": "m", "n_prompt": 1, "n_gen": 0}]"#, "row 1 has no `samples_ns`"
            ),
            (
                #"[{"error": {"code": 5, "kind": "prompt_too_long", "message": "Too long."}}]"#,
                "the run ended early: Too long."
            ),
        ])
    func noResults(text: String, reason: String) {
        #expect(throws: BenchError.unreadableResults(path: "f", reason: reason)) {
            try BenchRows.read(Array(text.utf8), from: "f")
        }
    }

    @Test("what is no JSON is told with the reader's own words")
    func noJSON() {
        #expect {
            try BenchRows.read(Array("[nope".utf8), from: "f")
        } throws: {
            guard case .unreadableResults("f", let reason) = $0 as? BenchError else { return false }
            return !reason.isEmpty
        }
    }
}
