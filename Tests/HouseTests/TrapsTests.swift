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
}
