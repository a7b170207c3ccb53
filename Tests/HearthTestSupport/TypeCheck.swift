public import Foundation

/// Runs `swiftc -typecheck` on a source text against the modules that were built for this test run.
public enum TypeCheck {
    /// The folder with the test bundle, the modules and the macro plug-in.
    public static let products: URL = {
        // Both a bundle loaded by a runner and the runner itself stand in the products folder.
        let arguments = ProcessInfo.processInfo.arguments
        let bundle = arguments.first { $0.hasSuffix(".xctest") } ?? arguments[0]
        return URL(filePath: bundle).resolvingSymlinksInPath().deletingLastPathComponent()
    }()

    /// What the compiler prints; empty where the source is right.
    public static func run(_ source: String, flags: [String] = ["-swift-version", "6"]) async throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "typecheck-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { do { try FileManager.default.removeItem(at: folder) } catch { print("left \(folder.path): \(error)") } }
        let file = folder.appending(path: "Client.swift")
        try Data(source.utf8).write(to: file)

        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            ["swiftc", "-typecheck", file.path, "-I", products.appending(path: "Modules").path] + flags
            + ["-load-plugin-executable", "\(products.appending(path: "FoundationModelsMacros-tool").path)#FoundationModelsMacros"]
        let output = folder.appending(path: "output")
        guard FileManager.default.createFile(atPath: output.path, contents: nil) else {
            throw CocoaError(.fileWriteUnknown)
        }
        let handle = try FileHandle(forWritingTo: output)
        process.standardOutput = handle
        process.standardError = handle
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try handle.close()
        return String(decoding: try Data(contentsOf: output), as: UTF8.self)
    }
}
