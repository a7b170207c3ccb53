#if arch(x86_64)
internal import CIntrinsics
package import HearthKernelTypes

// The portable set's products on x86 processors with SSSE3 (Intel since 2006, AMD since 2011): `pmaddubsw` multiplies 16 bytes
// where SSE2's `pmaddwd` multiplies 8 words. 8 rows x 4 tokens, or 8 rows x 1, from a panel of bytes (`portableUnpackBytes`) and
// the packed activations of `MatrixLayout`. The integer sums are exact and Float32 takes the steps of PortableProducts.swift: the
// bits are the same.

/// Bytes of one block of 32 columns of the panel: quads 256, d 32, offset or scales of the first half 32, of the second half 32,
/// minima 32, -dmin 32.
private let panelBlock = 416

/// Adds blocks `first ..< first + count` of `blocks` to `out[t * stride + row]`, `rows` of 8; with `first` 0 the sums begin.
/// `panel` holds these blocks. Tiles of activations are `tileBytes` apart.
package func ssse3Tiles(
    _ type: ElementType, _ panel: UnsafeMutableRawPointer, _ x: ProductInput, tileBytes: Int, first: Int, count: Int, rows: Int,
    into out: UnsafeMutablePointer<Float>, stride: Int
) {
    let goesOn = first > 0
    switch type {
    case .iq4_nl, .iq4_xs: unsafe lookUp(CodeBook.nonlinear, panel, count)
    case .mxfp4: unsafe lookUp(CodeBook.halves, panel, count)
    default: break
    }
    let panel = UnsafeRawPointer(panel)
    if x.tokens == 1 {
        let a = unsafe x.tiles + first * 52
        switch type {
        case .q5_1, .q5_k: unsafe fiveOneToken(panel, a, count, out, rows, goesOn)
        case .q6_k, .q3_k: unsafe halvesOneToken(panel, a, count, out, rows, goesOn)
        case .q2_k: unsafe minimaOneToken(panel, a, count, out, rows, goesOn)
        case .q4_0: unsafe less8OneToken(panel, a, count, out, rows, goesOn)
        case .q5_0: unsafe less16OneToken(panel, a, count, out, rows, goesOn)
        case .q8_0, .iq4_nl, .iq4_xs, .mxfp4: unsafe bytesOneToken(panel, a, count, out, rows, goesOn)
        default: unsafe nibblesOneToken(panel, a, count, out, rows, goesOn)
        }
        return
    }
    var t = 0
    while t < x.tokens {
        let a = unsafe x.tiles + t / 4 * tileBytes + first * 208
        let (to, left) = unsafe (out + t * stride, x.tokens - t)
        switch type {
        case .q5_1, .q5_k: unsafe fiveTile(panel, a, count, to, stride, rows, left, goesOn)
        case .q6_k, .q3_k: unsafe halvesTile(panel, a, count, to, stride, rows, left, goesOn)
        case .q2_k: unsafe minimaTile(panel, a, count, to, stride, rows, left, goesOn)
        case .q4_0: unsafe less8Tile(panel, a, count, to, stride, rows, left, goesOn)
        case .q5_0: unsafe less16Tile(panel, a, count, to, stride, rows, left, goesOn)
        case .q8_0, .iq4_nl, .iq4_xs, .mxfp4: unsafe bytesTile(panel, a, count, to, stride, rows, left, goesOn)
        default: unsafe nibblesTile(panel, a, count, to, stride, rows, left, goesOn)
        }
        t += 4
    }
}

/// Puts the entries of a code book in place of the quads' nibbles.
private func lookUp(_ book: SIMD16<Int8>, _ panel: UnsafeMutableRawPointer, _ blocks: Int) {
    let table = unsafe unsafeBitCast(book, to: __m128i.self)
    for block in 0..<blocks {
        for i in 0..<16 {
            let p = unsafe (panel + panelBlock * block + 16 * i).assumingMemoryBound(to: __m128i.self)
            unsafe _mm_storeu_si128(p, _mm_shuffle_epi8(table, _mm_loadu_si128(p)))
        }
    }
}

/// How sums of 16 bits are kept: constants that fold branches away.
private enum Form {
    /// One sum for 32 columns: 15 x 127 x 16 = 30,480.
    @inline(__always) static var nibbles: Int { 0 }
    /// One for 16 columns: 31 x 127 x 8 = 31,496.
    @inline(__always) static var five: Int { 1 }
    /// One for 16 columns, each with a scale of its own; they begin with -32 x the activations' sums, which keeps them in 16 bits.
    @inline(__always) static var halves: Int { 2 }
    @inline(__always) static var minima: Int { 3 }
    /// Signed bytes, widened after each product: 128 x 127 x 2 fits 16 bits once.
    @inline(__always) static var bytes: Int { 4 }
    /// One sum for 32 columns that begins with -8 or -16 x the activations' sums: 16 x 127 x 16 = 32,512.
    @inline(__always) static var less8: Int { 5 }
    @inline(__always) static var less16: Int { 6 }

    @inline(__always) static func hasOneSum(_ form: Int) -> Bool { form == nibbles || form >= bytes }
    @inline(__always) static func hasOffset(_ form: Int) -> Bool { form <= five }
}

/// Sums of the four tokens.
private struct Four {
    var s0: Pair, s1: Pair, s2: Pair, s3: Pair

    @inline(__always) init() { (s0, s1, s2, s3) = (.zero, .zero, .zero, .zero) }
    /// A word a token in all lanes.
    @inline(__always) init(_ a: UnsafeRawPointer, _ at: Int) {
        let (w0, w1, w2, w3) = unsafe spreadFour(a, at)
        (s0, s1, s2, s3) = (Pair(w0, w0), Pair(w1, w1), Pair(w2, w2), Pair(w3, w3))
    }
    /// -8 (less8) or -16 x the sums of the activations.
    @inline(__always) init(_ form: Int, _ a: UnsafeRawPointer) {
        let less = unsafe start(form, integers(a, 176), integers(a, 192))
        let (low, high) = (_mm_unpacklo_epi32(less, less), _mm_unpackhi_epi32(less, less))
        let (w0, w1) = (_mm_unpacklo_epi64(low, low), _mm_unpackhi_epi64(low, low))
        let (w2, w3) = (_mm_unpacklo_epi64(high, high), _mm_unpackhi_epi64(high, high))
        (s0, s1, s2, s3) = (Pair(w0, w0), Pair(w1, w1), Pair(w2, w2), Pair(w3, w3))
    }
}

/// -8 or -16 x sums from -32 x those of both halves: exact.
@inline(__always)
private func start(_ form: Int, _ first: __m128i, _ second: __m128i) -> __m128i {
    let shift: Int32 = form == Form.less8 ? 2 : 1
    return _mm_add_epi16(_mm_srai_epi16(first, shift), _mm_srai_epi16(second, shift))
}

/// Adds a quad of 8 rows times that of one token.
@inline(__always)
private func step(_ form: Int, _ sum: inout Pair, _ w: Pair, _ size: Pair, _ a: __m128i) {
    if form == Form.bytes {
        let low = _mm_maddubs_epi16(size.low, _mm_sign_epi8(a, w.low))
        let high = _mm_maddubs_epi16(size.high, _mm_sign_epi8(a, w.high))
        sum = sum + Pair(low, high).wide
    } else {
        sum.low = _mm_add_epi16(sum.low, _mm_maddubs_epi16(w.low, a))
        sum.high = _mm_add_epi16(sum.high, _mm_maddubs_epi16(w.high, a))
    }
}

@inline(__always)
private func quad(_ form: Int, _ p: UnsafeRawPointer, _ j: Int) -> (w: Pair, size: Pair) {
    let w = unsafe Pair(p, 32 * j)
    return form == Form.bytes ? (w, Pair(_mm_abs_epi8(w.low), _mm_abs_epi8(w.high))) : (w, w)
}

/// Quads `from ..< end` of four tokens.
@inline(__always)
private func quads(_ form: Int, _ p: UnsafeRawPointer, _ a: UnsafeRawPointer, _ from: Int, _ end: Int, _ sums: inout Four) {
    for j in from..<end {
        let q = unsafe quad(form, p, j)
        let (a0, a1, a2, a3) = unsafe spreadFour(a, 16 * j)
        step(form, &sums.s0, q.w, q.size, a0)
        step(form, &sums.s1, q.w, q.size, a1)
        step(form, &sums.s2, q.w, q.size, a2)
        step(form, &sums.s3, q.w, q.size, a3)
    }
}

/// Sums of 32 bits over one block.
@inline(__always)
private func block(_ form: Int, _ p: UnsafeRawPointer, _ a: UnsafeRawPointer) -> Four {
    var (low, high) = (Four(), Four())
    if form == Form.halves { low = unsafe Four(a, 176) }
    if form > Form.bytes { low = unsafe Four(form, a) }
    unsafe quads(form, p, a, 0, Form.hasOneSum(form) ? 8 : 4, &low)
    if form == Form.bytes { return low }
    let (first, second) = unsafe (Pair(p, 288), Pair(p, 320))
    @inline(__always) func widened(_ s: Pair, _ scale: Pair) -> Pair {
        form == Form.halves || form == Form.minima ? s.times(scale) : s.wide
    }
    (low.s0, low.s1) = (widened(low.s0, first), widened(low.s1, first))
    (low.s2, low.s3) = (widened(low.s2, first), widened(low.s3, first))
    if Form.hasOneSum(form) { return low }
    if form == Form.halves { high = unsafe Four(a, 192) }
    unsafe quads(form, p, a, 4, 8, &high)
    (low.s0, low.s1) = (low.s0 + widened(high.s0, second), low.s1 + widened(high.s1, second))
    (low.s2, low.s3) = (low.s2 + widened(high.s2, second), low.s3 + widened(high.s3, second))
    return low
}

@inline(__always)
private func tile(
    _ form: Int, _ panel: UnsafeRawPointer, _ tile: UnsafeRawPointer, _ blocks: Int, _ out: UnsafeMutablePointer<Float>,
    _ stride: Int, _ rows: Int, _ tokens: Int, _ goesOn: Bool
) {
    var (p, a) = unsafe (panel, tile)
    var s0 = Floats.zero, s1 = s0, s2 = s0, s3 = s0
    if goesOn {
        s0 = unsafe resumed(out, rows)
        if tokens > 1 { s1 = unsafe resumed(out + stride, rows) }
        if tokens > 2 { s2 = unsafe resumed(out + 2 * stride, rows) }
        if tokens > 3 { s3 = unsafe resumed(out + 3 * stride, rows) }
    }
    for _ in 0..<blocks {
        let total = unsafe block(form, p, a)
        let d = unsafe Floats(p, 256)
        let (d0, d1) = unsafe (spreadFloat(a, 128), spreadFloat(a, 132))
        let (d2, d3) = unsafe (spreadFloat(a, 136), spreadFloat(a, 140))
        s0.add(total.s0, d0, d)
        s1.add(total.s1, d1, d)
        s2.add(total.s2, d2, d)
        s3.add(total.s3, d3, d)
        if Form.hasOffset(form) {
            let offset = unsafe Floats(p, 288)
            unsafe s0.add(offset, spreadFloat(a, 144))
            unsafe s1.add(offset, spreadFloat(a, 148))
            unsafe s2.add(offset, spreadFloat(a, 152))
            unsafe s3.add(offset, spreadFloat(a, 156))
        }
        if form == Form.minima {
            let (minima, dmin, sums) = unsafe (Pair(p, 352), Floats(p, 384), Four(a, 160))
            s0.add(sums.s0.times(minima), d0, dmin)
            s1.add(sums.s1.times(minima), d1, dmin)
            s2.add(sums.s2.times(minima), d2, dmin)
            s3.add(sums.s3.times(minima), d3, dmin)
        }
        unsafe (p, a) = unsafe (p + panelBlock, a + 208)
    }
    unsafe store(s0, out, rows)
    if tokens > 1 { unsafe store(s1, out + stride, rows) }
    if tokens > 2 { unsafe store(s2, out + 2 * stride, rows) }
    if tokens > 3 { unsafe store(s3, out + 3 * stride, rows) }
}

@inline(__always)
private func oneToken(
    _ form: Int, _ panel: UnsafeRawPointer, _ activations: UnsafeRawPointer, _ blocks: Int,
    _ out: UnsafeMutablePointer<Float>, _ rows: Int, _ goesOn: Bool
) {
    var (p, a) = unsafe (panel, activations)
    var sum = unsafe goesOn ? resumed(out, rows) : Floats.zero
    @inline(__always) func quads(_ p: UnsafeRawPointer, _ a: UnsafeRawPointer, _ from: Int, _ end: Int, _ s: inout Pair) {
        for j in from..<end {
            let q = unsafe quad(form, p, j)
            unsafe step(form, &s, q.w, q.size, spread(a, 4 * j))
        }
    }
    @inline(__always) func begun(_ a: UnsafeRawPointer, _ at: Int) -> Pair {
        if form > Form.bytes {
            let less = unsafe start(form, spread(a, 44), spread(a, 48))
            return Pair(less, less)
        }
        return unsafe form == Form.halves ? Pair(spread(a, at), spread(a, at)) : .zero
    }
    for _ in 0..<blocks {
        var (low, high) = unsafe (begun(a, 44), begun(a, 48))
        unsafe quads(p, a, 0, 4, &low)
        if Form.hasOneSum(form) {
            unsafe quads(p, a, 4, 8, &low)
            if form != Form.bytes { low = low.wide }
        } else {
            unsafe quads(p, a, 4, 8, &high)
            low = unsafe form >= Form.halves ? low.times(Pair(p, 288)) + high.times(Pair(p, 320)) : low.wide + high.wide
        }
        let d = unsafe spreadFloat(a, 32)
        unsafe sum.add(low, d, Floats(p, 256))
        if Form.hasOffset(form) { unsafe sum.add(Floats(p, 288), spreadFloat(a, 36)) }
        if form == Form.minima {
            let sums = unsafe spread(a, 40)
            unsafe sum.add(Pair(sums, sums).times(Pair(p, 352)), d, Floats(p, 384))
        }
        unsafe (p, a) = unsafe (p + panelBlock, a + 52)
    }
    unsafe store(sum, out, rows)
}

private func resumed(_ out: UnsafeMutablePointer<Float>, _ rows: Int) -> Floats {
    if rows >= 8 { return unsafe Floats(UnsafeRawPointer(out), 0) }
    @inline(__always) func row(_ i: Int) -> Float { unsafe i < rows ? out[i] : 0 }
    return Floats(_mm_setr_ps(row(0), row(1), row(2), row(3)), _mm_setr_ps(row(4), row(5), row(6), row(7)))
}

private func store(_ v: Floats, _ out: UnsafeMutablePointer<Float>, _ rows: Int) {
    if rows >= 8 {
        unsafe _mm_storeu_ps(out, v.low)
        unsafe _mm_storeu_ps(out + 4, v.high)
        return
    }
    for i in 0..<rows { unsafe out[i] = i < 4 ? v.low[i] : v.high[i - 4] }
}

// A function for each form: calls that differ in a constant only would be joined before they are inlined, and the constant would
// become a variable.

@inline(never)
private func nibblesTile(
    _ p: UnsafeRawPointer, _ a: UnsafeRawPointer, _ blocks: Int, _ out: UnsafeMutablePointer<Float>, _ stride: Int,
    _ rows: Int, _ tokens: Int, _ goesOn: Bool
) { unsafe tile(Form.nibbles, p, a, blocks, out, stride, rows, tokens, goesOn) }
@inline(never)
private func nibblesOneToken(
    _ p: UnsafeRawPointer, _ a: UnsafeRawPointer, _ blocks: Int, _ out: UnsafeMutablePointer<Float>, _ rows: Int,
    _ goesOn: Bool
) { unsafe oneToken(Form.nibbles, p, a, blocks, out, rows, goesOn) }

@inline(never)
private func fiveTile(
    _ p: UnsafeRawPointer, _ a: UnsafeRawPointer, _ blocks: Int, _ out: UnsafeMutablePointer<Float>, _ stride: Int,
    _ rows: Int, _ tokens: Int, _ goesOn: Bool
) { unsafe tile(Form.five, p, a, blocks, out, stride, rows, tokens, goesOn) }
@inline(never)
private func fiveOneToken(
    _ p: UnsafeRawPointer, _ a: UnsafeRawPointer, _ blocks: Int, _ out: UnsafeMutablePointer<Float>, _ rows: Int,
    _ goesOn: Bool
) { unsafe oneToken(Form.five, p, a, blocks, out, rows, goesOn) }

@inline(never)
private func halvesTile(
    _ p: UnsafeRawPointer, _ a: UnsafeRawPointer, _ blocks: Int, _ out: UnsafeMutablePointer<Float>, _ stride: Int,
    _ rows: Int, _ tokens: Int, _ goesOn: Bool
) { unsafe tile(Form.halves, p, a, blocks, out, stride, rows, tokens, goesOn) }
@inline(never)
private func halvesOneToken(
    _ p: UnsafeRawPointer, _ a: UnsafeRawPointer, _ blocks: Int, _ out: UnsafeMutablePointer<Float>, _ rows: Int,
    _ goesOn: Bool
) { unsafe oneToken(Form.halves, p, a, blocks, out, rows, goesOn) }

@inline(never)
private func minimaTile(
    _ p: UnsafeRawPointer, _ a: UnsafeRawPointer, _ blocks: Int, _ out: UnsafeMutablePointer<Float>, _ stride: Int,
    _ rows: Int, _ tokens: Int, _ goesOn: Bool
) { unsafe tile(Form.minima, p, a, blocks, out, stride, rows, tokens, goesOn) }
@inline(never)
private func minimaOneToken(
    _ p: UnsafeRawPointer, _ a: UnsafeRawPointer, _ blocks: Int, _ out: UnsafeMutablePointer<Float>, _ rows: Int,
    _ goesOn: Bool
) { unsafe oneToken(Form.minima, p, a, blocks, out, rows, goesOn) }

@inline(never)
private func bytesTile(
    _ p: UnsafeRawPointer, _ a: UnsafeRawPointer, _ blocks: Int, _ out: UnsafeMutablePointer<Float>, _ stride: Int,
    _ rows: Int, _ tokens: Int, _ goesOn: Bool
) { unsafe tile(Form.bytes, p, a, blocks, out, stride, rows, tokens, goesOn) }
@inline(never)
private func bytesOneToken(
    _ p: UnsafeRawPointer, _ a: UnsafeRawPointer, _ blocks: Int, _ out: UnsafeMutablePointer<Float>, _ rows: Int,
    _ goesOn: Bool
) { unsafe oneToken(Form.bytes, p, a, blocks, out, rows, goesOn) }

@inline(never)
private func less8Tile(
    _ p: UnsafeRawPointer, _ a: UnsafeRawPointer, _ blocks: Int, _ out: UnsafeMutablePointer<Float>, _ stride: Int,
    _ rows: Int, _ tokens: Int, _ goesOn: Bool
) { unsafe tile(Form.less8, p, a, blocks, out, stride, rows, tokens, goesOn) }
@inline(never)
private func less8OneToken(
    _ p: UnsafeRawPointer, _ a: UnsafeRawPointer, _ blocks: Int, _ out: UnsafeMutablePointer<Float>, _ rows: Int,
    _ goesOn: Bool
) { unsafe oneToken(Form.less8, p, a, blocks, out, rows, goesOn) }

@inline(never)
private func less16Tile(
    _ p: UnsafeRawPointer, _ a: UnsafeRawPointer, _ blocks: Int, _ out: UnsafeMutablePointer<Float>, _ stride: Int,
    _ rows: Int, _ tokens: Int, _ goesOn: Bool
) { unsafe tile(Form.less16, p, a, blocks, out, stride, rows, tokens, goesOn) }
@inline(never)
private func less16OneToken(
    _ p: UnsafeRawPointer, _ a: UnsafeRawPointer, _ blocks: Int, _ out: UnsafeMutablePointer<Float>, _ rows: Int,
    _ goesOn: Bool
) { unsafe oneToken(Form.less16, p, a, blocks, out, rows, goesOn) }
#endif
