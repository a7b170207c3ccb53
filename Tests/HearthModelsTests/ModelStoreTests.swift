import Foundation
import HearthModels
import Testing

@Suite("ModelStore")
struct ModelStoreTests {
    @Test(
        "The store is where the environment says, else in the user's data folder",
        arguments: [
            (["HEARTH_MODELS": "/m", "XDG_DATA_HOME": "/x"], "/m"), (["XDG_DATA_HOME": "/x"], "/x/hearth/models"),
            ([:], "/home/u/.local/share/hearth/models"),
            (["HEARTH_MODELS": "", "XDG_DATA_HOME": ""], "/home/u/.local/share/hearth/models"),
            (["XDG_DATA_HOME": "relative"], "/home/u/.local/share/hearth/models"),
        ] as [([String: String], String)])
    func standard(environment: [String: String], path: String) {
        let store = ModelStore.standard(environment: environment, home: URL(filePath: "/home/u"))
        #expect(store.folder.path == path)
    }

    @Test("A slash or the ending .gguf makes a path; all else is a name")
    func paths() {
        #expect(ModelStore.isPath("./m") && ModelStore.isPath("m.gguf") && ModelStore.isPath("/m"))
        #expect(!ModelStore.isPath("smollm2") && !ModelStore.isPath("smollm2.gguf2"))
    }

    @Test("A bare file name that is not in the working folder is looked for in the store")
    func storedFile() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "hearth-store-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { do { try FileManager.default.removeItem(at: folder) } catch { Issue.record(error) } }
        let file = folder.appending(path: "another.gguf")
        try Data("GGUF".utf8).write(to: file)
        let store = ModelStore(folder: folder)
        #expect(try store.file(for: "another.gguf").path == file.path)
        #expect(throws: ModelsError.noFile(path: "./another.gguf")) { try store.file(for: "./another.gguf") }
    }

    @Test("What is asked for and not there is refused for its own reason")
    func refusals() throws {
        let store = ModelStore(folder: URL(filePath: "/nowhere/store"))
        func refusal(_ name: String) -> ModelsError? { #expect(throws: ModelsError.self) { try store.file(for: name) } }
        #expect(
            refusal("smollm2")
                == .notFetched(name: "smollm2-135m-instruct-q4_1", size: 98_362_432, folder: "/nowhere/store"))
        #expect(refusal("smolm2") == .unknownName("smolm2", near: ["smollm2"], known: Catalogue.builtIn.names))
        #expect(refusal("") == .emptyName(known: Catalogue.builtIn.names))
        #expect(refusal("./none.gguf") == .noFile(path: "./none.gguf"))
        #expect(refusal("none.gguf") == .noFile(path: "none.gguf"))
        #expect(refusal("hf:owner/repo/file.gguf") == .noTransport(source: "hf:owner/repo/file.gguf"))
        #expect(refusal("llama-cpp-vocabs") == .notAModel(name: "llama-cpp-vocabs"))
        #expect(try store.others().isEmpty)
    }
}
