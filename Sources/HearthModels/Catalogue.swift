/// The models that are known by name, and where each can be fetched.
///
/// `Models/catalog.json` is the source; `CatalogueTable.swift` is written from it. What is in a file is left to others.
package struct Catalogue: Sendable, Equatable {
    /// The name of the model that is used when none is asked for.
    package let `default`: String
    package let entries: [CatalogueEntry]

    package init(default: String, entries: [CatalogueEntry]) {
        self.default = `default`
        self.entries = entries
    }

    /// The entry of a name or alias.
    package func entry(_ name: String) -> CatalogueEntry? {
        entries.first { $0.name == name || $0.aliases.contains(name) }
    }

    /// Names and aliases, those of models first.
    package var names: [String] {
        entries.filter { !$0.isForTests }.flatMap { [$0.name] + $0.aliases } + entries.filter(\.isForTests).map(\.name)
    }

    /// The names that `name` may have been meant to be, nearest first.
    package func near(_ name: String) -> [String] {
        let asked = Array(name.lowercased().utf8)
        let known = names.map { (name: $0, steps: editDistance(asked, Array($0.utf8))) }
        // A third of the letters wrong is a slip; a beginning that fits is a short form.
        let close = known.filter {
            $0.steps <= max(1, asked.count / 3) || (asked.count > 2 && $0.name.utf8.starts(with: asked))
        }
        return close.sorted { ($0.steps, $0.name) < ($1.steps, $1.name) }.prefix(3).map(\.name)
    }

    /// Insertions, removals and replacements that turn one into the other (Wagner and Fischer).
    private func editDistance(_ a: [UInt8], _ b: [UInt8]) -> Int {
        var row = Array(0...b.count)
        for (i, x) in a.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, y) in b.enumerated() {
                let replaced = diagonal + (x == y ? 0 : 1)
                diagonal = row[j + 1]
                row[j + 1] = min(replaced, row[j] + 1, diagonal + 1)
            }
        }
        return row[b.count]
    }
}

/// One name of the catalogue.
package struct CatalogueEntry: Sendable, Equatable {
    package enum Form: String, Sendable {
        /// `NAME.gguf` in the store.
        case file
        /// A folder `NAME` in the store.
        case folder
    }

    package let name: String
    package let aliases: [String]
    /// A line for people.
    package let about: String
    package let licence: String
    package let form: Form
    /// Bytes on the disk in all.
    package let size: Int64
    /// Reference data that tests read, and no model to run.
    package let isForTests: Bool
    /// What is checked. Of a file the one file; of a folder the files that matter.
    package let files: [ExpectedFile]
    /// Where it comes from, the preferred source first.
    package let sources: [ModelSource]

    package init(
        name: String, aliases: [String], about: String, licence: String, form: Form, size: Int64, isForTests: Bool,
        files: [ExpectedFile], sources: [ModelSource]
    ) {
        self.name = name
        self.aliases = aliases
        self.about = about
        self.licence = licence
        self.form = form
        self.size = size
        self.isForTests = isForTests
        self.files = files
        self.sources = sources
    }

    /// What it is called in the store.
    package var fileName: String { form == .file ? "\(name).gguf" : name }
}

/// A file with the length and digest it must have.
package struct ExpectedFile: Sendable, Equatable {
    /// In the store for an entry that is a file, in its folder for one that is a folder.
    package let path: String
    /// Bytes.
    package let size: Int64
    package let sha256: String

    package init(path: String, size: Int64, sha256: String) {
        self.path = path
        self.size = size
        self.sha256 = sha256
    }
}

/// Where the bytes of an entry come from.
package enum ModelSource: Sendable, Equatable {
    /// One file cut into pieces, each an entry of a wheel of its own.
    case wheels([WheelPiece])
    /// Files of a source package.
    case sourcePackage(PackagedFiles)
    /// Files of a wheel.
    case wheelFolder(PackagedFiles)
    /// One file of a ZIP archive that is cut into pieces, each an entry of a wheel of its own.
    case archivedFile(ArchivedFile)
}

package struct WheelPiece: Sendable, Equatable {
    package let package: String
    package let version: String
    /// The end of the entry's path in the wheel; exactly one entry ends so.
    package let entry: String

    package init(package: String, version: String, entry: String) {
        self.package = package
        self.version = version
        self.entry = entry
    }

    var requirement: String { "\(package)==\(version)" }
}

/// A file of a ZIP archive, of which only the pieces that hold it are fetched.
package struct ArchivedFile: Sendable, Equatable {
    /// Neighbours in the archive, in its order.
    package let pieces: [WheelPiece]
    /// Bytes of the pieces together, about.
    package let size: Int64
    /// Where the file's entry begins in the pieces, in bytes.
    package let offset: Int64
    /// The end of the entry's path in the archive.
    package let entry: String

    package init(pieces: [WheelPiece], size: Int64, offset: Int64, entry: String) {
        self.pieces = pieces
        self.size = size
        self.offset = offset
        self.entry = entry
    }
}

package struct PackagedFiles: Sendable, Equatable {
    package let package: String
    package let version: String
    /// Bytes of the package, about.
    package let size: Int64
    /// Of the package.
    package let sha256: String
    /// The part of an entry's path before the path in the store.
    package let folder: String
    /// Beginnings of the paths in the store that are kept.
    package let keep: [String]

    package init(package: String, version: String, size: Int64, sha256: String, folder: String, keep: [String]) {
        self.package = package
        self.version = version
        self.size = size
        self.sha256 = sha256
        self.folder = folder
        self.keep = keep
    }

    var requirement: String { "\(package)==\(version)" }
}
