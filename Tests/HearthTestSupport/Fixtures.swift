public import Foundation

/// Where the files that tests read are kept.
public enum Fixtures {
    /// The top of the checkout.
    public static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    public static let folder = root.appending(path: "Tests/Fixtures")

    public static func url(_ path: String) -> URL { folder.appending(path: path) }

    public static func bytes(_ path: String) throws -> Data { try Data(contentsOf: url(path)) }
}

/// Real weights and reference vocabularies: fetched once by `make test` into the store, never in the repository.
public enum Store {
    /// As `HearthModels` finds it: `$HEARTH_MODELS`, else `$XDG_DATA_HOME/hearth/models`, else `~/.local/share/hearth/models`.
    public static let folder: URL = {
        let environment = ProcessInfo.processInfo.environment
        if let path = environment["HEARTH_MODELS"], !path.isEmpty { return URL(filePath: path) }
        if let path = environment["XDG_DATA_HOME"], !path.isEmpty { return URL(filePath: path).appending(path: "hearth/models") }
        return FileManager.default.homeDirectoryForCurrentUser.appending(path: ".local/share/hearth/models")
    }()

    public static let defaultModel = folder.appending(path: "smollm2-135m-instruct-q4_1.gguf")

    /// A folder of `ggml-vocab-*.gguf` with `.inp` and `.out` cases, and `templates/*.jinja`.
    public static let vocabularies = folder.appending(path: "llama-cpp-vocabs")

    public static func has(_ file: URL) -> Bool { FileManager.default.fileExists(atPath: file.path) }
}
