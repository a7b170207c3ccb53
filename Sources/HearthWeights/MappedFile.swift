import Foundation

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The bytes of a file, mapped read only for as long as this object lives.
///
/// Reading a byte the first time brings its page in from the disk; `discard()` gives the pages back, and a later read
/// brings them in again. The file must not be shortened while it is mapped: the system answers a read past its end
/// with a signal, which nobody can turn into an error.
@safe
package final class MappedFile: Sendable {
    /// The path as it was given, for messages.
    package let path: String
    /// Length in bytes at the time of opening.
    package let count: Int
    /// Which file this is, for tables of what is loaded already.
    package let identity: FileIdentity

    // Read-only memory that nobody unmaps before deinit. Nil for an empty file, which cannot be mapped.
    private nonisolated(unsafe) let start: UnsafeRawPointer?
    /// Whether the bytes were made here and are in no file: their pages cannot be given back.
    private let isMade: Bool

    /// Opens and maps the file. What the first bytes say is looked at before anything is mapped: see `FileStart`.
    /// - Parameter check: called with the first bytes of the file (at most 64) and throws to refuse it.
    init(_ file: URL, check: (_ start: [UInt8]) throws(CheckpointError) -> Void) throws(CheckpointError) {
        let path = file.path(percentEncoded: false)
        self.path = path
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw CheckpointError(path, .opening(errno: errno)) }
        defer { close(descriptor) }

        // Regular files only: a folder, pipe or device has no length to check sizes against.
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw CheckpointError(path, .opening(errno: errno)) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw CheckpointError(path, .notAFile) }
        identity = FileIdentity(status)
        count = Int(status.st_size)
        isMade = false

        var head = [UInt8](repeating: 0, count: min(64, count))
        let length = head.count
        let got = unsafe head.withUnsafeMutableBytes { unsafe pread(descriptor, $0.baseAddress, length, 0) }
        guard got == length else { throw CheckpointError(path, .opening(errno: got < 0 ? errno : EIO)) }
        try check(head)

        guard count > 0 else {
            unsafe start = nil
            return
        }
        let mapping = unsafe mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0)
        guard let mapping = unsafe mapping, unsafe mapping != MAP_FAILED else {
            throw CheckpointError(path, .mapping(bytes: count, errno: errno))
        }
        unsafe start = UnsafeRawPointer(mapping)
    }

    /// Bytes that no file has, made once by `fill`: tensors in another order or type, arrays that were read from JSON.
    /// - Parameter path: of the file that they were made from, for messages.
    init(
        made count: Int, for path: String, fill: (UnsafeMutableRawBufferPointer) -> Void
    ) throws(CheckpointError) {
        self.path = path
        self.count = count
        identity = .none
        isMade = true
        guard count > 0 else {
            unsafe start = nil
            return
        }
        let mapping = unsafe mmap(nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let mapping = unsafe mapping, unsafe mapping != MAP_FAILED else {
            throw CheckpointError(path, .mapping(bytes: count, errno: errno))
        }
        unsafe fill(UnsafeMutableRawBufferPointer(start: mapping, count: count))
        unsafe start = UnsafeRawPointer(mapping)
    }

    deinit {
        if let start = unsafe start { unsafe munmap(UnsafeMutableRawPointer(mutating: start), count) }
    }

    /// The whole file as a span whose every access is checked.
    package func withSpan<R, E: Error>(_ body: (RawSpan) throws(E) -> R) throws(E) -> R {
        try body(unsafe RawSpan(_unsafeBytes: UnsafeRawBufferPointer(start: start, count: count)))
    }

    /// Part of the file. The caller has checked the range against `count`; a range outside stops the program.
    package func withBytes<R, E: Error>(
        _ range: Range<Int>, _ body: (UnsafeRawBufferPointer) throws(E) -> R
    ) throws(E) -> R {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "range outside the mapped file")
        return try unsafe body(UnsafeRawBufferPointer(start: start, count: count)[range].rebased)
    }

    /// Gives the memory of all pages, or of those wholly inside `range`, back to the system. Their contents come back
    /// from the file when they are read again.
    package func discard(_ range: Range<Int>? = nil) {
        guard !isMade, let start = unsafe start else { return }
        let page = Int(sysconf(Int32(_SC_PAGESIZE)))
        // madvise wants a whole first page and rounds the length up: shrink both ends, but let the file's end go whole.
        let lower = ((range?.lowerBound ?? 0) + page - 1) / page * page
        let upper = range.map { $0.upperBound >= count ? count : $0.upperBound / page * page } ?? count
        guard lower < upper else { return }
        // Advice may be declined (locked pages, for one): that costs memory, never correctness.
        _ = unsafe madvise(UnsafeMutableRawPointer(mutating: start + lower), upper - lower, MADV_DONTNEED)
    }
}

extension UnsafeRawBufferPointer.SubSequence {
    fileprivate var rebased: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(rebasing: self) }
}
