package import HearthKernelTypes

/// A named, typed, shaped tensor and where its bytes are. Making one reads nothing of them.
package struct TensorHandle: Sendable {
    package let name: String
    package let type: ElementType
    /// Rows first, as in `[rows, columns]`: the last number counts values that lie side by side. (GGUF writes the
    /// dimensions the other way round.) One number for a vector.
    package let shape: [Int]
    /// Place in the mapped file; its length is what type and shape need, unless the bytes are changed on the way.
    package let byteRange: Range<Int>
    /// Keeps the bytes mapped as long as a handle is there.
    package let file: MappedFile
    /// What happens to the bytes of the file before they are this tensor.
    package let change: TensorChange?

    init(
        name: String, type: ElementType, shape: [Int], byteRange: Range<Int>, file: MappedFile,
        change: TensorChange? = nil
    ) {
        self.name = name
        self.type = type
        self.shape = shape
        self.byteRange = byteRange
        self.file = file
        self.change = change
    }

    /// Values in all.
    package var count: Int { shape.reduce(1, *) }  // the reader has checked that the product fits
    /// Values in a row.
    package var columns: Int { shape.last ?? 1 }
    /// All dimensions but the last, multiplied: 1 for a vector.
    package var rows: Int { shape.dropLast().reduce(1, *) }
    package var byteCount: Int { change == nil ? byteRange.count : type.byteCount(of: count) ?? 0 }

    /// The tensor with its bytes as they are to be read: itself, or a changed copy in memory, made now.
    /// - Throws: `CheckpointError` where there is no memory for it.
    package func loaded() throws(CheckpointError) -> TensorHandle {
        guard let change else { return self }
        let bytes = try change.apply(to: self)
        return TensorHandle(name: name, type: type, shape: shape, byteRange: 0..<bytes.count, file: bytes)
    }

    /// The bytes of a tensor that is not changed on the way; `loaded()` gives one.
    package func withBytes<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
        precondition(change == nil, "a changed tensor is read by way of loaded()")
        return unsafe try file.withBytes(byteRange, body)
    }

    /// Gives the memory of the tensor's pages back; they are read from the file again when needed.
    package func discard() { file.discard(byteRange) }

    /// The same for some of the tensor's bytes, counted from its first.
    package func discard(_ part: Range<Int>) {
        file.discard(byteRange.lowerBound + part.lowerBound..<byteRange.lowerBound + part.upperBound)
    }
}
