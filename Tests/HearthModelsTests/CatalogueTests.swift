import Foundation
import HearthJSON
import HearthModels
import HearthTestSupport
import Testing

@Suite("Catalogue")
struct CatalogueTests {
    @Test("The table in the source says what Models/catalog.json says")
    func table() throws {
        let json = try JSON.parse([UInt8](Data(contentsOf: Fixtures.root.appending(path: "Models/catalog.json"))))
        #expect(json["default"]?.stringValue == Catalogue.builtIn.default)
        let models = try #require(json["models"]?.arrayValue)
        let written = try models.map { model in
            CatalogueEntry(
                name: try #require(model["name"]?.stringValue),
                aliases: try #require(model["aliases"]?.arrayValue).compactMap(\.stringValue),
                about: try #require(model["about"]?.stringValue), licence: try #require(model["licence"]?.stringValue),
                form: try #require(CatalogueEntry.Form(rawValue: model["form"]?.stringValue ?? "")),
                size: Int64(try #require(model["size"]?.intValue)),
                isForTests: try #require(model["tests"]?.boolValue as Bool?),
                files: try #require(model["files"]?.arrayValue).map { file in
                    ExpectedFile(
                        path: try #require(file["path"]?.stringValue),
                        size: Int64(try #require(file["size"]?.intValue)),
                        sha256: try #require(file["sha256"]?.stringValue))
                },
                sources: try #require(model["sources"]?.arrayValue).map(source))
        }
        #expect(written == Catalogue.builtIn.entries, "run Models/generate-catalog.py")
    }

    private func source(_ json: JSON) throws -> ModelSource {
        func text(_ value: JSON, _ key: String) throws -> String { try #require(value[key]?.stringValue) }
        func pieces() throws -> [WheelPiece] {
            try #require(json["pieces"]?.arrayValue).map {
                WheelPiece(
                    package: try text($0, "package"), version: try text($0, "version"), entry: try text($0, "entry"))
            }
        }
        func size(_ key: String) throws -> Int64 { Int64(try #require(json[key]?.intValue)) }
        func files() throws -> PackagedFiles {
            PackagedFiles(
                package: try text(json, "package"), version: try text(json, "version"), size: try size("size"),
                sha256: try text(json, "sha256"), folder: try text(json, "folder"),
                keep: try #require(json["keep"]?.arrayValue).compactMap(\.stringValue))
        }
        switch try text(json, "kind") {
        case "wheels": return .wheels(try pieces())
        case "sourcePackage": return .sourcePackage(try files())
        case "wheelFolder": return .wheelFolder(try files())
        case "archivedFile":
            return .archivedFile(
                ArchivedFile(
                    pieces: try pieces(), size: try size("size"), offset: try size("offset"), entry: try text(json, "entry")))
        case let kind:
            Issue.record("the catalogue has a source of kind \(kind)")
            throw CocoaError(.coderInvalidValue)
        }
    }

    @Test("Names and aliases are unique, are no paths, and digests have 64 digits")
    func names() {
        let names = Catalogue.builtIn.entries.flatMap { [$0.name] + $0.aliases }
        #expect(Set(names).count == names.count)
        #expect(!names.contains(where: ModelStore.isPath))
        for entry in Catalogue.builtIn.entries {
            #expect(entry.files.allSatisfy { $0.sha256.utf8.count == 64 && $0.size > 0 })
            #expect(!entry.sources.isEmpty)
            #expect(entry.form == .folder || entry.files.map(\.size) == [entry.size])
        }
    }

    @Test("The default model answers to its name and to its alias")
    func alias() throws {
        let entry = try #require(Catalogue.builtIn.entry("smollm2"))
        #expect(entry.name == "smollm2-135m-instruct-q4_1" && entry.licence == "Apache-2.0")
        #expect(Catalogue.builtIn.entry(Catalogue.builtIn.default) == entry)
        #expect(Catalogue.builtIn.entry("SMOLLM2") == nil)
    }

    @Test(
        "A slip of the fingers finds the names that were meant",
        arguments: [
            ("smolm2", ["smollm2"]), ("gemma", ["gemma-3-270m", "gemma-3-270m-q4_k_m"]), ("zebra", []),
        ] as [(String, [String])])
    func near(name: String, expected: [String]) { #expect(Catalogue.builtIn.near(name) == expected) }
}
