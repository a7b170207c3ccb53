import Glibc
import HearthLocks

/// A file that is whole or not there: written beside its name, renamed at the end, removed when it is given up.
///
/// The name of the unfinished file is this process's own, so that neither a file of the user's nor another process's is
/// touched. A symbolic link stays one: the file that it leads to is replaced. What is no file (a device, a pipe) is
/// written in place, since a rename would put a file where the device was.
final class PartialFile: Sendable {
    /// As it was given, for messages.
    let path: String
    private let descriptor: Int32
    /// Where the whole file goes.
    private let target: String
    /// The unfinished file; nil where the target is written in place.
    private let part: String?

    /// Unfinished files of this process, for a signal that leaves no time to give them up one by one.
    private static let pending = Locked<Set<String>>([])

    init(_ path: String) throws(CommandError) {
        self.path = path
        var status = stat()
        if unsafe stat(path, &status) == 0 {
            let kind = status.st_mode & S_IFMT
            guard kind != S_IFDIR else { throw .unwritable(path: path, reason: FileDescriptor.reason(EISDIR)) }
            guard kind == S_IFREG else {
                (target, part) = (path, nil)
                descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC)
                guard descriptor >= 0 else { throw .unwritable(path: path, reason: FileDescriptor.reason(errno)) }
                return
            }
            target = Self.resolved(path)
        } else {
            let code = errno
            // A link that leads nowhere, or a path that cannot be followed.
            guard code == ENOENT, unsafe lstat(path, &status) != 0 else {
                throw .unwritable(path: path, reason: FileDescriptor.reason(code))
            }
            target = path
        }
        let (name, opened) = Self.create(beside: target)
        guard opened >= 0 else { throw .unwritable(path: path, reason: FileDescriptor.reason(errno)) }
        (part, descriptor) = (name, opened)
        Self.pending.withLock { _ = $0.insert(name) }
    }

    deinit {
        if let part {
            // After `finish` there is no file of that name.
            _ = unsafe unlink(part)
            Self.pending.withLock { _ = $0.remove(part) }
        }
        close(descriptor)
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws(CommandError) {
        if let code = unsafe FileDescriptor.writeAll(bytes, to: descriptor) {
            throw .unwritable(path: path, reason: FileDescriptor.reason(code))
        }
    }

    func finish() throws(CommandError) {
        guard let part else { return }
        guard unsafe rename(part, target) == 0 else {
            throw .unwritable(path: path, reason: FileDescriptor.reason(errno))
        }
    }

    /// Removes what is unfinished, for a process that is about to leave.
    static func removePending() {
        for part in pending.withLock({ $0 }) { _ = unsafe unlink(part) }
    }

    /// A new file beside `target`, never one that exists, and its descriptor; below 0 with `errno` where none was made.
    private static func create(beside target: String) -> (name: String, descriptor: Int32) {
        var attempt = 0
        while true {
            let name = "\(target).\(getpid())-\(attempt).part"
            let descriptor = unsafe open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
            // A process of the same number that was killed may have left one.
            guard descriptor < 0, errno == EEXIST, attempt < 1000 else { return (name, descriptor) }
            attempt += 1
        }
    }

    /// The path without symbolic links.
    private static func resolved(_ path: String) -> String {
        guard let resolved = unsafe realpath(path, nil) else { return path }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }
}
