internal import HearthKernelTypes

extension KernelError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noMatrices:
            "A product was set up without a matrix. Give at least one."
        case .badShape(let name, let rows, let columns):
            "`\(name)` has shape [\(rows), \(columns)]; both must be positive and their product must fit 63 bits. "
                + "The file is damaged or of a kind that is not supported."
        case .raggedRow(let name, let type, let columns):
            "`\(name)` has rows of \(columns) values; \(type.name) needs a multiple of \(type.blockLength). "
                + "Quantise the model to another type."
        case .wrongByteCount(let name, let type, let rows, let columns, let actual, let expected):
            "`\(name)` has \(actual) bytes; [\(rows), \(columns)] in \(type.name) needs \(expected). "
                + "The file is cut short or damaged: fetch it again."
        case .differentInputs(let name, let columns, let firstName, let firstColumns):
            "`\(name)` reads \(columns) values; `\(firstName)`, which is multiplied together with it, reads "
                + "\(firstColumns). Check that the file belongs to its architecture."
        case .wrongInput(let columns, let expected):
            "The input is \(columns) values wide; the matrix reads \(expected)."
        case .tokensOutOfRange(let tokens, let capacity):
            "\(tokens) tokens were asked for; the buffer takes 1 to \(capacity)."
        case .otherSet(let actual, let expected):
            "Buffers were laid out for the kernel set `\(actual.rawValue)`; `\(expected.rawValue)` is running. "
                + "Load the model again with the set that is to run."
        case .outOfMemory(let bytes):
            "\(bytes) bytes of memory could not be had. Close other programs or choose a smaller model or context."
        case .noThread:
            "The system refuses a thread for the model. Close other programs, or raise the limit of processes or of memory "
                + "(`ulimit -u`, `ulimit -v`)."
        case .positionsOutOfRange(let first, let count, let capacity):
            "Positions \(first) to \(first &+ count &- 1) were asked for; there is room for \(capacity). "
                + "Raise the context length or shorten the prompt."
        case .headsDoNotDivide(let heads, let kvHeads):
            "\(heads) query heads cannot share \(kvHeads) key heads evenly. The file is damaged or of a kind that is not supported."
        case .cacheOfOtherShape(let heads, let keyWidth, let valueWidth, let expectedHeads, let expectedKeyWidth, let expectedValueWidth):
            "The cache holds \(heads) heads with keys of \(keyWidth) and values of \(valueWidth) numbers; attention reads "
                + "\(expectedHeads) heads of \(expectedKeyWidth) and \(expectedValueWidth). Make a cache for this model."
        case .badRope(let pairs, let positions):
            "A rotary table of \(pairs) pairs and \(positions) positions was asked for; both must be positive and positions "
                + "at most 1048576. Lower the context length."
        case .badRopeFrequencies(let base, let width, let scale, let factors):
            "Rotary frequencies of base \(base), width \(width), scale \(scale) and \(factors) factors cannot be made: base, scale "
                + "and factors must be positive, the width even, and there must be no factors or one per pair. The file is damaged."
        case .ropeTooWide(let pairs, let headWidth):
            "\(2 * pairs) numbers of each head were to be rotated; a head has \(headWidth). The file is damaged or of a kind that is not supported."
        case .unknownKernelSet(let name):
            "`\(name)` is no kernel set. Use \(KernelSet.allCases.map(\.rawValue).joined(separator: ", ")), or leave it out for the best one."
        case .kernelSetNotExecutable(let name, let features):
            "The kernel set `\(name)` needs avx2, fma and f16c; this processor has \(features.isEmpty ? "none of them" : features.joined(separator: ", ")). "
                + "Use `portable`."
        case .scratchTooSmall(let heads, let keyWidth, let valueWidth):
            "The memory for attention was not made for \(heads) heads with keys of \(keyWidth) and values of \(valueWidth) numbers. "
                + "Make it for the shapes of all layers."
        case .notFinite(let name, let row):
            "`\(name)` holds infinity or NaN in row \(row), which cannot be quantised. The file is damaged: fetch it again."
        case .blas(let words):
            words
        }
    }
}
