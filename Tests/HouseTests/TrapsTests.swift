import Foundation
import HearthTestSupport
import Testing

/// One row of Tests/TRAPS.md.
struct TrapRow {
    let id: String
    let sentence: String
    let place: String

    static func all() throws -> [TrapRow] {
        try String(contentsOf: Fixtures.root.appending(path: "Tests/TRAPS.md"), encoding: .utf8)
            .split(separator: "\n").filter { $0.hasPrefix("| T-") }
            .map { line in
                let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
                return TrapRow(id: cells[0], sentence: cells[1], place: cells[2])
            }
    }
}

@Suite("Traps page")
struct TrapsTests {
    @Test("every trap from T-01 to T-98 has one row, one sentence and a place")
    func complete() throws {
        let rows = try TrapRow.all()
        #expect(rows.map(\.id) == (1...98).map { $0 < 10 ? "T-0\($0)" : "T-\($0)" })
        #expect(Set(rows.map(\.sentence)).count == rows.count)
        for row in rows {
            #expect(row.sentence.hasSuffix("."), "\(row.id)")
            #expect(row.place.hasPrefix("Tests/") || row.place.hasPrefix("later: "), "\(row.id): \(row.place)")
        }
    }

    @Test("a trap is tested where the page says, and one that is for later has no test yet")
    func places() throws {
        let tested = try TrapNames.byFolder()
        for row in try TrapRow.all() {
            let folders = tested[row.id] ?? []
            if row.place.hasPrefix("later: ") {
                #expect(folders.isEmpty, "\(row.id) is tested in \(folders.sorted()); the page says \(row.place)")
            } else {
                #expect(folders == Set(row.place.components(separatedBy: ", ")), "\(row.id)")
            }
        }
    }
}

/// The traps that names of tests begin with.
enum TrapNames {
    /// Folders below the top that have a test for each id: `["T-87": ["Tests/checks"]]`.
    static func byFolder() throws -> [String: Set<String>] {
        var found: [String: Set<String>] = [:]
        let tests = Fixtures.root.appending(path: "Tests")
        for folder in try FileManager.default.contentsOfDirectory(atPath: tests.path).sorted()
        where folder != "HouseTests" {
            guard let walk = FileManager.default.enumerator(atPath: tests.appending(path: folder).path) else {
                continue
            }
            for case let name as String in walk where name.hasSuffix(".swift") || name.hasSuffix(".py") {
                let text = try String(contentsOf: tests.appending(path: "\(folder)/\(name)"), encoding: .utf8)
                for id in ids(text) { found[id, default: []].insert("Tests/\(folder)") }
            }
        }
        return found
    }

    /// Ids at the beginning of quoted texts: `"T-97 T-98 a reply of one token"` has two.
    static func ids(_ text: String) -> [String] {
        text.components(separatedBy: "\"T-").dropFirst().flatMap { rest in
            "T-\(rest)".split(separator: " ", omittingEmptySubsequences: false)
                .prefix { $0.hasPrefix("T-") && $0.count == 4 && $0.dropFirst(2).allSatisfy(\.isWholeNumber) }.map(
                    String.init)
        }
    }
}
