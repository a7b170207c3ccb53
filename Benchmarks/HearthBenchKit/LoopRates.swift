import HearthKernelTypes
package import HearthKernels

/// How fast the inner loops of products run here and now, on all threads at once: the ceiling of reading a prompt.
///
/// Loops are timed before a row and after it, in passes of some milliseconds, and the fastest pass of all counts: a ceiling is
/// what was reached once, and another process may take a core for longer than all passes of one time. Every pass is checked
/// (`InnerLoop.expected`).
package struct LoopRates {
    /// A pass, unless `--loop` says otherwise: long against waking workers.
    package static let milliseconds = 30
    /// After the one that finds out how many repetitions fill one.
    private static let passes = 8
    /// A worker's piece of a pass: short, so that no worker waits long for the last piece of another.
    private static let chunkNanoseconds = 200_000

    private let compute: Compute
    private let milliseconds: Int
    /// The fastest so far.
    private var known: [(type: ElementType, kernel: TileKernel, rate: Double)] = []

    /// - Parameter milliseconds: of a pass; 0 measures nothing.
    package init(_ compute: Compute, milliseconds: Int = LoopRates.milliseconds) {
        self.compute = compute
        self.milliseconds = milliseconds
    }

    /// Times each loop that these products run in.
    package mutating func measure(_ products: [PromptOperations.Products]) throws {
        guard milliseconds > 0, let kernels = kernels(products) else { return }
        var done: [(ElementType, TileKernel)] = []
        for (product, kernel) in zip(products, kernels) where !done.contains(where: { $0 == (product.type, kernel) }) {
            done.append((product.type, kernel))
            let rate = try rate(product.type, kernel)
            if let place = known.firstIndex(where: { ($0.type, $0.kernel) == (product.type, kernel) }) {
                known[place].rate = max(known[place].rate, rate)
            } else {
                known.append((product.type, kernel, rate))
            }
        }
    }

    /// What the loops would make of these products if they ran all the time.
    /// - Returns: nil where one of them runs in no loop of tiles (a BLAS, the reference, one token), or was not measured.
    package func ceiling(_ products: [PromptOperations.Products]) -> LoopCeiling? {
        guard let kernels = kernels(products), !products.isEmpty else { return nil }
        var ceiling = LoopCeiling()
        for (product, kernel) in zip(products, kernels) {
            guard let rate = known.first(where: { ($0.type, $0.kernel) == (product.type, kernel) })?.rate else { return nil }
            ceiling.add(product.operations, at: rate, loop: "\(product.type.name) \(kernel.rawValue)")
        }
        return ceiling
    }

    /// Of each product; nil where one has none.
    private func kernels(_ products: [PromptOperations.Products]) -> [TileKernel]? {
        let kernels = products.compactMap { compute.tileKernel(for: $0.type, tokens: $0.tokens) }
        return kernels.count == products.count ? kernels : nil
    }

    /// Operations a second, all threads together.
    private func rate(_ type: ElementType, _ kernel: TileKernel) throws -> Double {
        compute.pool.reserve(workers: compute.threads)
        let loop = try InnerLoop(type, kernel: kernel, compute: compute)
        func time(chunks: Int, repetitions: Int) -> Double {
            let start = ContinuousClock.now
            let sum = loop.run(chunks: chunks, repetitions: repetitions)
            let time = ContinuousClock.now - start
            precondition(sum == loop.expected(chunks: chunks, repetitions: repetitions), "the loop did not do all its work")
            return time / .nanoseconds(1)
        }
        // The least of three: a core that was taken meanwhile makes a piece look long.
        func length(_ repetitions: Int) -> Double { (0..<3).map { _ in time(chunks: 1, repetitions: repetitions) }.min()! }
        var (repetitions, nanoseconds) = (1, length(1))
        while nanoseconds < Double(Self.chunkNanoseconds) {
            repetitions *= 2
            nanoseconds = length(repetitions)
        }
        // More than one chunk a worker: those who wake late find some left.
        let chunks = compute.threads * max(4, Int(Double(milliseconds) * 1e6 / nanoseconds))
        var best = Double.infinity
        for _ in 0..<Self.passes { best = min(best, time(chunks: chunks, repetitions: repetitions)) }
        precondition(loop.isRight, "the loop has other bits than a product")
        return Double(loop.operations) * Double(repetitions) * Double(chunks) / best * 1e9
    }
}

/// What the inner loops make of one prompt.
package struct LoopCeiling: Sendable {
    /// Of the prompt.
    package private(set) var operations = 0
    /// That the loops would take for it.
    package private(set) var seconds = 0.0
    /// Operations a second of each loop, by type and kernel.
    package private(set) var rates: [(loop: String, rate: Double)] = []

    package init() {}

    package mutating func add(_ operations: Int, at rate: Double, loop: String) {
        self.operations += operations
        seconds += Double(operations) / rate
        if !rates.contains(where: { $0.loop == loop }) { rates.append((loop, rate)) }
    }

    /// Operations a second of the mix.
    package var rate: Double { Double(operations) / seconds }
}
