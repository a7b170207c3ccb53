internal import Synchronization

/// A worker's part of the step that is running, `next ..< end` of its chunks, and how to do one.
///
/// The owner takes from the front, so that it goes through memory in one direction, as the processor's prefetching expects; who has
/// nothing left takes from the back of others. A claim is a compare-and-swap of the word that holds both ends. The other fields are
/// plain: they are written before the word is published, read only after a claim, and the step cannot end before the claimed
/// chunk is done, so they hold still meanwhile. A worker that slept through any number of steps and then claims does so in the
/// step that is running.
///
/// All of it lies on one cache line: the line that tells a worker of the step brings the rest.
@safe struct WorkShare: ~Copyable {
    /// `next` in bits 0 to 23, `end` in 24 to 47, the workers that may take part above.
    private let word = Atomic<UInt64>(0)
    private var context = unsafe UnsafeRawPointer(bitPattern: 1)!
    private var body: ThreadPool.Body = { _, _, _ in }
    /// Chunks of the whole step.
    private(set) var chunks = 0

    /// More chunks than this are not divided.
    static let mostChunks = 1 << 24 - 1

    /// Called by the thread that runs the step, while the share is empty. Not a mutating method: that would claim the whole share
    /// for itself, and others look at the word meanwhile, which the thread sanitizer rightly calls a race.
    static func publish(
        _ range: Range<Int>, of chunks: Int, workers: Int, context: UnsafeRawPointer, body: ThreadPool.Body,
        in share: UnsafeMutablePointer<WorkShare>
    ) {
        unsafe share.pointee.context = unsafe context
        unsafe share.pointee.body = unsafe body
        unsafe share.pointee.chunks = chunks
        let ends = UInt64(range.lowerBound) | UInt64(range.upperBound) << 24
        unsafe share.pointee.word.store(ends | UInt64(workers) << 48, ordering: .sequentiallyConsistent)
    }

    /// Whether a chunk waits here.
    var hasWork: Bool { Self.left(word.load(ordering: .sequentiallyConsistent)) > 0 }

    /// Takes and does the first chunk, or the last; false where none is left or this worker may not take part.
    @inline(__always)
    func takeOne(fromBack: Bool, as worker: Int) -> Bool {
        var seen = word.load(ordering: .relaxed)
        while true {
            guard Self.left(seen) > 0, worker < Int(seen >> 48) else { return false }
            let (took, now) = word.weakCompareExchange(
                expected: seen, desired: fromBack ? seen &- 1 << 24 : seen &+ 1, successOrdering: .acquiring,
                failureOrdering: .relaxed)
            guard took else { seen = now; continue }
            unsafe body(context, fromBack ? Self.end(seen) &- 1 : Self.next(seen), worker)
            return true
        }
    }

    private static func next(_ word: UInt64) -> Int { Int(word & 0xFF_FFFF) }
    private static func end(_ word: UInt64) -> Int { Int(word >> 24 & 0xFF_FFFF) }
    private static func left(_ word: UInt64) -> Int { end(word) &- next(word) }
}
