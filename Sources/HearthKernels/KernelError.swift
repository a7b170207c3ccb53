package import HearthKernelTypes

/// What the checked layer refuses. Every case carries the values; the words are in `KernelError+Description.swift`.
package enum KernelError: Error, Equatable, Sendable {
    /// A `Linear` was asked for without a matrix.
    case noMatrices
    /// Rows or columns are not positive, or their product does not fit an Int.
    case badShape(name: String, rows: Int, columns: Int)
    /// A row is no whole number of blocks.
    case raggedRow(name: String, type: ElementType, columns: Int)
    /// The bytes of a matrix are not as many as its shape needs.
    case wrongByteCount(name: String, type: ElementType, rows: Int, columns: Int, actual: Int, expected: Int)
    /// Two matrices of one `Linear` read inputs of different widths.
    case differentInputs(name: String, columns: Int, firstName: String, firstColumns: Int)
    /// Activations of another width than the matrix reads.
    case wrongInput(columns: Int, expected: Int)
    /// More tokens than the activations have room for, or none.
    case tokensOutOfRange(tokens: Int, capacity: Int)
    /// Weights or activations that were made for another kernel set.
    case otherSet(actual: KernelSet, expected: KernelSet)
    /// Memory for `bytes` bytes could not be had.
    case outOfMemory(bytes: Int)
    /// The system refuses the thread that all work of a model runs on.
    case noThread
    /// Positions outside of what a cache or a table has room for.
    case positionsOutOfRange(first: Int, count: Int, capacity: Int)
    /// Query heads that cannot share the key heads evenly.
    case headsDoNotDivide(heads: Int, kvHeads: Int)
    /// A cache made for other heads than attention asks for.
    case cacheOfOtherShape(
        heads: Int, keyWidth: Int, valueWidth: Int, expectedHeads: Int, expectedKeyWidth: Int, expectedValueWidth: Int)
    /// A rotary table of no pairs, no positions, or more positions than sines are exact for.
    case badRope(pairs: Int, positions: Int)
    /// Rotary frequencies that cannot be made.
    case badRopeFrequencies(base: Double, width: Int, scale: Double, factors: Int)
    /// More rotated numbers than a head has.
    case ropeTooWide(pairs: Int, headWidth: Int)
    /// A name that is no kernel set.
    case unknownKernelSet(name: String)
    /// A kernel set that this processor cannot execute.
    case kernelSetNotExecutable(name: String, features: [String])
    /// Scratch memory made for other heads than attention has.
    case scratchTooSmall(heads: Int, keyWidth: Int, valueWidth: Int)
    /// A weight that is infinity or NaN has no place in a quantised block.
    case notFinite(name: String, row: Int)
    /// The BLAS was asked for what it cannot take; its own words.
    case blas(words: String)
}
