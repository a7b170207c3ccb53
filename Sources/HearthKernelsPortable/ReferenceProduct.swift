package import HearthKernelTypes

/// The reference set: rows `first..<end` of a matrix as the file holds it, decoded to Float32 one at a time and multiplied
/// with Float32 activations, sums in the order of the columns. `out[t * stride + row]`; `scratch` takes one row.
package func referenceProduct(
    _ type: ElementType, _ matrix: UnsafeRawPointer, rowBytes: Int, columns: Int, rows first: Int, _ end: Int,
    _ x: UnsafePointer<Float>, tokens: Int, scratch: UnsafeMutablePointer<Float>, into out: UnsafeMutablePointer<Float>,
    stride: Int
) {
    let (w, target) = unsafe (Floats(scratch), Floats(out))
    let values = unsafe Floats(UnsafeMutablePointer(mutating: x))
    for row in first..<end {
        unsafe decodeBlocks(type, matrix + row * rowBytes, columns, into: scratch)
        for t in 0..<tokens {
            let input = values + t * columns
            var sum: Float = 0
            for k in 0..<columns { sum += w[k] * input[k] }
            target[t * stride + row] = sum
        }
    }
}
