import Foundation
import HearthTestSupport
import Testing

@Suite("File rules")
struct FileRulesTests {
    static let folders = ["Sources", "Benchmarks", "Tests", "Examples"]

    @Test("no file of code is longer than 350 lines; tables may be")
    func filesAreShort() throws {
        for file in try SourceFile.all(below: Self.folders) {
            let isTable = file.path.contains("Table") || file.path.contains("Cases")
            #expect(
                isTable || file.lines.count <= 351,
                "\(file.path) has \(file.lines.count - 1) lines; look for the second idea inside")
        }
    }

    @Test("no test reaches in through @testable, which would build everything a second time")
    func noTestable() throws {
        let word = "@" + "testable"
        // An example is a package of its own, with a build of its own.
        for file in try SourceFile.all(below: Self.folders.filter { $0 != "Examples" }) {
            let line = file.lines.firstIndex { $0.drop { $0 == " " }.hasPrefix(word) }
            #expect(line == nil, "\(file.path), line \((line ?? 0) + 1)")
        }
    }

    @Test("no file is a drawer for everything", arguments: ["Common", "Utils", "Helpers", "Utilities", "Misc"])
    func noDrawers(word: String) throws {
        for file in try SourceFile.all(below: Self.folders) {
            #expect(!file.path.contains("/\(word)"), "\(file.path): name the idea")
        }
    }

    @Test("only HearthBLAS imports a BLAS, only the kernels import intrinsics")
    func oneImporter() throws {
        for file in try SourceFile.all(below: ["Sources", "Benchmarks"]) {
            for module in file.imports {
                if module == "COpenBLAS" || module == "Accelerate" {
                    #expect(file.path.hasPrefix("Sources/HearthBLAS/"), "\(file.path) imports \(module)")
                }
                if module == "CIntrinsics" {
                    #expect(file.path.hasPrefix("Sources/HearthKernels"), "\(file.path) imports \(module)")
                }
            }
        }
    }

    @Test("there is one kind of lock, which the thread sanitizer knows")
    func oneLock() throws {
        let other = #/\b(?:Mutex|NSLock|NSRecursiveLock|OSAllocatedUnfairLock)\b/#
        for file in try SourceFile.all(below: ["Sources", "Benchmarks"]) {
            let line = file.lines.firstIndex { !$0.drop { $0 == " " }.hasPrefix("//") && $0.contains(other) }
            #expect(line == nil, "\(file.path), line \((line ?? 0) + 1): use Locked of HearthLocks")
        }
    }

    @Test("the length of a large page stands in one place of the kernels")
    func oneLargePage() throws {
        let files = try SourceFile.all(below: ["Sources/HearthKernels"]).filter { file in
            file.lines.contains { $0.contains("= 2 << 20") || $0.contains("{ 2 << 20 }") }
        }
        #expect(files.map(\.path) == ["Sources/HearthKernels/LargePage.swift"])
    }

    @Test("every test target stands beside the room of its name, or is about the house or about clients of it")
    func testsMirrorSources() throws {
        let manifest = try Manifest.ofThisPackage()
        let names = Set(manifest.targets.map(\.name))
        let ofTheWhole = ["HouseTests", "ProgramsTests", "SnippetsTests"]
        for target in manifest.targets where target.isTest && !ofTheWhole.contains(target.name) {
            #expect(names.contains(String(target.name.dropLast("Tests".count))), "\(target.name)")
        }
    }
}
