internal import Foundation

/// Zeroed memory on a 64-byte boundary (a cache line), freed with its owner.
@safe final class AlignedMemory: @unchecked Sendable {
    let base: UnsafeMutableRawPointer
    let byteCount: Int

    /// `byteCount` is rounded up to whole cache lines plus one, so that a 32-byte load of the last element stays inside.
    init(byteCount: Int) throws(KernelError) {
        let (padded, overflow) = max(0, byteCount).addingReportingOverflow(127)
        guard !overflow else { throw .outOfMemory(bytes: byteCount) }
        let size = padded & ~63
        guard let memory = unsafe aligned_alloc(64, size) else { throw .outOfMemory(bytes: byteCount) }
        unsafe memset(memory, 0, size)
        unsafe base = unsafe memory
        self.byteCount = byteCount
    }

    deinit { unsafe free(base) }
}
