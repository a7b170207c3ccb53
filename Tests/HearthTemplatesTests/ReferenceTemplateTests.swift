import Foundation
import HearthJSON
import HearthTemplates
import HearthTestSupport
import Testing

/// Chat templates of real models, byte for byte as Jinja renders them.
@Suite struct ReferenceTemplateTests {
    struct Reference: Sendable, CustomTestStringConvertible {
        let name: String
        let bos: JSON?
        let eos: JSON?
        let cases: JSON
        let inputs: JSON
        let date: TemplateDate
        var testDescription: String { name }

        /// Where the text of the template is: a file of its own, or the metadata of a model file. Nil when it is in
        /// the store and that lacks it.
        var file: URL? {
            let name = URL(filePath: name)
            let places = [
                Fixtures.url(self.name),
                Fixtures.url("templates/\(name.deletingPathExtension().lastPathComponent).jinja"),
                Store.folder.appending(path: self.name),
            ]
            return places.first(where: Store.has)
        }

        func source() throws -> String {
            let file = try #require(file)
            let bytes = Array(try Data(contentsOf: file))
            guard file.pathExtension == "gguf" else { return String(decoding: bytes, as: UTF8.self) }
            // The key, the type of a text (8) in four bytes, its length in eight.
            let key = Array("tokenizer.chat_template".utf8) + [8, 0, 0, 0]
            let place = try #require(bytes.indices.first { bytes[$0...].starts(with: key) }) + key.count
            let length = bytes[place..<place + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
            return String(decoding: bytes[place + 8..<place + 8 + length], as: UTF8.self)
        }
    }

    static let references: [Reference] = {
        guard let bytes = try? Fixtures.bytes("references/chat-templates.json"),
            let json = try? JSON.parse(Array(bytes)),
            let date = TemplateDate(year: 2025, month: 1, day: 15, hour: 12)
        else { return [] }
        return (json["templates"]?.arrayValue ?? []).map {
            Reference(
                name: $0["template"]?.stringValue ?? "", bos: $0["bos_token"], eos: $0["eos_token"],
                cases: $0["cases"] ?? .null, inputs: json["inputs"] ?? .null, date: date)
        }
    }()

    @Test("the references are all there") func complete() {
        #expect(Self.references.count == 24)
        #expect(Self.references.allSatisfy { $0.cases.objectValue?.count == 7 })
    }

    @Test(
        "templates of the repository give the reference's bytes, or its refusal",
        arguments: references.filter { !$0.name.hasPrefix("llama-cpp-vocabs") })
    func repository(_ reference: Reference) throws { try check(reference) }

    @Test(
        "templates of the store give the reference's bytes, or its refusal",
        .enabled(if: Store.has(Store.vocabularies), "run make test to fetch llama-cpp-vocabs"),
        arguments: references.filter { $0.name.hasPrefix("llama-cpp-vocabs") })
    func store(_ reference: Reference) throws { try check(reference) }

    private func check(_ reference: Reference) throws {
        let template = try Template(source: reference.source())
        for input in try #require(reference.inputs.objectValue) {
            let expected = try #require(reference.cases[input.key])
            var context = try #require(input.value.objectValue)
            context["bos_token"] = reference.bos
            context["eos_token"] = reference.eos
            do throws(TemplateError) {
                let prompt = try template.render(.object(context), now: reference.date)
                #expect(prompt.text == expected["output"]?.stringValue, "input \(input.key)")
            } catch {
                #expect(error.raisedText == expected["error"]?.stringValue, "input \(input.key): \(error)")
            }
        }
    }
}
