#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The few file operations of the store whose error number matters, since a full disk is told apart from all else.
enum PosixFile {
    struct Facts: Equatable {
        let size: Int64
        /// Nanoseconds since 1970.
        let modified: Int64
        let isFile: Bool
        let inode: UInt64
    }

    /// Nil where there is nothing of that name.
    static func facts(_ path: String) -> Facts? {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        return facts(status)
    }

    static func facts(descriptor: Int32) -> Facts? {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { return nil }
        return facts(status)
    }

    private static func facts(_ status: stat) -> Facts {
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        return Facts(
            size: Int64(status.st_size), modified: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec),
            isFile: status.st_mode & S_IFMT == S_IFREG, inode: UInt64(status.st_ino))
    }

    /// Writes beside and renames, so that the name has the old bytes or the new ones, whole.
    static func replace(_ path: String, with bytes: [UInt8]) throws(ModelsError) {
        let beside = path + ".new"
        let descriptor = unsafe open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw error(errno, beside, "write") }
        var done = 0
        while done < bytes.count {
            let count = unsafe bytes.withUnsafeBytes {
                unsafe write(descriptor, $0.baseAddress! + done, $0.count - done)
            }
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else {
                let code = errno
                close(descriptor)
                unsafe unlink(beside)
                throw error(code, beside, "write")
            }
            done += count
        }
        let closed = close(descriptor)
        guard closed == 0 else { throw error(errno, beside, "write") }
        try rename(beside, to: path)
    }

    static func rename(_ path: String, to new: String) throws(ModelsError) {
        #if canImport(Darwin)
            let result = unsafe Darwin.rename(path, new)
        #else
            let result = unsafe Glibc.rename(path, new)
        #endif
        guard result == 0 else { throw error(errno, new, "rename to") }
    }

    /// With the folders above it; one that is there is fine.
    /// - Returns: those that were made, from the top down.
    @discardableResult
    static func makeFolder(_ path: String) throws(ModelsError) -> [String] {
        if unsafe mkdir(path, 0o755) == 0 { return [path] }
        switch errno {
        case EEXIST: return []
        case ENOENT:
            let parent = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
            guard !parent.isEmpty else { throw error(ENOENT, path, "make") }
            let above = try makeFolder(parent)
            if unsafe mkdir(path, 0o755) == 0 { return above + [path] }
            guard errno == EEXIST else { throw error(errno, path, "make") }
            return above
        case let code: throw error(code, path, "make")
        }
    }

    /// Removes a folder in which nothing stands; any other stays as it is.
    static func removeEmpty(_ path: String) { _ = unsafe rmdir(path) }

    /// Bytes that an ordinary user may still write where `path` is; nil where the system does not say.
    static func freeSpace(_ path: String) -> Int64? {
        var status = statvfs()
        guard unsafe statvfs(path, &status) == 0 else { return nil }
        let (bytes, overflow) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return overflow ? .max : Int64(clamping: bytes)
    }

    /// Numbers that mean there is no room: the disk is full, the quota is used up, or files may not grow so large.
    static let noRoom: Set<Int32> = [ENOSPC, EDQUOT, EFBIG]

    static func error(_ code: Int32, _ path: String, _ doing: String) -> ModelsError {
        noRoom.contains(code)
            ? .diskFull(path: path) : .store(path: path, doing: doing, reason: unsafe String(cString: strerror(code)))
    }
}
