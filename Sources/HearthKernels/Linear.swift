internal import HearthKernelsPortable

/// One or more matrices that read the same input; their outputs lie side by side.
package final class Linear: Sendable {
    package let inputs: Int
    package let outputs: Int
    package let byteCount: Int
    let parts: [Part]

    struct Part: Sendable {
        let source: WeightSource
        let rowBytes: Int
        /// Index of this part's first output.
        let firstOutput: Int
    }

    package init(_ sources: [WeightSource], compute: Compute) throws(KernelError) {
        guard let first = sources.first else { throw .noMatrices }
        var parts: [Part] = []
        var outputs = 0
        var byteCount = 0
        for source in sources {
            guard source.columns == first.columns else {
                throw .differentInputs(
                    name: source.name, columns: source.columns, firstName: first.name, firstColumns: first.columns)
            }
            let rowBytes = try source.checkedRowBytes()
            parts.append(Part(source: source, rowBytes: rowBytes, firstOutput: outputs))
            outputs += source.rows
            byteCount += rowBytes * source.rows
        }
        self.parts = parts
        self.inputs = first.columns
        self.outputs = outputs
        self.byteCount = byteCount
    }

    /// Decodes one row (of all parts, in order) to `inputs` values.
    package func row(_ index: Int, into output: UnsafeMutablePointer<Float>) {
        precondition(index >= 0 && index < outputs)
        let part = parts.last { $0.firstOutput <= index }!
        let bytes = unsafe part.source.bytes.baseAddress! + (index - part.firstOutput) * part.rowBytes
        unsafe decodeBlocks(part.source.type, bytes, inputs, into: output)
    }
}
