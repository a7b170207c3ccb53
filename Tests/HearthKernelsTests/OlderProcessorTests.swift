import Foundation
import HearthTestSupport
import Testing

/// The product under an emulator of other processors (Debian's qemu-user).
@Suite("Older processors")
struct OlderProcessorTests {
    static let emulator = "/usr/bin/qemu-x86_64"
    /// `hearth` beside the test program that runs.
    static let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().appending(path: "hearth")
    static var canRun: Bool {
        FileManager.default.isExecutableFile(atPath: emulator) && FileManager.default.isExecutableFile(atPath: program.path)
    }

    /// Runs `hearth` on a made-up processor; the kernel sets it chose, and what it printed.
    func run(_ processor: String, _ arguments: [String]) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(filePath: Self.emulator)
        process.arguments = ["-cpu", processor, Self.program.path] + arguments
        var environment = ProcessInfo.processInfo.environment
        environment["HEARTH_KERNELS"] = nil
        process.environment = environment
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, output)
    }

    @Test(
        "T-86 an older processor gets the portable set and a newer one AVX2, each without an illegal instruction",
        .enabled(if: canRun, "needs qemu-x86_64 (apt-get install qemu-user) and the built hearth"),
        arguments: [("Nehalem", "portable"), ("SandyBridge", "portable"), ("Haswell", "avx2")])
    func chooses(processor: String, set: String) throws {
        let doctor = try run(processor, ["doctor", "--json"])
        #expect(doctor.status == 0, "\(doctor.output)")
        #expect(doctor.output.contains("\"set\":\"\(set)\""), "\(doctor.output)")
        let tokens = FileManager.default.temporaryDirectory.appending(path: "hearth-tokens-\(processor).json")
        try Data("[1, 2, 3, 4, 5]".utf8).write(to: tokens)
        let score = try run(
            processor, ["score", "--model", Fixtures.url("quant-q4_1.gguf").path, "--tokens", tokens.path, "--json"])
        #expect(score.status == 0, "\(score.output)")
        #expect(score.output.contains("\"kernels\":\"\(set)\"") || score.output.contains("\"kernels\": \"\(set)\""), "\(score.output)")
    }
}
