#if arch(x86_64)
internal import CIntrinsics

// Eight rows in two registers, and raw memory in words. Intrinsics only: a function of the standard library that is compiled
// here might replace the copy that older processors run (see ObjectTests).

/// Rows 0...3 and 4...7, a lane of 32 bits each.
struct Pair {
    var low: __m128i
    var high: __m128i

    @inline(__always) init(_ low: __m128i, _ high: __m128i) { (self.low, self.high) = (low, high) }
    @inline(__always) static var zero: Pair { Pair(_mm_setzero_si128(), _mm_setzero_si128()) }
    /// 32 bytes of memory.
    @inline(__always) init(_ p: UnsafeRawPointer, _ at: Int) {
        unsafe self.init(integers(p, at), integers(p, at + 16))
    }

    /// Sums of 16 bits times a number a row and half of a quad, neighbours added.
    @inline(__always) func times(_ other: Pair) -> Pair {
        Pair(_mm_madd_epi16(low, other.low), _mm_madd_epi16(high, other.high))
    }
    /// Sums of 16 bits, neighbours added.
    @inline(__always) var wide: Pair {
        let ones = _mm_set1_epi16(1)
        return times(Pair(ones, ones))
    }
    @inline(__always) static func + (a: Pair, b: Pair) -> Pair {
        Pair(_mm_add_epi32(a.low, b.low), _mm_add_epi32(a.high, b.high))
    }
}

/// Eight Float32.
struct Floats {
    var low: __m128
    var high: __m128

    @inline(__always) init(_ low: __m128, _ high: __m128) { (self.low, self.high) = (low, high) }
    @inline(__always) static var zero: Floats { Floats(_mm_setzero_ps(), _mm_setzero_ps()) }
    @inline(__always) init(_ p: UnsafeRawPointer, _ at: Int) {
        unsafe self.init(floats(p, at), floats(p, at + 16))
    }

    /// self += (Float(total) x d) x scale, each step rounded.
    @inline(__always) mutating func add(_ total: Pair, _ d: __m128, _ scale: Floats) {
        low = _mm_add_ps(low, _mm_mul_ps(_mm_mul_ps(_mm_cvtepi32_ps(total.low), d), scale.low))
        high = _mm_add_ps(high, _mm_mul_ps(_mm_mul_ps(_mm_cvtepi32_ps(total.high), d), scale.high))
    }
    /// self += offset x s
    @inline(__always) mutating func add(_ offset: Floats, _ s: __m128) {
        low = _mm_add_ps(low, _mm_mul_ps(offset.low, s))
        high = _mm_add_ps(high, _mm_mul_ps(offset.high, s))
    }
}

@inline(__always)
func integers(_ p: UnsafeRawPointer, _ at: Int) -> __m128i {
    unsafe _mm_loadu_si128((p + at).assumingMemoryBound(to: __m128i.self))
}

@inline(__always)
func floats(_ p: UnsafeRawPointer, _ at: Int) -> __m128 {
    unsafe _mm_loadu_ps((p + at).assumingMemoryBound(to: Float.self))
}

/// One word of 32 bits in all lanes.
@inline(__always)
func spread(_ p: UnsafeRawPointer, _ at: Int) -> __m128i {
    unsafe _mm_set1_epi32((p + at).assumingMemoryBound(to: Int32.self).pointee)
}

@inline(__always)
func spreadFloat(_ p: UnsafeRawPointer, _ at: Int) -> __m128 {
    unsafe _mm_set1_ps((p + at).assumingMemoryBound(to: Float.self).pointee)
}

/// Each of four words in all lanes.
@inline(__always)
func spreadFour(_ p: UnsafeRawPointer, _ at: Int) -> (__m128i, __m128i, __m128i, __m128i) {
    let four = unsafe integers(p, at)
    let (low, high) = (_mm_unpacklo_epi32(four, four), _mm_unpackhi_epi32(four, four))
    return (
        _mm_unpacklo_epi64(low, low), _mm_unpackhi_epi64(low, low), _mm_unpacklo_epi64(high, high),
        _mm_unpackhi_epi64(high, high)
    )
}
#endif
