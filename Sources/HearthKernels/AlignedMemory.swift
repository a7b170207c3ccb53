internal import Foundation

/// Memory on a boundary of at least 64 bytes (a cache line), freed with its owner.
@safe final class AlignedMemory: @unchecked Sendable {
    let base: UnsafeMutableRawPointer
    let byteCount: Int

    /// From this size on, pages of 2 MB are asked for: fewer faults while filling, fewer misses of the page tables' cache while
    /// reading. Below it they would waste more than they save.
    private static var hugeFrom: Int { 4 << 20 }

    /// `byteCount` is rounded up to whole cache lines plus one, so that a 32-byte load of the last element stays inside.
    init(byteCount: Int, zeroed: Bool = true) throws(KernelError) {
        let (padded, overflow) = max(0, byteCount).addingReportingOverflow(127)
        guard !overflow else { throw .outOfMemory(bytes: byteCount) }
        let size = padded & ~63
        let isHuge = size >= Self.hugeFrom
        var memory: UnsafeMutableRawPointer?
        guard unsafe posix_memalign(&memory, isHuge ? 2 << 20 : 64, size) == 0, let memory = unsafe memory else {
            throw .outOfMemory(bytes: byteCount)
        }
        #if os(Linux)
        // A wish: where it is refused, pages are small.
        if isHuge { unsafe madvise(memory, size, MADV_HUGEPAGE) }
        #endif
        if zeroed { unsafe memset(memory, 0, size) }
        unsafe base = unsafe memory
        self.byteCount = byteCount
    }

    deinit { unsafe free(base) }
}
