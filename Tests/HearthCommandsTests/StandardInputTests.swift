import Foundation
import HearthCommands
import Testing

@Suite("StandardInput")
struct StandardInputTests {
    @Test("T-91 an open pipe that nobody writes to is left out after a second")
    func silentPipe() throws {
        let pipe = Pipe()
        let begun = ContinuousClock.now
        #expect(try StandardInput(descriptor: pipe.fileHandleForReading.fileDescriptor).read(waiting: false) == .silent)
        #expect(begun.duration(to: .now) < .seconds(3))
    }

    @Test("T-91 a pipe that was written to is read to its end, one that was closed is nothing")
    func writtenPipe() throws {
        let written = Pipe()
        try written.fileHandleForWriting.write(contentsOf: Data("ctx\n".utf8))
        try written.fileHandleForWriting.close()
        let content = try StandardInput(descriptor: written.fileHandleForReading.fileDescriptor).read(waiting: false)
        #expect(content == .text(Array("ctx\n".utf8)))

        let closed = Pipe()
        try closed.fileHandleForWriting.close()
        #expect(
            try StandardInput(descriptor: closed.fileHandleForReading.fileDescriptor).read(waiting: false) == .nothing)
        #expect(try StandardInput(descriptor: 987).read(waiting: false) == .nothing)
    }

    @Test("a file is read whole, an empty one is nothing")
    func file() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "hearth-input-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: url) }
        try Data("x".utf8).write(to: url)
        let handle = try FileHandle(forReadingFrom: url)
        #expect(try StandardInput(descriptor: handle.fileDescriptor).read(waiting: false) == .text([120]))
        #expect(try StandardInput(descriptor: handle.fileDescriptor).read(waiting: false) == .nothing)
        #expect(try TextFile.bytes(url.path) == [120])
    }

    @Test("a missing file is an error with the system's reason")
    func missingFile() {
        #expect(throws: CommandError.unreadable(path: "/no/such", reason: "No such file or directory")) {
            try TextFile.bytes("/no/such")
        }
    }

    @Test(
        "text that is no UTF-8 is refused at its first wrong byte",
        arguments: [
            ([0x61, 0xFF], 1), ([0xC3, 0xA9, 0xC3], 2), ([0xF0, 0x9F, 0x98, 0x61], 0), ([0xE2, 0x82, 0xAC, 0x80], 3),
        ] as [([UInt8], Int)])
    func notText(bytes: [UInt8], place: Int) {
        #expect(throws: CommandError.inputNotText(source: "f", byte: place)) { try TextFile.text(bytes, source: "f") }
    }
}
