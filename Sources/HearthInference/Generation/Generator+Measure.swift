import HearthKernelTypes
package import HearthTokens

/// What one timed run of a benchmark evaluates: the first `batched` tokens in batches, the rest one at a time.
package struct MeasuredRun: Sendable {
    package let tokens: [Token]
    package let batched: Int

    package init(_ tokens: [Token], batched: Int) {
        self.tokens = tokens
        self.batched = min(max(0, batched), tokens.count)
    }
}

extension Generator {
    /// Evaluates given tokens behind `depth` others, run after run, and tells how long each run took: what a benchmark asks.
    ///
    /// Every run finds the tokens of `depth` in the sequence and nothing else. Evaluating these, and making the sequence and
    /// the buffers, is not timed. Logits are computed as for a reply: of the last batched token, and of each single one;
    /// nothing is chosen from them.
    /// - Parameter batch: tokens of one forward pass.
    /// - Returns: tokens evaluated in the timed part, and its time, for each run.
    /// - Throws: `InferenceError`; `CancellationError` when the task is cancelled.
    package func measure(
        _ runs: [MeasuredRun], behind depth: [Token] = [], batch: Int
    ) async throws -> [(evaluated: Int, duration: Duration)] {
        for run in runs { try check(depth + run.tokens) }
        guard (1...Self.largestBatch).contains(batch) else {
            throw InferenceError.badOption(name: "batch", value: "\(batch)", allowed: "1 to \(Self.largestBatch)")
        }
        let sequence = try weights.makeSequence()
        let size = min(batch, max(depth.count, runs.map(\.batched).max() ?? 0))
        let pass = try size <= self.pass.capacity
            ? self.pass
            : ForwardPass(weights.model.shape, context: weights.context, capacity: size, compute: weights.compute)
        var results: [(evaluated: Int, duration: Duration)] = []
        for run in runs where !run.tokens.isEmpty {
            sequence.rewind(to: sequence.reusable(for: depth + run.tokens.prefix(1)))
            let batches = Batches(of: batch, up: depth.count)
            while sequence.count < depth.count { try evaluate(depth, batches, by: pass, behind: sequence) }

            let whole = depth + run.tokens
            let (prompt, single) = (Batches(of: batch, up: depth.count + run.batched), Batches(of: 1, up: whole.count))
            let start = ContinuousClock.now
            while sequence.count < prompt.end { try evaluate(whole, prompt, by: pass, behind: sequence) }
            while sequence.count < single.end { try evaluate(whole, single, by: pass, behind: sequence) }
            results.append((sequence.count - depth.count, .now - start))
        }
        return results
    }

    /// How a stretch of tokens is cut: `size` at a time up to token `end`.
    private struct Batches {
        let size: Int
        let end: Int
        init(of size: Int, up end: Int) { (self.size, self.end) = (size, end) }
    }

    /// One forward pass; logits where it reaches the end of its stretch.
    private func evaluate(
        _ tokens: [Token], _ batches: Batches, by pass: ForwardPass, behind sequence: KVSequence
    ) throws {
        try Task.checkCancellation()
        let chunk = tokens[sequence.count..<min(sequence.count + batches.size, batches.end)]
        pass.load(chunk)
        let isLast = batches.size == 1 || chunk.endIndex == batches.end
        try pass.evaluate(
            behind: sequence, by: weights.model, wanted: isLast ? chunk.count - 1..<chunk.count : 0..<0
        ) { _, _ in }
    }
}

extension LanguageWeights {
    /// Bytes that the keys and values of one position take, all layers together.
    package var cacheBytesPerPosition: Int {
        model.shape.layers.reduce(0) { sum, shape in
            let layout = KVLayout(
                type: options.kv, kvHeads: shape.heads, keyWidth: shape.keyWidth, valueWidth: shape.valueWidth)
            return sum + (layout?.pageBytes ?? 0) / KVLayout.pagePositions
        }
    }
}
