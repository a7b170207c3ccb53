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
        case .outOfMemory(let bytes):
            "\(bytes) bytes of memory could not be had. Close other programs or choose a smaller model or context."
        }
    }
}
