import Foundation
import HearthKernels

/// How fast this machine reads memory, measured here and now: the ceiling of decoding, which reads every weight once a token.
///
/// Workers of the engine's own pool sum a buffer far larger than the last cache, chunk by chunk, as products read weights.
/// The sum is compared with the one that the buffer must have, so no read can be left out.
@safe package struct ReadBandwidth {
    /// A cache line.
    private typealias Words = SIMD8<UInt64>
    /// A chunk of the pool: large against taking one, small against the whole.
    private static let chunkBytes = 1 << 20
    /// Passes over the buffer; the fastest counts, since a ceiling is what was reached once.
    private static let passes = 8

    /// 16 times the last cache, so that at most a sixteenth stays in it from pass to pass; at least 512 MiB, at most 2 GiB and
    /// an eighth of the machine's memory (a virtual machine is told of the whole socket's cache).
    static var mebibytes: Int {
        let memory = Int(ProcessInfo.processInfo.physicalMemory >> 20)
        return min(max(512, 16 * lastCache >> 20), 2048, max(64, memory / 8))
    }

    private static var lastCache: Int {
        let level3 = sysconf(Int32(_SC_LEVEL3_CACHE_SIZE))
        return level3 > 0 ? Int(level3) : 32 << 20  // no word from the system: a server's
    }

    private let base: UnsafeMutableRawPointer
    private let chunks: Int

    /// - Returns: nil where there is no memory for it.
    package init?(mebibytes: Int) {
        let bytes = mebibytes << 20
        var memory: UnsafeMutableRawPointer?
        guard bytes > 0, unsafe posix_memalign(&memory, 2 << 20, bytes) == 0, let memory = unsafe memory else { return nil }
        // As weights have it: pages of 2 MB where the system gives them.
        unsafe madvise(memory, bytes, MADV_HUGEPAGE)
        unsafe base = unsafe memory
        chunks = bytes / Self.chunkBytes
        for index in 0..<bytes / 8 { unsafe memory.storeBytes(of: UInt64(index), toByteOffset: 8 * index, as: UInt64.self) }
    }

    package func free() { unsafe Foundation.free(base) }

    /// Bytes a second.
    package func measure(threads: Int) -> Double {
        ThreadPool.shared.reserve(workers: threads)
        var best = 0.0
        for _ in 0...Self.passes {
            let start = ContinuousClock.now
            let sum = self.sum(threads: threads)
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            precondition(sum == expected, "the buffer was not read as a whole")
            best = max(best, Double(chunks * Self.chunkBytes) / seconds)
        }
        return best
    }

    /// 0 + 1 + ... + (words - 1), modulo 2^64.
    package var expected: UInt64 {
        let words = UInt64(chunks * Self.chunkBytes / 8)
        return words / 2 &* (words &- 1)
    }

    /// The sum of all words. Each worker adds to a cache line of its own.
    package func sum(threads: Int) -> UInt64 {
        let stride = 8
        var sums = [UInt64](repeating: 0, count: (threads + 1) * stride)
        unsafe sums.withUnsafeMutableBufferPointer { sums in
            var job = unsafe Job(base: UnsafeRawPointer(base), sums: sums.baseAddress!)
            unsafe withUnsafePointer(to: &job) { job in
                unsafe ThreadPool.shared.run(chunks: chunks, workers: threads, context: UnsafeRawPointer(job)) {
                    context, chunk, worker in
                    let job = unsafe context.assumingMemoryBound(to: Job.self).pointee
                    unsafe job.sums[8 * worker] &+= ReadBandwidth.sum(job.base + chunk * ReadBandwidth.chunkBytes)
                }
            }
        }
        return sums.reduce(0, &+)
    }

    @safe private struct Job {
        let base: UnsafeRawPointer
        let sums: UnsafeMutablePointer<UInt64>
    }

    /// One chunk, four cache lines a step into four sums.
    private static func sum(_ chunk: UnsafeRawPointer) -> UInt64 {
        var (a, b, c, d) = (Words.zero, Words.zero, Words.zero, Words.zero)
        var offset = 0
        while offset < chunkBytes {
            unsafe a &+= chunk.load(fromByteOffset: offset, as: Words.self)
            unsafe b &+= chunk.load(fromByteOffset: offset + 64, as: Words.self)
            unsafe c &+= chunk.load(fromByteOffset: offset + 128, as: Words.self)
            unsafe d &+= chunk.load(fromByteOffset: offset + 192, as: Words.self)
            offset += 256
        }
        return (a &+ b &+ c &+ d).wrappedSum()
    }
}
