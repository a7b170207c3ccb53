package import Foundation

/// A program that is run to its end, with what it printed.
package struct ChildProcess {
    package struct Result {
        package let status: Int32
        /// Standard output.
        package let output: [UInt8]
        /// The end of standard error, at most 800 bytes: enough for the last lines of a program that failed.
        package let lastWords: String
    }

    let program: URL
    let arguments: [String]
    let environment: [String: String]

    package init(program: URL, arguments: [String], environment: [String: String]) {
        self.program = program
        self.arguments = arguments
        self.environment = environment
    }

    /// Runs without a shell and with nothing on standard input. What it prints goes to files of `folder` first.
    ///
    /// Where the task is cancelled the program is killed, and `CancellationError` thrown; what it wrote stays in `folder`.
    /// - Parameter tick: called some twenty times a second.
    package func run(in folder: URL, tick: () -> Void) async throws -> Result {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.environment = environment
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        let (output, errors) = (folder.appending(path: "stdout"), folder.appending(path: "stderr"))
        for file in [output, errors] { try PosixFile.replace(file.path, with: []) }
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        do { try process.run() } catch {
            throw ModelsError.cannotRun(program: program.path, reason: error.localizedDescription)
        }

        while process.isRunning {
            await Self.pause()
            tick()
            // Not SIGTERM: the child inherits the mask of the thread that started it, and threads of Dispatch block that.
            if Task.isCancelled { kill(process.processIdentifier, SIGKILL) }
        }
        try Task.checkCancellation()
        return Result(
            status: process.terminationStatus, output: [UInt8](try Data(contentsOf: output)),
            lastWords: String(decoding: try Data(contentsOf: errors).suffix(800), as: UTF8.self)
                .trimmingCharacters(in: .whitespacesAndNewlines))
    }

    /// A twentieth of a second, also in a cancelled task, which `Task.sleep` does not give.
    static func pause() async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(50)) { continuation.resume() }
        }
    }
}
