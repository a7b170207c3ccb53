import Foundation
import HearthKernelTypes
import HearthKernels
import Testing

@Suite("The AVX2 target's objects")
struct ObjectTests {
    /// `HearthKernelsAVX2.build` beside the test program that runs.
    static let folder: URL = {
        let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        return program.deletingLastPathComponent().appending(path: "HearthKernelsAVX2.build")
    }()
    static let hasObjects = FileManager.default.fileExists(atPath: folder.path)
    static let hasNM = FileManager.default.isExecutableFile(atPath: "/usr/bin/nm")

    /// A weak function may replace the portable copy of the same name when the program is linked, and then an older processor
    /// meets an instruction it does not have.
    @Test("T-86 hold no weak function that another target could share", .enabled(if: hasObjects && hasNM, "needs /usr/bin/nm (binutils) and the objects of this build"))
    func noWeakText() throws {
        let objects = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).filter { $0.hasSuffix(".o") }
        #expect(!objects.isEmpty)
        let nm = Process()
        nm.executableURL = URL(filePath: "/usr/bin/nm")
        nm.arguments = objects.map { Self.folder.appending(path: $0).path }
        let pipe = Pipe()
        nm.standardOutput = pipe
        try nm.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        nm.waitUntilExit()
        #expect(nm.terminationStatus == 0)
        let lines = output.split(separator: "\n")
        #expect(lines.contains { $0.contains(" T ") && $0.contains("avx2AttendChunk") }, "nm lists the kernels")
        // A weak function of this module's own name (`s17HearthKernelsAVX2...`) has no other copy; the linker merges nothing.
        let weak = lines.filter { $0.contains(" W ") && !$0.contains(" W $s17HearthKernelsAVX2") }
        #expect(weak.isEmpty, "\(weak.joined(separator: "\n"))")
    }
}
