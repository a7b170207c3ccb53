internal import HearthLocks

/// Memory for re-laid matrices: many small ones share chunks that are large enough for pages of 2 MB. Reading weights in
/// pages of 4 KB was measured at 18 GB/s on a core that reads 30 GB/s in large ones.
///
/// Memory is brought in before it is given out (`AlignedMemory.bringIn`), by all threads, and little more than is given out. A
/// chunk lives as long as one of its matrices; what is left of it when the next matrix does not fit is hardly touched.
package final class WeightArena: Sendable {
    /// A chunk's size: 32 large pages. Matrices of a quarter and more get memory of their own; their last 2 MB are in small pages,
    /// which for one of 5 MB, such as the feed-forward of a small model, was a third of it.
    private static var chunkBytes: Int { 64 << 20 }

    /// Large pages of a chunk that are brought in at once, a thread each: a matrix of a small model is less than one. No more
    /// than these, since at the end of a model most of them may have been for nothing.
    private static var mostPages: Int { 4 }

    fileprivate struct Current {
        var chunk: AlignedMemory?
        var used = 0
        /// The end of what was brought in.
        var present = 0
    }

    private let current = Locked(Current())

    package init() {}

    /// Uninitialised memory on a cache line, and what keeps it.
    package func take(
        _ byteCount: Int, pool: ThreadPool, threads: Int
    ) throws(KernelError) -> (base: UnsafeMutableRawPointer, owner: AlignedMemory) {
        if byteCount >= Self.chunkBytes / 4 {
            let memory = try AlignedMemory(byteCount: byteCount, zeroed: false)
            memory.bringIn(0..<byteCount, pool: pool, threads: threads)
            return unsafe (memory.base, memory)
        }
        // A cache line more than asked for, as `AlignedMemory` has it.
        let size = (byteCount + 127) & ~63
        let (chunk, place, absent) = try current.withLock { current throws(KernelError) in
            if current.chunk == nil || current.used + size > Self.chunkBytes {
                current.giveBack()
                current = Current(chunk: try AlignedMemory(byteCount: Self.chunkBytes, zeroed: false))
            }
            let place = current.used
            current.used += size
            let step = LargePage.byteCount * min(threads, Self.mostPages)
            let end = max(current.present, min((current.used + step - 1) / step * step, Self.chunkBytes))
            let absent = current.present..<end
            current.present = end
            return (current.chunk!, place, absent)
        }
        chunk.bringIn(absent, pool: pool, threads: threads)
        return unsafe (chunk.base + place, chunk)
    }

    /// Gives back what was brought in and not given out: a model is loaded. What is taken after this is in another chunk.
    package func finish() {
        current.withLock { current in
            current.giveBack()
            current = Current()
        }
    }
}

extension WeightArena.Current {
    func giveBack() { chunk?.giveBack(used..<present) }
}
