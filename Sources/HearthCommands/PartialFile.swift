import Glibc

/// A file that is whole or not there: written as `NAME.part`, renamed at the end, removed when it is given up.
final class PartialFile: Sendable {
    let path: String
    private let descriptor: Int32

    private var part: String { path + ".part" }

    init(_ path: String) throws(CommandError) {
        self.path = path
        descriptor = unsafe open(path + ".part", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw .unwritable(path: path, reason: FileDescriptor.reason(errno)) }
    }

    deinit {
        // After `finish` there is no file of that name.
        _ = unsafe unlink(path + ".part")
        close(descriptor)
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(CommandError) {
        if let code = unsafe FileDescriptor.writeAll(bytes, to: descriptor) {
            throw .unwritable(path: path, reason: FileDescriptor.reason(code))
        }
    }

    func finish() throws(CommandError) {
        guard unsafe rename(part, path) == 0 else {
            throw .unwritable(path: path, reason: FileDescriptor.reason(errno))
        }
    }
}
