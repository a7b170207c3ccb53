package import HearthTokens

extension Generator {
    /// Evaluates given tokens in an empty sequence and tells how long it took: what a benchmark asks.
    ///
    /// Each forward pass computes the logits of its last token, as a reply does; nothing is chosen from them. Making the
    /// sequence and the buffers is not timed.
    /// - Parameter batch: tokens per forward pass; 1 measures the making of tokens.
    /// - Throws: `InferenceError`; `CancellationError` when the task is cancelled.
    package func measure(_ tokens: [Token], batch: Int) async throws -> (evaluated: Int, duration: Duration) {
        try check(tokens)
        guard (1...Self.largestBatch).contains(batch) else {
            throw InferenceError.badOption(name: "batch", value: "\(batch)", allowed: "1 to \(Self.largestBatch)")
        }
        let sequence = try weights.makeSequence()
        let size = min(batch, tokens.count)
        let pass = try size <= self.pass.capacity
            ? self.pass
            : ForwardPass(weights.model.shape, context: weights.context, capacity: size, compute: weights.compute)
        let start = ContinuousClock.now
        while sequence.count < tokens.count {
            try Task.checkCancellation()
            let chunk = tokens[sequence.count..<min(sequence.count + batch, tokens.count)]
            pass.load(chunk)
            try pass.evaluate(behind: sequence, by: weights.model, wanted: chunk.count - 1..<chunk.count) { _, _ in }
        }
        return (sequence.count, .now - start)
    }
}
