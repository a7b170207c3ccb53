import HearthKernelTypes
import HearthKernels
import HearthTokens

/// The buffers of an encoder's forward pass, and the texts that are in it, one behind the other.
///
/// One thread uses it. Rows are tokens: row t of a buffer belongs to token t of the pass, whichever text it is of.
@safe final class EncoderPass {
    let compute: Compute
    let capacity: Int
    let width: Int

    /// The state between the branches, `[capacity, width]`: what products read.
    let state: Activations
    /// Queries, keys and values, `[capacity, attentionInput]`.
    let qkv: UnsafeMutablePointer<Float>
    /// What the heads return, `[capacity, heads * valueWidth]`.
    let attended: Activations
    /// A branch's result, `[capacity, width]`.
    let branch: UnsafeMutablePointer<Float>
    /// Inputs of the activation, `[capacity, feedForwardInput]`.
    let inner: UnsafeMutablePointer<Float>
    /// Its results, `[capacity, feedForward]`.
    let activated: Activations
    /// Room for one learned position, `[width]`.
    let place: Vector
    /// Scores of attention.
    let scratch: AttentionScratch
    /// Keys and values of the text and layer at hand, in Float32: they are read at once and not kept.
    let keysAndValues: KVLayer

    private(set) var tokens: [Token] = []
    /// The rows of each text.
    private(set) var texts: [Range<Int>] = []
    private let buffers: [Vector]

    /// For texts of together at most `capacity` tokens.
    init(_ shape: EncoderShape, capacity: Int, compute: Compute) throws(InferenceError) {
        self.compute = compute
        self.capacity = capacity
        width = shape.width
        let heads = shape.attention
        guard
            let layout = KVLayout(
                type: .f32, kvHeads: heads.kvHeads, keyWidth: heads.keyWidth, valueWidth: heads.valueWidth)
        else {
            throw .kernel(.headsDoNotDivide(heads: heads.heads, kvHeads: heads.kvHeads))
        }
        (state, attended, activated, scratch, keysAndValues) = try computing { () throws(KernelError) in
            (
                try Activations(capacity: capacity, columns: shape.width, compute: compute),
                try Activations(capacity: capacity, columns: shape.attentionOutput, compute: compute),
                try Activations(capacity: capacity, columns: shape.feedForward, compute: compute),
                try AttentionScratch(shape: heads, positions: capacity, compute: compute),
                try KVPages(layouts: [layout], positions: capacity).layer(0)
            )
        }
        buffers = [
            Vector(count: capacity * shape.attentionInput), Vector(count: capacity * shape.width),
            Vector(count: capacity * shape.feedForwardInput),
        ]
        unsafe qkv = buffers[0].values
        unsafe branch = buffers[1].values
        unsafe inner = buffers[2].values
        place = Vector(count: shape.width)
        tokens.reserveCapacity(capacity)
    }

    var count: Int { tokens.count }

    /// Takes the texts to evaluate next, together at most `capacity` tokens, none of them empty.
    func load(_ next: ArraySlice<[Token]>) {
        tokens.removeAll(keepingCapacity: true)
        texts.removeAll(keepingCapacity: true)
        for text in next {
            precondition(!text.isEmpty && text.count <= capacity - tokens.count)
            texts.append(tokens.count..<tokens.count + text.count)
            tokens.append(contentsOf: text)
        }
        state.changed()
    }

    /// After each layer: whether to go on. An answer that nobody waits for is not computed to its end.
    func finishLayer() throws { try Task.checkCancellation() }

    /// Adds a bias to each token's row of a buffer that is as wide as the bias.
    func addBias(_ bias: Vector, to values: UnsafeMutablePointer<Float>) {
        for token in 0..<count {
            let row = unsafe values + token * bias.count
            for index in 0..<bias.count { unsafe row[index] += bias.values[index] }
        }
    }

    /// state = norm(state + branch + bias)
    func leave(_ bias: Vector?, _ norm: LayerNorm) throws {
        if let bias { unsafe addBias(bias, to: branch) }
        unsafe compute.add(state.values, to: branch, count: count * width)
        try unsafe norm(branch, self)
    }
}
