internal import HearthLocks

/// Memory for re-laid matrices: many small ones share chunks that are large enough for pages of 2 MB. Reading weights in
/// pages of 4 KB was measured at 18 GB/s on a core that reads 30 GB/s in large ones.
///
/// A chunk lives as long as one of its matrices; what is left of it when the next matrix does not fit is never touched.
package final class WeightArena: Sendable {
    /// A chunk's size: 32 large pages. Matrices of a quarter and more get memory of their own; their last 2 MB are in small pages,
    /// which for one of 5 MB, such as the feed-forward of a small model, was a third of it.
    private static var chunkBytes: Int { 64 << 20 }

    private struct Current {
        var chunk: AlignedMemory?
        var used = 0
    }

    private let current = Locked(Current())

    init() {}

    /// Uninitialised memory on a cache line, and what keeps it.
    func take(_ byteCount: Int) throws(KernelError) -> (base: UnsafeMutableRawPointer, owner: AlignedMemory) {
        if byteCount >= Self.chunkBytes / 4 {
            let memory = try AlignedMemory(byteCount: byteCount, zeroed: false)
            return unsafe (memory.base, memory)
        }
        // A cache line more than asked for, as `AlignedMemory` has it.
        let size = (byteCount + 127) & ~63
        return try unsafe current.withLock { current throws(KernelError) in
            if current.chunk == nil || current.used + size > Self.chunkBytes {
                current.chunk = try AlignedMemory(byteCount: Self.chunkBytes, zeroed: false)
                current.used = 0
            }
            let base = unsafe current.chunk!.base + current.used
            current.used += size
            return unsafe (base, current.chunk!)
        }
    }
}
