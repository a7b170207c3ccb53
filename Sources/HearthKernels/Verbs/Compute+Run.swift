extension Compute {
    /// Numbers that one chunk of a light step handles: some microseconds of work, so that taking a chunk (tens of
    /// nanoseconds) and waking a worker pay.
    static let numbersPerChunk = 16384

    /// Cuts `items` into chunks of `perChunk` and runs `body` for each on the pool. The body's context is a `Split<Step>`.
    @inline(__always)
    func run<Step>(_ step: Step, items: Int, perChunk: Int, workers: Int = .max, body: ThreadPool.Body) {
        var split = Split(step: step, items: items, perChunk: perChunk)
        let chunks = (items + perChunk - 1) / perChunk
        unsafe withUnsafePointer(to: &split) { pointer in
            unsafe pool.run(
                chunks: chunks, workers: min(threads, workers), context: UnsafeRawPointer(pointer), body: body)
        }
    }
}

/// A step with the way it is cut.
struct Split<Step> {
    let step: Step
    let items: Int
    let perChunk: Int

    /// First item and number of items of a chunk.
    @inline(__always)
    func range(_ chunk: Int) -> (first: Int, count: Int) {
        let first = chunk * perChunk
        return (first, min(perChunk, items - first))
    }
}
