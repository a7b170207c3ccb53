package import HearthKernelTypes

/// Some of the `across` rows of a bundle of re-laid float weights (`[columns][across]`) as Float32, one row after the other.
package func expandFloats(
    _ type: ElementType, _ bundle: UnsafeRawPointer, columns: Int, across: Int, rows: Range<Int>,
    into output: UnsafeMutablePointer<Float>
) {
    // Sixteen columns at a time: the bundle's part is read from the first cache for every row.
    var k = 0
    while k < columns {
        let end = min(k + 16, columns)
        var out = output
        for row in rows {
            switch type {
            case .f32:
                let p = bundle.assumingMemoryBound(to: Float.self) + row
                for i in k..<end { out[i] = p[i * across] }
            case .bf16:
                let p = bundle.assumingMemoryBound(to: UInt16.self) + row
                for i in k..<end { out[i] = Float(bitPattern: UInt32(p[i * across]) << 16) }
            default:
                let p = bundle.assumingMemoryBound(to: UInt16.self) + row
                for i in k..<end { out[i] = floatFromHalf(p[i * across]) }
            }
            out += columns
        }
        k = end
    }
}
