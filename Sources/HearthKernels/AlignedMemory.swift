internal import Foundation

/// Memory on a boundary of at least 64 bytes (a cache line), freed with its owner.
@safe package final class AlignedMemory: @unchecked Sendable {
    package let base: UnsafeMutableRawPointer
    package let byteCount: Int

    /// From this size on, large pages are asked for. Below it they would waste more than they save.
    private static var hugeFrom: Int { 4 << 20 }

    /// What is freed: `base`, or where the memory before its boundary begins.
    private let allocation: UnsafeMutableRawPointer

    /// `byteCount` is rounded up to whole cache lines plus one, so that a 32-byte load of the last element stays inside.
    /// - Parameter zeroed: zeros that the system gives when they are first written, where there are many: room for a long
    ///   prompt takes no memory before one comes.
    package init(byteCount: Int, zeroed: Bool = true) throws(KernelError) {
        let (padded, overflow) = max(0, byteCount).addingReportingOverflow(127 + LargePage.byteCount)
        guard !overflow else { throw .outOfMemory(bytes: byteCount) }
        let size = (padded - LargePage.byteCount) & ~63
        let isHuge = size >= Self.hugeFrom
        let boundary = isHuge ? LargePage.byteCount : 64
        var memory: UnsafeMutableRawPointer?
        if zeroed {
            unsafe memory = calloc(1, size + boundary)
        } else if unsafe posix_memalign(&memory, boundary, size) != 0 {
            unsafe memory = nil
        }
        guard let memory = unsafe memory else { throw .outOfMemory(bytes: byteCount) }
        unsafe allocation = unsafe memory
        unsafe base = unsafe memory.alignedUp(toMultipleOf: boundary)
        self.byteCount = byteCount
        #if os(Linux)
        // A wish: where it is refused, pages are small.
        if isHuge { unsafe madvise(base, size, MADV_HUGEPAGE) }
        #endif
    }

    deinit { unsafe free(allocation) }

    /// Has the system give the memory of a range, which begins on a large page, before anything is written there: a large page
    /// at a time, each by one thread. Contents stay as they are.
    ///
    /// Where memory is slow to come (a virtual machine whose host has to find each page first), a profile of threads that filled
    /// a matrix together showed one of them in most of the faults. Six loads of 270 MB each, in turn: a median of 0.71 s so and
    /// 0.52 s with this. The rate of such a machine moves by more than that from minute to minute.
    package func bringIn(_ range: Range<Int>, pool: ThreadPool, threads: Int) {
        #if os(Linux)
        guard !range.isEmpty, byteCount >= Self.hugeFrom else { return }
        var job = unsafe (start: base + range.lowerBound, byteCount: range.count)
        unsafe withUnsafePointer(to: &job) { pointer in
            unsafe pool.run(
                chunks: (range.count + LargePage.byteCount - 1) / LargePage.byteCount, workers: threads, context: UnsafeRawPointer(pointer)
            ) { context, chunk, _ in
                typealias Job = (start: UnsafeMutableRawPointer, byteCount: Int)
                let job = unsafe context.assumingMemoryBound(to: Job.self).pointee
                let offset = chunk * LargePage.byteCount
                // A wish too: Linux before 5.14 does not know it, and gives each page when it is first written.
                unsafe madvise(job.start + offset, min(LargePage.byteCount, job.byteCount - offset), MADV_POPULATE_WRITE)
            }
        }
        #endif
    }

    /// Gives the large pages that lie in a range back to the system; what they held is lost.
    package func giveBack(_ range: Range<Int>) {
        #if os(Linux)
        let first = (range.lowerBound + LargePage.byteCount - 1) / LargePage.byteCount * LargePage.byteCount
        let end = range.upperBound / LargePage.byteCount * LargePage.byteCount
        guard first < end else { return }
        // Advice may be declined: that costs memory, never correctness.
        unsafe madvise(base + first, end - first, MADV_DONTNEED)
        #endif
    }
}
