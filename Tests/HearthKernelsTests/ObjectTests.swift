import Foundation
import HearthKernelTypes
import HearthKernels
import Testing

@Suite("Objects compiled for newer processors")
struct ObjectTests {
    /// `TARGET.build` beside the test program that runs.
    static func folder(_ target: String) -> URL {
        let program = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        return program.deletingLastPathComponent().appending(path: "\(target).build")
    }
    static let hasObjects = FileManager.default.fileExists(atPath: folder("HearthKernelsAVX2").path)
    static let hasNM = FileManager.default.isExecutableFile(atPath: "/usr/bin/nm")

    /// A weak function may replace the portable copy of the same name when the program is linked, and then an older processor
    /// meets an instruction it does not have.
    @Test(
        "T-86 hold no weak function that another target could share",
        .enabled(if: hasObjects && hasNM, "needs /usr/bin/nm (binutils) and the objects of this build"),
        arguments: [
            ("HearthKernelsAVX2", "avx2AttendChunk"), ("HearthKernelsAVX512", "vnniTiles"),
            ("HearthKernelsAVX512", "avx512AttendChunk"), ("HearthKernelsAVX512", "avx512Cut"), ("HearthKernelsSSSE3", "ssse3Tiles"),
        ])
    func noWeakText(_ target: String, _ kernel: String) throws {
        let folder = Self.folder(target)
        let objects = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".o") }
        #expect(!objects.isEmpty)
        let nm = Process()
        nm.executableURL = URL(filePath: "/usr/bin/nm")
        nm.arguments = objects.map { folder.appending(path: $0).path }
        let pipe = Pipe()
        nm.standardOutput = pipe
        try nm.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        nm.waitUntilExit()
        #expect(nm.terminationStatus == 0)
        let lines = output.split(separator: "\n")
        #expect(lines.contains { $0.contains(" T ") && $0.contains(kernel) }, "nm lists the kernels")
        // A weak function of this module's own name (`$s17HearthKernelsAVX2...`) has no other copy; the linker merges nothing.
        let weak = lines.filter { $0.contains(" W ") && !$0.contains(" W $s\(target.utf8.count)\(target)") }
        #expect(weak.isEmpty, "\(weak.joined(separator: "\n"))")
    }
}
