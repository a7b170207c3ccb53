import Foundation

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A lock on a folder, held by one fetch at a time, whatever process it is in. The system lets go of it when a process dies.
struct FolderLock: ~Copyable {
    private let descriptor: Int32

    private init(descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// Makes the folder if needed and takes its lock.
    /// - Returns: nil while somebody else holds it.
    static func take(_ folder: URL) throws(ModelsError) -> FolderLock? {
        let path = folder.appending(path: "lock").path
        // Whoever held the lock may have removed the folder when done; then the file locked here has no name any more,
        // and the folder is made again.
        while true {
            try PosixFile.makeFolder(folder.path)
            let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
            if descriptor < 0 {
                if errno == ENOENT { continue }
                throw PosixFile.error(errno, path, "open")
            }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                let code = errno
                close(descriptor)
                if code == EWOULDBLOCK { return nil }
                throw PosixFile.error(code, path, "lock")
            }
            if let named = PosixFile.facts(path), named.inode == PosixFile.facts(descriptor: descriptor)?.inode {
                return FolderLock(descriptor: descriptor)
            }
            close(descriptor)
        }
    }
}
