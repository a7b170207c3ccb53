import HearthKernels
import HearthTokens

/// The buffers of a forward pass, made once, and where the pass is: which tokens, at which position, in whose cache.
///
/// One thread uses it. Rows are tokens: row t of a buffer belongs to token t of the pass.
@safe final class ForwardPass {
    let compute: Compute
    let capacity: Int
    let width: Int
    let vocabulary: Int
    /// Positions whose logits are computed at a time: enough for a batched product, small enough that a vocabulary of
    /// 262,144 takes 16 MB.
    let logitRows: Int

    /// The state between the layers, `[capacity, width]`.
    let x: UnsafeMutablePointer<Float>
    /// The state after a norm, `[capacity, width]`: what products read.
    let normed: Activations
    /// Queries, keys and values, `[capacity, heads * keyWidth + kvHeads * (keyWidth + valueWidth)]`.
    let qkv: UnsafeMutablePointer<Float>
    /// What the heads return, `[capacity, heads * valueWidth]`.
    let attended: Activations
    /// A branch's result, `[capacity, width]`.
    let branch: UnsafeMutablePointer<Float>
    /// Gate and up side by side, `[capacity, 2 * feedForward]`.
    let gateUp: UnsafeMutablePointer<Float>
    /// act(gate) * up, `[capacity, feedForward]`.
    let gated: Activations
    /// `[logitRows, vocabulary]`.
    let logits: UnsafeMutablePointer<Float>
    /// Scores of attention.
    let scratch: AttentionScratch
    /// Of models with experts.
    let experts: ExpertBuffers?

    /// What a branch left in `branch` and nobody has added to `x` yet.
    private var owed: Residual?

    private(set) var tokens: [Token] = []
    private(set) var position = 0
    private(set) var sequence: KVSequence?
    /// Takes memory as it is written: logits of many positions at once are asked for by `score` alone.
    private let memory: ReservedMemory

    init(_ shape: DecoderShape, context: Int, capacity: Int, compute: Compute) throws(InferenceError) {
        self.compute = compute
        self.capacity = capacity
        width = shape.width
        vocabulary = shape.vocabulary
        logitRows = min(capacity, 16)
        (normed, attended, gated, scratch, experts) = try computing { () throws(KernelError) in
            (
                try Activations(capacity: capacity, columns: shape.width, compute: compute),
                try Activations(capacity: capacity, columns: shape.attentionOutput, compute: compute),
                try Activations(capacity: capacity, columns: shape.feedForward, compute: compute),
                try AttentionScratch(shape: shape.attention, positions: context, compute: compute),
                shape.experts == 0
                    ? nil
                    : try ExpertBuffers(capacity: capacity, width: shape.width, experts: shape.experts, compute: compute)
            )
        }
        // Every buffer begins on a cache line.
        let counts = [
            capacity * shape.width, capacity * shape.attentionInput, capacity * shape.width, capacity * 2 * shape.feedForward,
            logitRows * shape.vocabulary,
        ].map { ($0 + 15) & ~15 }
        memory = try computing { () throws(KernelError) in try ReservedMemory(byteCount: counts.reduce(0, +) * 4) }
        var next = unsafe memory.base.assumingMemoryBound(to: Float.self)
        func take(_ index: Int) -> UnsafeMutablePointer<Float> {
            defer { unsafe next += counts[index] }
            return unsafe next
        }
        unsafe x = unsafe take(0)
        unsafe qkv = unsafe take(1)
        unsafe branch = unsafe take(2)
        unsafe gateUp = unsafe take(3)
        unsafe logits = unsafe take(4)
        tokens.reserveCapacity(capacity)
    }

    var count: Int { tokens.count }

    /// The cache of a layer.
    func cache(_ layer: Int) -> KVLayer { sequence!.pages.layer(layer) }

    /// What the short convolutions of the sequence read.
    var convolutions: ConvolutionState { sequence!.convolutions! }

    /// Takes the tokens to evaluate next, at most `capacity`.
    func load(_ chunk: ArraySlice<Token>) {
        precondition(chunk.count <= capacity)
        tokens.removeAll(keepingCapacity: true)
        tokens.append(contentsOf: chunk)
    }

    /// Evaluates the loaded tokens behind those of `sequence` and then records them there.
    ///
    /// - Parameter wanted: the tokens of the chunk whose logits are computed, by index.
    /// - Parameter each: gets an index of `wanted` with its logits, in order, and may change them.
    func evaluate(
        behind sequence: KVSequence, by model: any Architecture, wanted: Range<Int>,
        each: (Int, inout MutableSpan<Float>) throws -> Void
    ) throws {
        precondition(count > 0 && wanted.upperBound <= count)
        position = sequence.count
        self.sequence = sequence
        defer { self.sequence = nil }
        owed = nil  // a pass that was cancelled half-way

        try model.forward(self)
        settle()
        sequence.record(tokens[...])
        var first = wanted.lowerBound
        while first < wanted.upperBound {
            let rows = min(logitRows, wanted.upperBound - first)
            try model.logits(self, first: first, count: rows)
            for row in 0..<rows {
                var span = unsafe MutableSpan(_unsafeStart: logits + row * vocabulary, count: vocabulary)
                try each(first + row, &span)
            }
            first += rows
            if first < wanted.upperBound { try Task.checkCancellation() }
        }
    }

    /// After each layer: whether to go on. An answer that nobody waits for is not computed to its end.
    func finishLayer() throws { try Task.checkCancellation() }
}

/// The steps that blocks share.
extension ForwardPass {
    /// normed = norm(x), or x itself where the block has no norm; what the branch before owes is added first.
    ///
    /// - Parameter reader: the first product that reads it.
    func enter(_ norm: Vector?, epsilon: Float, for reader: Linear) throws {
        let residual = owed
        owed = nil
        try unsafe compute.enter(
            x, adding: residual, weight: norm.map { unsafe UnsafePointer($0.values) }, epsilon: epsilon, tokens: count,
            into: normed, for: reader)
    }

    /// x += scale * norm(branch), without the norm where there is none: when the next branch is entered, or at the end.
    func leave(_ norm: Vector?, epsilon: Float, scale: Float) {
        owed = unsafe Residual(
            branch: branch, weight: norm.map { unsafe UnsafePointer($0.values) }, epsilon: epsilon, scale: scale)
    }

    /// Adds what is owed.
    private func settle() {
        if let owed { unsafe compute.settle(owed, on: x, tokens: count, columns: width) }
        owed = nil
    }

    /// Adds a bias to each token's row of a buffer that is as wide as the bias; to `rows` of them where not all have one.
    func addBias(_ bias: Vector, to values: UnsafeMutablePointer<Float>, rows: Int? = nil) {
        for token in 0..<(rows ?? count) {
            let row = unsafe values + token * bias.count
            for index in 0..<bias.count { unsafe row[index] += bias.values[index] }
        }
    }
}
