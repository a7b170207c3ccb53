package import HearthKernelTypes

/// Rows `first ..< end` (0 to 8) of a re-laid group of float weights (`[columns][8]`) as Float32, one row after the other.
package func expandFloats(
    _ type: ElementType, _ group: UnsafeRawPointer, columns: Int, rows: Range<Int>, into output: UnsafeMutablePointer<Float>
) {
    // Sixteen columns at a time: the group's part is read from the first cache for every row.
    var k = 0
    while k < columns {
        let end = min(k + 16, columns)
        var out = output
        for row in rows {
            switch type {
            case .f32:
                let p = group.assumingMemoryBound(to: Float.self) + row
                for i in k..<end { out[i] = p[i * 8] }
            case .bf16:
                let p = group.assumingMemoryBound(to: UInt16.self) + row
                for i in k..<end { out[i] = Float(bitPattern: UInt32(p[i * 8]) << 16) }
            default:
                let p = group.assumingMemoryBound(to: UInt16.self) + row
                for i in k..<end { out[i] = floatFromHalf(p[i * 8]) }
            }
            out += columns
        }
        k = end
    }
}
