import HearthKernelTypes
import HearthKernels
import HearthTokens

/// Keys and values of one sequence of tokens, all layers, and the tokens that they stand for.
///
/// `tokens` says what is in the pages and nothing else does: a token is recorded after every layer has evaluated it, so
/// a pass that is cancelled half-way leaves cells behind that nobody reads and the next pass overwrites. Going back is
/// forgetting tokens, as far back as short convolutions can go (`ConvolutionState`). One request holds a sequence at a time.
/// A page takes memory when it is first written.
final class KVSequence {
    private(set) var tokens: [Token] = []
    let pages: KVPages
    /// Of models with short convolutions.
    let convolutions: ConvolutionState?

    init(
        shapes: [KVShape], convolutions: ConvolutionShape? = nil, type: KVType, context: Int
    ) throws(InferenceError) {
        var layouts: [KVLayout] = []
        for shape in shapes {
            guard
                let layout = KVLayout(
                    type: type, kvHeads: shape.heads, keyWidth: shape.keyWidth, valueWidth: shape.valueWidth)
            else {
                throw .badOption(
                    name: "kv", value: type.rawValue,
                    allowed: "f32, f16 for heads of width \(shape.keyWidth) (q8_0 needs a multiple of 32)")
            }
            layouts.append(layout)
        }
        pages = try computing { () throws(KernelError) in try KVPages(layouts: layouts, positions: context) }
        self.convolutions = if let convolutions { try ConvolutionState(convolutions, context: context) } else { nil }
        // Recording a token allocates only when a long conversation outgrows this.
        tokens.reserveCapacity(min(context, 4096))
    }

    var count: Int { tokens.count }

    /// How many tokens from the start are the same.
    func commonPrefix(with other: [Token]) -> Int {
        var length = 0
        while length < tokens.count, length < other.count, tokens[length] == other[length] { length += 1 }
        return length
    }

    /// Tokens of `prompt` that need no evaluation: the common prefix, but never the last token of the prompt, which is
    /// run again for its logits (T-35), and no more than can be gone back to.
    func reusable(for prompt: [Token]) -> Int {
        let shared = min(commonPrefix(with: prompt), prompt.count - 1)
        return convolutions == nil ? shared : ConvolutionState.nearest(shared, end: count)
    }

    /// Forgets all tokens from `count` on, which is 0 or what `reusable` gave; any number where the model has no short convolutions.
    func rewind(to count: Int) {
        precondition(count <= tokens.count)
        if count < tokens.count { convolutions?.restore(count) }
        tokens.removeLast(tokens.count - count)
    }

    /// Records tokens that every layer has evaluated.
    func record(_ evaluated: ArraySlice<Token>) {
        tokens.append(contentsOf: evaluated)
        convolutions?.commit()
    }

    /// Takes over the first `count` tokens of a sequence of the same model with a copy of their pages.
    func copy(_ count: Int, of other: KVSequence) {
        precondition(count <= other.count && pages.pageBytes == other.pages.pageBytes && count <= pages.capacity)
        rewind(to: 0)
        let (from, to) = unsafe (other.pages.layer(0).pages, pages.layer(0).pages)
        for page in 0..<(count + KVLayout.pagePositions - 1) / KVLayout.pagePositions {
            unsafe to[page].copyMemory(from: from[page], byteCount: pages.pageBytes)
        }
        if let convolutions, let others = other.convolutions { convolutions.copy(count, of: others, end: other.count) }
        tokens.append(contentsOf: other.tokens.prefix(count))
    }
}

/// What one layer of a model keeps per position.
struct KVShape: Sendable, Hashable {
    let heads: Int
    let keyWidth: Int
    let valueWidth: Int
}
