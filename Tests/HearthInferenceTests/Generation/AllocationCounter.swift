import Foundation
import Glibc

/// `Tests/checks/allocations.c` in this process: how many allocations all threads together have made.
@safe struct AllocationCounter: Sendable {
    private let counted: @convention(c) () -> Int
    private let shows: @convention(c) (Int32) -> Void

    /// Nil where the counter was not preloaded.
    static let loaded: AllocationCounter? = {
        guard let count = unsafe dlsym(nil, "hearth_allocations"), let show = unsafe dlsym(nil, "hearth_show_allocations")
        else { return nil }
        return unsafe AllocationCounter(
            counted: unsafeBitCast(count, to: (@convention(c) () -> Int).self),
            shows: unsafeBitCast(show, to: (@convention(c) (Int32) -> Void).self))
    }()

    var count: Int { counted() }

    /// Prints where the next allocations come from, as many as HEARTH_ALLOCATIONS_SHOWN says.
    func show(_ isOn: Bool) { shows(isOn ? 1 : 0) }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Builds the counter and runs one test of this bundle again in a process that has it. Returns what that process printed.
    static func runAgain(_ test: String, source: URL) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appending(path: "allocations-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { do { try FileManager.default.removeItem(at: folder) } catch { print("left \(folder.path): \(error)") } }
        let library = folder.appending(path: "allocations.so")
        // Swift's toolchain brings clang.
        _ = try output(of: "/usr/bin/env", ["clang", "-O1", "-shared", "-fPIC", "-o", library.path, source.path])
        return try output(
            of: "/proc/\(getpid())/exe", ["--testing-library", "swift-testing", "--no-parallel", "--filter", test],
            preloading: library)
    }

    private static func output(of program: String, _ arguments: [String], preloading library: URL? = nil) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: program).resolvingSymlinksInPath()
        process.arguments = arguments
        if let library {
            process.environment = ProcessInfo.processInfo.environment.merging(["LD_PRELOAD": library.path]) { $1 }
        }
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let printed = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(description: "\(program) \(arguments) ended with \(process.terminationStatus):\n\(printed)")
        }
        return printed
    }
}
