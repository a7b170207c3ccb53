import HearthKernels
package import HearthTokens

extension Generator {
    /// Evaluates given tokens and reports how likely the model holds each of them.
    ///
    /// With a `split`, the first `split` tokens are one request and all tokens a second one that reuses the first one's
    /// cache, as two turns of a conversation would.
    /// - Parameter batch: tokens per forward pass.
    /// - Parameter keepLogits: whether the report holds all logits, `[positions, vocabulary]` Float32.
    /// - Parameter onLogits: gets position and logits of every evaluated position, in order within a request.
    /// - Throws: `InferenceError`; `CancellationError` when the task is cancelled.
    package func score(
        _ tokens: [Token], batch: Int = prefillChunk, split: Int? = nil, keepLogits: Bool = false,
        onLogits: (@Sendable (Int, Span<Float>) throws -> Void)? = nil
    ) async throws -> ScoreReport {
        try check(tokens)
        guard (1...Self.largestBatch).contains(batch) else {
            throw InferenceError.badOption(name: "batch", value: "\(batch)", allowed: "1 to \(Self.largestBatch)")
        }
        if let split, split < 1 || split > tokens.count {
            throw InferenceError.badOption(name: "split", value: "\(split)", allowed: "1 to the \(tokens.count) tokens")
        }
        var report = ScoreReport()
        report.vocabulary = weights.vocabulary
        report.firstLogits = (split ?? 1) - 1
        report.positions = tokens.map { ScoreReport.Position(token: $0, logProbability: nil, first: 0) }
        if keepLogits {
            report.logits = Array(repeating: 0, count: (tokens.count - report.firstLogits) * weights.vocabulary)
        }

        // A sequence of its own: what others left behind must not decide what is evaluated.
        let sequence = try weights.makeSequence()
        let size = min(batch, tokens.count)
        let pass = try size <= self.pass.capacity
            ? self.pass
            : ForwardPass(weights.model.shape, context: weights.context, capacity: size, compute: weights.compute)
        for request in split.map({ [Array(tokens.prefix($0)), tokens] }) ?? [tokens] {
            sequence.rewind(to: sequence.reusable(for: request))
            report.cached = sequence.count
            while sequence.count < request.count {
                await executor.turn()
                try Task.checkCancellation()
                let start = sequence.count
                let chunk = request[start..<min(start + batch, request.count)]
                pass.load(chunk)
                let products = weights.compute.blasProductCount
                try pass.evaluate(behind: sequence, by: weights.model, wanted: 0..<chunk.count) { index, logits in
                    try onLogits?(start + index, logits.span)
                    try report.take(logits.span, at: start + index, weights.compute)
                }
                report.evaluated += chunk.count
                report.forwardPasses += 1
                report.blasProducts += weights.compute.blasProductCount - products
            }
        }
        return report
    }
}

extension ScoreReport {
    /// Notes what the logits behind position `index` say.
    fileprivate mutating func take(_ logits: Span<Float>, at index: Int, _ compute: Compute) throws(InferenceError) {
        let sum = unsafe logits.withUnsafeBufferPointer { unsafe compute.logSumExp($0.baseAddress!, count: $0.count) }
        // NaN and plus infinity reach the sum. Minus infinity leaves it as it is, and is none of a chance only where it is
        // the token that was read.
        let read = index + 1 < positions.count ? logits[Int(positions[index + 1].token)] : 0
        guard sum.isFinite, read.isFinite else { throw .unusableLogits(position: index) }
        unsafe logits.withUnsafeBufferPointer { row in
            let values = row.baseAddress!
            // -1 where nothing is above minus infinity: the lowest id of equals, then.
            positions[index].first = Token(max(0, unsafe compute.argMax(values, count: row.count)))
            if index + 1 < positions.count {
                // Two finite logits may lie further apart than Float reaches.
                positions[index + 1].logProbability = max(-.greatestFiniteMagnitude, Float(Double(read) - sum))
            }
            if index >= firstLogits, !self.logits.isEmpty {
                let start = (index - firstLogits) * vocabulary
                unsafe self.logits.withUnsafeMutableBufferPointer {
                    unsafe ($0.baseAddress! + start).update(from: values, count: vocabulary)
                }
            }
        }
    }
}
