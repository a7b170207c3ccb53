#if canImport(Darwin)
internal import Darwin
#else
internal import Glibc
#endif

/// Zeroed memory that the system gives page by page when it is first written; freed with its owner.
///
/// It is not set aside in advance (`MAP_NORESERVE`): a cache for a long context is asked for whole and mostly stays empty,
/// and a system that counts what it has promised would refuse it.
@safe package final class ReservedMemory: @unchecked Sendable {
    package let base: UnsafeMutableRawPointer
    package let byteCount: Int
    private let mapped: UnsafeMutableRawPointer
    private let mappedCount: Int

    /// - Parameter largePages: asks for pages of 2 MB, where that much is asked for twice or more. Memory that is read from end to
    ///   end is read faster so (measured with 100 MB: 28 GB/s against 16); it is then given in steps of 2 MB.
    package init(byteCount: Int, largePages: Bool = false) throws(KernelError) {
        let isLarge = largePages && byteCount >= 2 * LargePage.byteCount
        // A large page begins on a boundary of its size.
        let (count, overflow) = byteCount.addingReportingOverflow(isLarge ? LargePage.byteCount : 0)
        guard byteCount > 0, !overflow,
            let mapped = unsafe mmap(nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON | MAP_NORESERVE, -1, 0),
            unsafe mapped != MAP_FAILED
        else { throw .outOfMemory(bytes: byteCount) }
        unsafe self.mapped = unsafe mapped
        mappedCount = count
        unsafe base = unsafe isLarge ? mapped.alignedUp(toMultipleOf: LargePage.byteCount) : mapped
        self.byteCount = byteCount
        #if os(Linux)
        // A wish: where it is refused, pages are small.
        if isLarge { unsafe madvise(base, byteCount, MADV_HUGEPAGE) }
        #endif
    }

    deinit { unsafe munmap(mapped, mappedCount) }
}
