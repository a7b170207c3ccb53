internal import HearthKernelTypes

/// The portable set's `avx2PackTile`: the same integers, kept as pairs of 16 bits. A block of 32 columns of T tokens:
/// pairs 2 j (columns 4 j, 4 j + 2) and 2 j + 1 (columns 4 j + 1, 4 j + 3) of quad j at 8 T j + 4 t and 4 T more, d at 64 T, d x sum at 68 T, sums of both halves at 72 T; 76 T bytes.
package func portablePackTile(
    _ values: UnsafePointer<Float>, stride: Int, columns: Int, tokens: Int, width: Int, into tile: UnsafeMutableRawPointer
) {
    let sink = unsafe Sink(tile)
    for t in 0..<width {
        let row = unsafe Stream(UnsafeRawPointer(values + (t < tokens ? t : 0) * stride))
        for b in 0..<columns / 32 {
            packBlock(row + 128 * b, isThere: t < tokens, sink + (76 * width * b + 4 * t), width)
        }
    }
}

@inline(__always)
private func packBlock(_ x: Stream, isThere: Bool, _ tile: Sink, _ width: Int) {
    if !isThere {
        for i in 0..<19 { tile.put(Int32(0), 4 * width * i) }
        return
    }
    var most = SIMD8<Float>()
    var poison = SIMD8<Float>()
    for i in 0..<4 {
        let v = x.load(32 * i, as: SIMD8<Float>.self)
        let size = unsafe unsafeBitCast(unsafeBitCast(v, to: RowWords.self) & 0x7fff_ffff, to: SIMD8<Float>.self)
        most = most.replacing(with: size, where: size .> most)
        poison += v * 0
    }
    let greatest = most.max()
    let isZero = greatest < 0x1p-100
    let d = (isZero ? 0 : greatest / 127) + poison.sum()
    let inverse = isZero ? 0 : 127 / greatest
    var sums = (Int32(0), Int32(0))
    for i in 0..<4 {
        // Adding and taking away 1.5 x 2^23 rounds to the nearest even integer.
        let magic: Float = 0x1.8p23
        let rounded = x.load(32 * i, as: SIMD8<Float>.self) * inverse + magic
        // The integer is in the low bits of the sum.
        let q = unsafe SIMD8<Int32>(truncatingIfNeeded: unsafeBitCast(rounded, to: RowWords.self)) &- 0x4b40_0000
        for p in 0..<2 {
            tile.put(q[4 * p] & 0xffff | q[4 * p + 2] << 16, 4 * width * (4 * i + 2 * p))
            tile.put(q[4 * p + 1] & 0xffff | q[4 * p + 3] << 16, 4 * width * (4 * i + 2 * p + 1))
        }
        if i < 2 { sums.0 &+= q.wrappedSum() } else { sums.1 &+= q.wrappedSum() }
    }
    tile.put(d, 64 * width)
    tile.put(d * Float(sums.0 &+ sums.1), 68 * width)
    tile.put(sums.0 & 0xffff | sums.1 << 16, 72 * width)
}
