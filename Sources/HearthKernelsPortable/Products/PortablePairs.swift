internal import HearthKernelTypes
#if arch(x86_64)
internal import CIntrinsics
#endif

// The portable set's own shapes. Weights are unpacked to a panel of 16-bit pairs of columns (2 p, 2 p + 1) of 8 rows, with
// the offset taken away and the scale of 16 columns multiplied in, so that one kernel serves every quantised format.

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
        RowWords(truncatingIfNeeded: load(offset, as: SIMD8<UInt8>.self))
    }

    /// Eight half floats.
    @inline(__always) func halves(_ offset: Int) -> SIMD8<Float> {
        halvesToFloats(RowWords(truncatingIfNeeded: load(offset, as: SIMD8<UInt16>.self)))
    }
}

extension Sink {
    @inline(__always) func put<T: BitwiseCopyable>(_ value: T, _ offset: Int) {
        unsafe base.storeBytes(of: value, toByteOffset: offset, as: T.self)
    }
}

/// IEEE halves to singles, exact. The bits are put where a single has them; the product corrects the exponent's bias
/// (127 - 15 = 112), for subnormals too.
@inline(__always)
func halvesToFloats(_ h: RowWords) -> SIMD8<Float> {
    let magnitude = (h & 0x7fff) &<< 13
    let scaled = unsafe unsafeBitCast(unsafeBitCast(magnitude, to: SIMD8<Float>.self) * 0x1p112, to: RowWords.self)
    let isSpecial = (h & 0x7c00) .== 0x7c00
    let bits = scaled.replacing(with: magnitude | 0x7f80_0000, where: isSpecial) | (h & 0x8000) &<< 16
    return unsafe unsafeBitCast(bits, to: SIMD8<Float>.self)
}
