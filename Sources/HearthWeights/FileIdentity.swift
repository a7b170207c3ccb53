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

    /// Of a whole model: one file, all shards of a set, or a folder of weights and descriptions. A change of any of its
    /// files changes it, and every way to name the model gives the same one.
    package init(ofModel url: URL) throws(CheckpointError) {
        let files = try ModelFiles.find(url).all
        guard files.count > 1 else {
            try self.init(of: files.first ?? url)
            return
        }
        // FNV-1a over the numbers of all files, in the order of their names.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        var total: Int64 = 0
        for file in files {
            let one = try FileIdentity(of: file)
            total &+= one.size
            for number in [one.device, one.inode, UInt64(bitPattern: one.size), UInt64(bitPattern: one.modified)] {
                hash = (hash ^ number) &* 0x100_0000_01b3
            }
        }
        self.init(device: 0, inode: UInt64(files.count), size: total, modified: Int64(bitPattern: hash))
    }

    /// Of bytes that are in no file.
    static var none: FileIdentity { FileIdentity(device: 0, inode: 0, size: 0, modified: 0) }

    private init(device: UInt64, inode: UInt64, size: Int64, modified: Int64) {
        self.device = device
        self.inode = inode
        self.size = size
        self.modified = modified
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
