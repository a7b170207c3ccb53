package import HearthKernelTypes

/// A named, typed, shaped tensor and where its bytes are. Making one reads nothing of them.
package struct TensorHandle: Sendable {
    package let name: String
    package let type: ElementType
    /// Rows first, as in `[rows, columns]`: the last number counts values that lie side by side. (GGUF writes the
    /// dimensions the other way round.) One number for a vector.
    package let shape: [Int]
    /// Place in the mapped file; its length is what type and shape need.
    package let byteRange: Range<Int>
    /// Keeps the bytes mapped as long as a handle is there.
    package let file: MappedFile

    /// Values in all.
    package var count: Int { shape.reduce(1, *) }  // the reader has checked that the product fits
    /// Values in a row.
    package var columns: Int { shape.last ?? 1 }
    /// All dimensions but the last, multiplied: 1 for a vector.
    package var rows: Int { shape.dropLast().reduce(1, *) }
    package var byteCount: Int { byteRange.count }

    package func withBytes<R, E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> R) throws(E) -> R {
        unsafe try file.withBytes(byteRange, body)
    }

    /// Gives the memory of the tensor's pages back; they are read from the file again when needed.
    package func discard() { file.discard(byteRange) }
}
