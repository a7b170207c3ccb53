internal import HearthKernelTypes

// One token on half floats: four groups of rows at a time, one stream. A half's bits, put where a single has them, are 2^-112 times
// the number (`halvesToFloats`); here the 2^112 goes to the activation, once for 32 rows. The product is the same real number and
// so rounds to the same bits, as long as the activation does not overflow and no weight is an infinity or a NaN.

func portableHalvesOneToken(_ w: MatrixSlice, _ x: ProductInput, _ out: UnsafeMutablePointer<Float>) {
    let (sink, values) = unsafe (Sink(UnsafeMutableRawPointer(out)), Stream(UnsafeRawPointer(x.values)))
    let isSmall = areSmall(values, w.columns)
    var group = w.firstGroup
    while group < w.endGroup {
        let end = min(w.endGroup, (group | 3) + 1)
        if !isSmall || end - group < 4 || !fourGroups(w, group, values, sink) { unsafe oneTokenF16(w, x, group, end, out) }
        group = end
    }
}

/// Whether all activations are below 2^15, so that 2^112 times them is finite.
private func areSmall(_ values: Stream, _ columns: Int) -> Bool {
    var most: Float = 0
    for k in 0..<columns {
        let size = values.load(4 * k, as: Float.self).magnitude
        // A NaN stays.
        most = size <= most ? most : size
    }
    return most < 0x1p15
}

/// False, and nothing stored, where a weight is an infinity or a NaN.
@inline(never)
private func fourGroups(_ w: MatrixSlice, _ group: Int, _ values: Stream, _ sink: Sink) -> Bool {
    let p = unsafe Stream(w.base + group * w.groupBytes)
    var s0 = SIMD8<Float>(), s1 = s0, s2 = s0, s3 = s0
    var special = SIMD8<UInt16>()
    for k in 0..<w.columns {
        let v = values.load(4 * k, as: Float.self) * 0x1p112
        add(&s0, p, 64 * k, v, &special)
        add(&s1, p, 64 * k + 16, v, &special)
        add(&s2, p, 64 * k + 32, v, &special)
        add(&s3, p, 64 * k + 48, v, &special)
    }
    let words = unsafe unsafeBitCast(special & 0x8000, to: SIMD2<UInt64>.self)
    guard words[0] | words[1] == 0 else { return false }
    putSums(s0, sink, 32 * group, w.rows - 8 * group)
    putSums(s1, sink, 32 * group + 32, w.rows - 8 * group - 8)
    putSums(s2, sink, 32 * group + 64, w.rows - 8 * group - 16)
    putSums(s3, sink, 32 * group + 96, w.rows - 8 * group - 24)
    return true
}

@inline(__always)
private func add(_ sum: inout SIMD8<Float>, _ p: Stream, _ at: Int, _ v: Float, _ special: inout SIMD8<UInt16>) {
    let h = p.load(at, as: SIMD8<UInt16>.self)
    // An exponent of all ones carries into bit 15.
    special |= (h & 0x7fff) &+ 0x0400
    let placed = unsafe unsafeBitCast(asSigned(widened(h) &<< 16) &>> 3, to: RowWords.self) & 0x8fff_e000
    sum += unsafe unsafeBitCast(placed, to: SIMD8<Float>.self) * v
}
