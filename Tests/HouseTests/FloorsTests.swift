import Foundation
import HearthTestSupport
import Testing

@Suite("Floors")
struct FloorsTests {
    /// Who stands where: an import goes to a lower number. Whole numbers are the floors of ARCHITECTURE.md, tenths the
    /// order of neighbours on one floor.
    static let floors: [String: Double] = [
        "CIntrinsics": 0, "COpenBLAS": 0, "HearthTokens": 0.1, "HearthJSON": 0.1, "HearthHash": 0.1, "HearthLocks": 0.1,
        "HearthKernelTypes": 0.1,
        "HearthBLAS": 0.2, "HearthKernelsPortable": 0.2, "HearthKernelsSSSE3": 0.2, "HearthKernelsAVX2": 0.2, "HearthKernelsAVX512": 0.2,
        "HearthKernels": 0.3,
        "HearthWeights": 1, "HearthModels": 1, "HearthTokenizers": 1, "HearthTemplates": 1,
        "HearthInference": 2, "FoundationModelsMacros": 2, "FoundationModels": 2.1, "FoundationModelsExtras": 2.2,
        "SystemFoundationModels": 2.1,
        "HearthLocal": 3, "HearthChat": 3, "HearthTestKit": 3,
        "HearthCommands": 4, "HearthBenchKit": 4.1, "hearth": 4.2, "hearth-bench": 4.2,
    ]

    @Test("every import of a room goes down")
    func importsGoDown() throws {
        let manifest = try Manifest.ofThisPackage()
        var files = 0
        for target in manifest.targets where !target.isTest && !target.folder.hasPrefix("Tests") {
            let floor = try #require(
                Self.floors[target.name], "\(target.name) has no floor in this test and in ARCHITECTURE.md")
            for file in try SourceFile.all(below: [target.folder]) {
                files += 1
                for module in file.imports {
                    // The system's module, where that has one of this name.
                    if target.name == "SystemFoundationModels", module == "FoundationModels" { continue }
                    guard let below = Self.floors[module] else { continue }
                    #expect(below < floor, "\(file.path) imports \(module), which is not below \(target.name)")
                    #expect(
                        target.dependencies.contains(module),
                        "\(file.path) imports \(module); Package.swift does not list it for \(target.name)")
                }
            }
        }
        #expect(files > 0)
    }

    @Test("the manifest lists only rooms below")
    func manifestGoesDown() throws {
        for target in try Manifest.ofThisPackage().targets where !target.isTest && !target.folder.hasPrefix("Tests") {
            let floor = try #require(Self.floors[target.name], "\(target.name) has no floor")
            for name in target.dependencies {
                let below = try #require(Self.floors[name], "\(target.name) depends on \(name), which has no floor")
                #expect(below < floor, "Package.swift lets \(target.name) import \(name), which is not below it")
            }
        }
    }

    @Test(
        "a climbing import is found",
        arguments: [
            "import HearthLocal", "package import HearthLocal", "@_exported import HearthLocal",
            "import struct HearthLocal.X",
        ])
    func climbIsFound(line: String) throws {
        let file = SourceFile(path: "x", lines: [Substring(line)])
        #expect(file.imports == ["HearthLocal"])
        #expect(try #require(Self.floors["HearthLocal"]) > (try #require(Self.floors["HearthInference"])))
    }

    @Test(
        "words around the word import are no import", arguments: ["// import X", "let a = \"import X\"", "important"])
    func proseIsNoImport(line: String) {
        #expect(SourceFile(path: "x", lines: [Substring(line)]).imports.isEmpty)
    }

    @Test("the manifest reader sees each target with its folder and dependencies")
    func manifestReader() {
        let manifest = Manifest(
            text: """
                func room(_ name: String, on below: [X] = []) -> Target { .target(name: name) }
                room("A", on: ["B",
                    "C"], path: "Other/A"), door("b", on: ["A"]), tests("ATests", on: ["A"])
                .systemLibrary(name: "D", path: "Sources/D", providers: [.apt(["x"])])
                """)
        #expect(manifest.targets.map(\.name) == ["A", "b", "ATests", "D"])
        #expect(manifest.targets.map(\.dependencies) == [["B", "C"], ["A"], ["A"], []])
        #expect(manifest.targets.map(\.folder) == ["Other/A", "Sources/b", "Tests/ATests", "Sources/D"])
    }

    @Test("ARCHITECTURE.md shows every room on its floor")
    func pageShowsFloors() throws {
        let page = try String(contentsOf: Fixtures.root.appending(path: "ARCHITECTURE.md"), encoding: .utf8)
        let block = try #require(
            page.components(separatedBy: "## Floors").last?.components(separatedBy: "```").dropFirst().first)
        var shown: [String: Int] = [:]
        for line in block.split(separator: "\n") {
            guard let floor = line.first?.wholeNumberValue else { continue }
            let names = line.split { !($0.isLetter || $0.isNumber || $0 == "-") }
            for name in names { shown[String(name)] = floor }
        }
        // The sets of kernels are parts of the room HearthKernels.
        let parts = ["HearthKernelTypes", "HearthKernelsPortable", "HearthKernelsSSSE3", "HearthKernelsAVX2", "HearthKernelsAVX512"]
        for (name, floor) in Self.floors where !parts.contains(name) {
            #expect(shown[name] == Int(floor), "\(name) should stand on floor \(Int(floor)) of the page")
        }
    }

    @Test("every folder of Sources is a target of the manifest")
    func foldersAreTargets() throws {
        let folders = Set(try Manifest.ofThisPackage().targets.map(\.folder))
        for name in try FileManager.default.contentsOfDirectory(atPath: Fixtures.root.appending(path: "Sources").path) {
            #expect(folders.contains("Sources/\(name)"), "Sources/\(name) is in no target")
        }
    }
}
