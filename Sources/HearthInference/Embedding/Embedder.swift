import HearthKernels
package import HearthTokens
package import HearthWeights

/// Token ids to vectors: owns the thread and the buffers of one loaded embedding model.
///
/// ```swift
/// let embedder = try await Embedder.load(options: ModelOptions()) { try Checkpoint.open(url) }
/// let vectors = try await embedder.embed([[101, 7592, 102]], pooling: .mean)      // [1][dimension]
/// ```
///
/// Everything runs on one thread of its own, which is worker 0 of the pool; requests take turns by forward pass. A text is
/// computed by itself: its bits depend neither on the other texts of a request nor on the number of threads. Text, lengths and
/// what is done with a vector are left to others.
package actor Embedder {
    /// Tokens of a forward pass that short texts share: enough that the weights are read for many rows at once, short enough
    /// that others wait little. A longer text has a pass of its own.
    package static let passTokens = 256

    package nonisolated let weights: EncoderWeights
    nonisolated let executor: TurnExecutor
    private var pass: EncoderPass

    package nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// Opens a checkpoint and loads it, all on the embedder's own thread.
    package static func load(
        options: ModelOptions, from open: @escaping @Sendable () throws -> Checkpoint
    ) async throws -> Embedder {
        let executor = try TurnExecutor(name: "hearth embed")
        let weights = try await executor.perform { try EncoderWeights.load(try open(), options: options) }
        return try Embedder(weights, on: executor)
    }

    private init(_ weights: EncoderWeights, on executor: TurnExecutor) throws(InferenceError) {
        self.weights = weights
        self.executor = executor
        pass = try EncoderPass(
            weights.model.shape, capacity: min(Self.passTokens, weights.context), compute: weights.compute)
    }

    /// A vector of `weights.dimension` values for each text, in order, of whatever length the states have.
    ///
    /// A cancelled task throws `CancellationError` within one layer.
    /// - Parameter texts: complete, with the tokens that the model wants around a text; none is empty or longer than the context.
    package func embed(_ texts: [[Token]], pooling: Pooling) async throws -> [[Float]] {
        for text in texts { try text.check(context: weights.context, vocabulary: weights.vocabulary) }
        var vectors: [[Float]] = []
        vectors.reserveCapacity(texts.count)
        while vectors.count < texts.count {
            await executor.turn()
            try Task.checkCancellation()
            let next = try load(texts[vectors.count...])
            try weights.model.forward(pass)
            for rows in pass.texts {
                let vector = unsafe pooling.pool(pass.state.values, rows: rows, width: pass.width)
                guard vector.allSatisfy(\.isFinite) else {
                    throw InferenceError.unusableEmbedding(text: vectors.count + 1)
                }
                vectors.append(vector)
            }
            assert(vectors.count == next)
        }
        return vectors
    }

    /// Puts as many of the texts as go together into the pass and gives the index behind the last of them.
    private func load(_ texts: ArraySlice<[Token]>) throws(InferenceError) -> Int {
        let first = texts[texts.startIndex].count
        if first > pass.capacity {
            // In steps, so that texts that grow little by little do not each allocate.
            let capacity = min((first + Self.passTokens - 1) / Self.passTokens * Self.passTokens, weights.context)
            pass = try EncoderPass(weights.model.shape, capacity: capacity, compute: weights.compute)
        }
        var end = texts.startIndex
        var count = 0
        while end < texts.endIndex, count + texts[end].count <= max(first, min(Self.passTokens, pass.capacity)) {
            count += texts[end].count
            end += 1
        }
        pass.load(texts[texts.startIndex..<end])
        return end
    }
}
