package import Foundation

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Which file, and which state of it: equal as long as nobody replaced or wrote to it.
package struct FileIdentity: Hashable, Sendable {
    package let device: UInt64
    package let inode: UInt64
    /// Bytes.
    package let size: Int64
    /// Nanoseconds since 1970 of the last change to the contents.
    package let modified: Int64

    /// Follows links, so that every path to a file gives the same identity.
    package init(of file: URL) throws(CheckpointError) {
        let path = file.path(percentEncoded: false)
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { throw CheckpointError(path, .opening(errno: errno)) }
        self.init(status)
    }

    init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        inode = UInt64(truncatingIfNeeded: status.st_ino)
        size = Int64(status.st_size)
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        // Wraps after the year 2262, which would only make two states of a file look alike.
        modified = Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}
