import Foundation
import HearthJSON

/// Size and date of a file whose digest was compared.
struct CheckedFile: Equatable {
    let path: String
    /// Bytes.
    let size: Int64
    /// Nanoseconds since 1970.
    let modified: Int64

    init(path: String, size: Int64, modified: Int64) {
        self.path = path
        self.size = size
        self.modified = modified
    }

    /// Nil where there is no such file.
    init?(path: String, at file: URL) {
        guard let facts = PosixFile.facts(file.path), facts.isFile else { return nil }
        self.init(path: path, size: facts.size, modified: facts.modified)
    }
}

/// That the files of an entry had the digests of the catalogue, at these sizes and dates.
struct CheckedNote: Equatable {
    let digests: [String]
    let files: [CheckedFile]

    init(_ entry: CatalogueEntry, _ files: [CheckedFile]) {
        digests = entry.files.map(\.sha256)
        self.files = files
    }

    private init(digests: [String], files: [CheckedFile]) {
        self.digests = digests
        self.files = files
    }

    /// Nil where there is no note, or none that can be read: then the files are compared again, which writes a new one.
    static func read(_ url: URL) -> CheckedNote? {
        guard let bytes = FileManager.default.contents(atPath: url.path),
            case .success(let json) = Result(catching: { try JSON.parse([UInt8](bytes)) }),
            let rows = json["files"]?.arrayValue
        else { return nil }
        var digests: [String] = []
        var files: [CheckedFile] = []
        for row in rows {
            guard let path = row["path"]?.stringValue, let size = row["size"]?.intValue,
                let modified = row["modified"]?.intValue, let digest = row["sha256"]?.stringValue
            else { return nil }
            digests.append(digest)
            files.append(CheckedFile(path: path, size: Int64(size), modified: Int64(modified)))
        }
        return CheckedNote(digests: digests, files: files)
    }

    func write(_ url: URL) throws(ModelsError) {
        let rows = zip(digests, files).map { digest, file -> JSON in
            [
                "path": .string(file.path), "size": .integer(file.size), "modified": .integer(file.modified),
                "sha256": .string(digest),
            ]
        }
        let bytes: [UInt8]
        do { bytes = try (["files": .array(rows)] as JSON).bytes() } catch {
            fatalError("a note is plain text and numbers")
        }
        try PosixFile.makeFolder(url.deletingLastPathComponent().path)
        try PosixFile.replace(url.path, with: bytes)
    }
}
