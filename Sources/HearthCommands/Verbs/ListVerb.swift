import Foundation
import HearthJSON
import HearthModels

/// `hearth list`: the models of the catalogue, what of them is here, and what else is in the store.
struct ListVerb {
    let arguments: Arguments
    let store: ModelStore

    init(_ arguments: Arguments, store: ModelStore = .standard()) {
        self.arguments = arguments
        self.store = store
    }

    func run() throws {
        if arguments.flag("--json") {
            try StandardOutput.write(try report().text(.compact) + "\n")
        } else {
            try StandardOutput.write(try page())
        }
    }

    func report() throws -> JSON {
        [
            "store": .string(store.folder.path),
            "default": .string(store.catalogue.default),
            "default_of_embed": .string(EmbedVerb.model),
            "models": .array(
                store.catalogue.entries.map { entry in
                    [
                        "name": .string(entry.name),
                        "default": .bool(isDefault(entry)),
                        "aliases": .array(entry.aliases.map { .string($0) }),
                        "state": .string(Self.word(store.state(of: entry))),
                        "bytes": .integer(entry.size),
                        "licence": .string(entry.licence),
                        "about": .string(entry.about),
                        "file": .string(store.location(of: entry).path),
                        "for_tests": .bool(entry.isForTests),
                    ]
                }),
            "others": .array(try store.others().map { .string($0.path) }),
        ]
    }

    func page() throws -> String {
        let rows = store.catalogue.entries.filter { !$0.isForTests }.map { entry in
            [
                (entry.aliases.first ?? entry.name) + mark(entry), Self.word(store.state(of: entry)), ByteCount.text(entry.size),
                entry.licence,
                entry.about,
            ]
        }
        let widths = (0..<4).map { column in rows.map { $0[column].count }.max() ?? 0 }
        var text = ""
        for row in rows {
            for (column, width) in widths.enumerated() {
                text += row[column] + String(repeating: " ", count: width - row[column].count + 2)
            }
            text += row[4] + "\n"
        }
        let others = try store.others()
        if !others.isEmpty { text += "\nalso here\n" + others.map { "  \($0.lastPathComponent)\n" }.joined() }
        return text + "\nin \(store.folder.path)\n"
    }

    /// Whether it is the model where none is named: an alias may name it too.
    private func isDefault(_ entry: CatalogueEntry) -> Bool { store.catalogue.entry(store.catalogue.default) == entry }

    private func mark(_ entry: CatalogueEntry) -> String {
        if isDefault(entry) { return " (default)" }
        return store.catalogue.entry(EmbedVerb.model) == entry ? " (default of embed)" : ""
    }

    static func word(_ state: ModelStore.State) -> String {
        switch state {
        case .absent: "absent"
        case .partial: "partial"
        case .ready: "ready"
        case .unchecked: "unchecked"
        case .wrongSize: "wrong size"
        }
    }
}

/// Bytes for people: decimal units, as disks and downloads are labelled.
enum ByteCount {
    static func text(_ bytes: Int64) -> String {
        if bytes >= 1_000_000_000 { return "\(bytes / 1_000_000_000).\(bytes % 1_000_000_000 / 100_000_000) GB" }
        if bytes >= 1_000_000 { return "\(bytes / 1_000_000) MB" }
        return bytes >= 1_000 ? "\(bytes / 1_000) kB" : "\(bytes) bytes"
    }
}
