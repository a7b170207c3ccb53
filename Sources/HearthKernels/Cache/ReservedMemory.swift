#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// Zeroed memory that the system gives page by page when it is first written; freed with its owner.
@safe package final class ReservedMemory: @unchecked Sendable {
    package let base: UnsafeMutableRawPointer
    package let byteCount: Int

    package init(byteCount: Int) throws(KernelError) {
        guard byteCount > 0,
            let base = unsafe mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0),
            unsafe base != MAP_FAILED
        else { throw .outOfMemory(bytes: byteCount) }
        unsafe self.base = unsafe base
        self.byteCount = byteCount
    }

    deinit { unsafe munmap(base, byteCount) }
}
