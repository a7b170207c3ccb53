import Foundation
import HearthKernels

/// How fast the system gives memory that this process did not have before: the ceiling of loading, which needs as much of it as
/// the file is long.
///
/// On a machine of one's own that is what clearing pages costs. A virtual machine may have handed memory that was free for some
/// seconds back to its host (free page reporting), and gets it again page by page.
package enum FreshMemory {
    /// What a system page is at least: x86-64's. A larger one is written to more than once.
    private static let page = 4096
    /// What a worker touches at once: a large page.
    private static let stretch = 2 << 20

    /// Bytes a second for memory that is asked for as weights are and first touched by as many threads. Measured after a load
    /// whose weights are still held: what is at hand goes to the load, and nothing that was taken here makes it faster.
    /// - Returns: nil where there is no memory for it.
    package static func rate(byteCount: Int, threads: Int) -> Double? {
        // A second model must not drive the machine into its swap.
        let count = min(byteCount, Int(clamping: ProcessInfo.processInfo.physicalMemory / 8))
        guard count > 0 else { return nil }
        ThreadPool.shared.reserve(workers: threads)
        let start = ContinuousClock.now
        // No cause is hidden: what fails here is that there is no memory.
        guard let memory = try? AlignedMemory(byteCount: count, zeroed: false) else { return nil }
        let time = withExtendedLifetime(memory) {
            memory.bringIn(0..<count, pool: .shared, threads: threads)
            // Nothing to do where the pages are there; where the system does not give them in advance (Linux before 5.14), it
            // does now, to all workers as to those that fill weights.
            unsafe touch(memory.base, count: count, threads: threads)
            return ContinuousClock.now - start
        }
        return Double(count) / (time / .seconds(1))
    }

    /// Writes to every page, a stretch of neighbours at a time.
    private static func touch(_ base: UnsafeMutableRawPointer, count: Int, threads: Int) {
        var job = unsafe (base: base, count: count)
        unsafe withUnsafePointer(to: &job) { pointer in
            unsafe ThreadPool.shared.run(
                chunks: (count + stretch - 1) / stretch, workers: threads, context: UnsafeRawPointer(pointer)
            ) { context, chunk, _ in
                typealias Job = (base: UnsafeMutableRawPointer, count: Int)
                let job = unsafe context.assumingMemoryBound(to: Job.self).pointee
                let first = chunk * FreshMemory.stretch
                let end = unsafe min(first + FreshMemory.stretch, job.count)
                for offset in stride(from: first, to: end, by: FreshMemory.page) {
                    unsafe job.base.storeBytes(of: 1, toByteOffset: offset, as: UInt8.self)
                }
            }
        }
    }
}
