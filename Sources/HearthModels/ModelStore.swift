package import Foundation

/// The folder of models on this machine.
///
/// ```swift
/// let store = ModelStore.standard()
/// let file = try store.file(for: "smollm2")       // a name of the catalogue that was fetched
/// let other = try store.file(for: "./my.gguf")    // a path: it has a `/` or ends in `.gguf`
/// ```
///
/// `NAME.gguf` is a model, `NAME.part` what an unfinished fetch left, `.checked/NAME` the note that a digest was
/// compared, with sizes and dates. Looking something up reads no model: a few file dates at most.
package struct ModelStore: Sendable {
    package let folder: URL
    package let catalogue: Catalogue

    package init(folder: URL, catalogue: Catalogue = .builtIn) {
        self.folder = folder
        self.catalogue = catalogue
    }

    /// `$HEARTH_MODELS`, else `$XDG_DATA_HOME/hearth/models`, else `~/.local/share/hearth/models`. Empty counts as unset,
    /// and so does an `XDG_DATA_HOME` that is no absolute path (XDG Base Directory Specification).
    package static func standard(
        environment: [String: String] = ProcessInfo.processInfo.environment,
        home: URL = FileManager.default.homeDirectoryForCurrentUser
    ) -> ModelStore {
        if let path = environment["HEARTH_MODELS"], !path.isEmpty { return ModelStore(folder: URL(filePath: path)) }
        if let path = environment["XDG_DATA_HOME"], path.hasPrefix("/") {
            return ModelStore(folder: URL(filePath: path).appending(path: "hearth/models"))
        }
        return ModelStore(folder: home.appending(path: ".local/share/hearth/models"))
    }

    // MARK: Looking up

    /// Whether an argument means a path, and no name of the catalogue.
    package static func isPath(_ argument: String) -> Bool { argument.contains("/") || argument.hasSuffix(".gguf") }

    /// The file that a name or path means. It is there; what is in it is for its reader to say.
    package func file(for argument: String) throws(ModelsError) -> URL {
        guard !argument.isEmpty else { throw .emptyName(known: catalogue.names) }
        if argument.hasPrefix("hf:") { throw .noTransport(source: argument) }
        if Self.isPath(argument) {
            let file = URL(filePath: argument)
            if FileManager.default.fileExists(atPath: file.path) { return file }
            // A bare name may be one that `hearth list` shows: a file of the store that is not in the catalogue.
            let stored = folder.appending(path: argument)
            guard !argument.contains("/"), FileManager.default.fileExists(atPath: stored.path) else {
                throw .noFile(path: argument)
            }
            return stored
        }
        let entry = try entry(argument)
        guard !entry.isForTests else { throw .notAModel(name: entry.name) }
        switch state(of: entry) {
        case .ready, .unchecked: return location(of: entry)
        case .absent, .partial: throw .notFetched(name: entry.name, size: entry.size, folder: folder.path)
        case .wrongSize(let path, let actual, let expected):
            throw .wrongSize(name: entry.name, path: path, actual: actual, expected: expected)
        }
    }

    /// The entry of a name or alias.
    package func entry(_ name: String) throws(ModelsError) -> CatalogueEntry {
        guard !name.isEmpty else { throw .emptyName(known: catalogue.names) }
        if name.hasPrefix("hf:") { throw .noTransport(source: name) }
        guard let entry = catalogue.entry(name) else {
            throw .unknownName(name, near: catalogue.near(name), known: catalogue.names)
        }
        return entry
    }

    package func location(of entry: CatalogueEntry) -> URL { folder.appending(path: entry.fileName) }

    // MARK: State

    package enum State: Sendable, Equatable {
        case absent
        /// An unfinished fetch; the next one goes on from there.
        case partial
        /// There, with a note of its digest that still fits its size and date.
        case ready
        /// There with the right size, but never compared with its digest, or changed since.
        case unchecked
        case wrongSize(path: String, actual: Int64, expected: Int64)
    }

    /// Told from names, sizes and dates; nothing is read but the note.
    package func state(of entry: CatalogueEntry) -> State {
        guard FileManager.default.fileExists(atPath: location(of: entry).path) else {
            return FileManager.default.fileExists(atPath: part(of: entry).path) ? .partial : .absent
        }
        var facts: [CheckedFile] = []
        for file in entry.files {
            let url = checkedFile(file, of: entry)
            guard let fact = CheckedFile(path: file.path, at: url) else {
                return .wrongSize(path: url.path, actual: 0, expected: file.size)
            }
            guard fact.size == file.size else {
                return .wrongSize(path: url.path, actual: fact.size, expected: file.size)
            }
            facts.append(fact)
        }
        return CheckedNote.read(note(of: entry)) == CheckedNote(entry, facts) ? .ready : .unchecked
    }

    /// The folder of an unfinished fetch.
    func part(of entry: CatalogueEntry) -> URL { folder.appending(path: "\(entry.name).part") }

    func note(of entry: CatalogueEntry) -> URL { folder.appending(path: ".checked/\(entry.name)") }

    func checkedFile(_ file: ExpectedFile, of entry: CatalogueEntry) -> URL {
        (entry.form == .file ? folder : location(of: entry)).appending(path: file.path)
    }

    /// Weight files of the store that the catalogue does not know, by name.
    package func others() throws(ModelsError) -> [URL] {
        let known = Set(catalogue.entries.map(\.fileName))
        guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder.path)
                .filter { $0.hasSuffix(".gguf") && !known.contains($0) }.sorted().map { folder.appending(path: $0) }
        } catch {
            throw .store(path: folder.path, doing: "read", reason: error.localizedDescription)
        }
    }
}
