internal import HearthKernelTypes
#if arch(x86_64)
internal import CIntrinsics
#endif

// The portable set's own shapes. Weights are unpacked to a panel of 16-bit pairs of columns (0 and 2, 1 and 3 of a quad:
// one mask makes a pair) of 8 rows, with the offset taken away and the scale of 16 columns multiplied in, so that one kernel serves every quantised format.

/// Eight rows, a 32-bit lane each.
typealias RowWords = SIMD8<UInt32>

/// Bytes of one block of 32 columns of a panel: 16 pairs x 32, scale 32, offset 32, minima 32, -dmin 32.
enum PortablePanel {
    static var block: Int { 640 }
    static var scale: Int { 512 }
    static var offset: Int { 544 }
    static var minima: Int { 576 }
    static var dmin: Int { 608 }
}

/// Products of 16-bit lanes, neighbours added: `pmaddwd`, which every x86-64 has; elsewhere two widening multiplications.
@inline(__always)
func pairProducts(_ a: SIMD8<Int16>, _ b: SIMD8<Int16>) -> SIMD4<Int32> {
    #if arch(x86_64)
    unsafe unsafeBitCast(
        _mm_madd_epi16(unsafeBitCast(a, to: __m128i.self), unsafeBitCast(b, to: __m128i.self)), to: SIMD4<Int32>.self)
    #else
    SIMD4<Int32>(truncatingIfNeeded: a.evenHalf) &* SIMD4<Int32>(truncatingIfNeeded: b.evenHalf)
        &+ SIMD4<Int32>(truncatingIfNeeded: a.oddHalf) &* SIMD4<Int32>(truncatingIfNeeded: b.oddHalf)
    #endif
}

extension Stream {
    @inline(__always) func load<T: BitwiseCopyable>(_ offset: Int, as: T.Type) -> T {
        unsafe base.loadUnaligned(fromByteOffset: offset, as: T.self)
    }

    /// 32 bytes.
    @inline(__always) func lanes(_ offset: Int) -> RowWords { load(offset, as: RowWords.self) }

    /// Eight bytes, widened.
    @inline(__always) func bytes(_ offset: Int) -> RowWords {
        widened(load(offset, as: SIMD8<UInt8>.self))
    }

    /// Eight half floats.
    @inline(__always) func halves(_ offset: Int) -> SIMD8<Float> {
        halvesToFloats(widened(load(offset, as: SIMD8<UInt16>.self)))
    }
}

extension Sink {
    @inline(__always) func put<T: BitwiseCopyable>(_ value: T, _ offset: Int) {
        unsafe base.storeBytes(of: value, toByteOffset: offset, as: T.self)
    }
}

/// IEEE halves to singles, exact. Sign, exponent and fraction are put where a single has them, its three upper exponent bits
/// cleared; the product corrects the exponent's bias (127 - 15 = 112), for subnormals too.
@inline(__always)
func halvesToFloats(_ h: RowWords) -> SIMD8<Float> {
    let placed = unsafe unsafeBitCast(asSigned(h &<< 16) &>> 3, to: RowWords.self) & 0x8fff_e000
    let scaled = unsafe unsafeBitCast(unsafeBitCast(placed, to: SIMD8<Float>.self) * 0x1p112, to: SIMD8<Int32>.self)
    // Infinity and NaN came out at 2^16 and more, which no other half reaches: their exponents become all ones.
    let isSpecial = (0x477f_ffff &- (scaled & 0x7fff_ffff)) &>> 31
    return unsafe unsafeBitCast(scaled | (isSpecial & 0x7f80_0000), to: SIMD8<Float>.self)
}

// Conversions lane by lane: the compiler makes vector instructions of these, and calls of generic ones.

@inline(__always)
func widened(_ v: SIMD8<UInt8>) -> RowWords {
    RowWords(
        UInt32(v[0]), UInt32(v[1]), UInt32(v[2]), UInt32(v[3]), UInt32(v[4]), UInt32(v[5]), UInt32(v[6]), UInt32(v[7]))
}

@inline(__always)
func widened(_ v: SIMD8<UInt16>) -> RowWords {
    RowWords(
        UInt32(v[0]), UInt32(v[1]), UInt32(v[2]), UInt32(v[3]), UInt32(v[4]), UInt32(v[5]), UInt32(v[6]), UInt32(v[7]))
}

@inline(__always)
func asSigned(_ v: RowWords) -> SIMD8<Int32> { unsafe unsafeBitCast(v, to: SIMD8<Int32>.self) }

/// Integers below 2^31.
@inline(__always)
func floats(_ w: RowWords) -> SIMD8<Float> { floats(asSigned(w)) }

@inline(__always)
func floats(_ v: SIMD8<Int32>) -> SIMD8<Float> {
    SIMD8(
        Float(v[0]), Float(v[1]), Float(v[2]), Float(v[3]), Float(v[4]), Float(v[5]), Float(v[6]), Float(v[7]))
}
