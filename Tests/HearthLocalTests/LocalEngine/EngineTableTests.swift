import Foundation
import HearthInference
import HearthLocal
import HearthTestSupport
import HearthWeights
import Testing

@Suite("EngineTable")
struct EngineTableTests {
    @Test("Thirty-two callers at once load a model once and get the same engine")
    func once() async throws {
        let table = EngineTable()
        let engines = try await withThrowingTaskGroup(of: LocalEngine.self) { group in
            for _ in 0..<32 { group.addTask { try await LocalEngine.load(file: TinyEngine.file, table: table) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(engines.count == 32 && table.loads == 1)
        #expect(engines.allSatisfy { $0 === engines[0] })
    }

    @Test("An engine goes with its last holder; other options and another path of the file are told apart and together")
    func lifetime() async throws {
        let table = EngineTable()
        weak var gone: LocalEngine?
        do {
            let engine = try await LocalEngine.load(file: TinyEngine.file, table: table)
            gone = engine
            let link = FileManager.default.temporaryDirectory.appending(path: "hearth-link-\(UUID().uuidString).gguf")
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: TinyEngine.file)
            defer { try? FileManager.default.removeItem(at: link) }
            #expect(try await LocalEngine.load(file: link, table: table) === engine)
            let other = try await LocalEngine.load(
                file: TinyEngine.file, options: ModelOptions(context: 64), table: table)
            #expect(other !== engine && table.loads == 2)
        }
        #expect(gone == nil)
        _ = try await LocalEngine.load(file: TinyEngine.file, table: table)
        #expect(table.loads == 3)
    }

    @Test("A load that failed is tried again by the next caller")
    func failure() async throws {
        let table = EngineTable()
        for _ in 0..<2 {
            await #expect(throws: (any Error).self) {
                // More than any fixture was trained for.
                try await LocalEngine.load(file: TinyEngine.file, options: ModelOptions(context: 100_000), table: table)
            }
        }
        #expect(table.loads == 2)
        await #expect(throws: CheckpointError.self) {
            try await LocalEngine.load(file: Fixtures.url("missing.gguf"), table: table)
        }
        #expect(table.loads == 2)
    }

    @Test("A caller that is cancelled stops waiting, and the load goes on for the others")
    func cancelledCaller() async throws {
        let table = EngineTable()
        let engine = try await TinyEngine.cold()
        let key = EngineTable.Key(file: try FileIdentity(of: TinyEngine.file), options: ModelOptions(context: 9))
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let load: @Sendable () async throws -> LocalEngine = {
            for await _ in gate {}
            return engine
        }
        let first = Task { try await table.engine(key, load: load) }
        while table.loads == 0 { try await Task.sleep(for: .milliseconds(1)) }
        let second = Task { try await table.engine(key, load: load) }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        open.finish()
        #expect(try await second.value === engine)
        #expect(table.loads == 1)
    }
}
